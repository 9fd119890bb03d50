/**
 * Gives the same answer to all callers that ask for the same thing within some time, such as after a second click, or a
 * click by another person.
 */

interface Answered {
  readonly ok: boolean
}

/**
 * Calls `run` once for a key and keeps the answer for `keepMs` milliseconds. During this time, all callers with this
 * key get this answer. After a failed answer, the next caller tries again at once. If `keepMs` is 0, only callers that
 * ask before the answer has arrived get it.
 */
type ShareAnswer<Answer extends Answered> = (key: string, run: () => Promise<Answer>) => Promise<Answer>

/** `run` must not reject. */
export function createSharedAnswers<Answer extends Answered>(keepMs: number): ShareAnswer<Answer> {
  const answers = new Map<string, Promise<Answer>>()
  return (key, run) => {
    const earlier = answers.get(key)
    if (earlier) return earlier
    const answer = run()
    answers.set(key, answer)
    void answer.then(({ ok }) => {
      const forget = () => void answers.delete(key)
      if (ok && keepMs > 0) setTimeout(forget, keepMs).unref()
      else forget()
    })
    return answer
  }
}
