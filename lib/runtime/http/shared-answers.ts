/**
 * Gives the same answer to everyone who asks for the same thing within a while: a second click, or another person's.
 */

interface Answered {
  readonly ok: boolean
}

/** Does the work for a key once and keeps its answer for `keepMs`; after a failure it may be tried again at once. */
export type ShareAnswer<Answer extends Answered> = (key: string, run: () => Promise<Answer>) => Promise<Answer>

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
      if (ok) setTimeout(forget, keepMs).unref()
      else forget()
    })
    return answer
  }
}
