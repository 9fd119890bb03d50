/** Repeats a task at an interval, one round at a time. */

interface RoundsOptions {
  /** Milliseconds from the end of a round to the next one. */
  intervalMs(): number
  round(): Promise<void>
  failed(error: unknown): void
}

interface Rounds {
  /** Begins the rounds, of which the first comes after one interval; does nothing if they have already begun. */
  begin(): void
  /** Ends the rounds; resolves when no round is running any more. */
  end(): Promise<void>
}

export function createRounds({ intervalMs, round, failed }: RoundsOptions): Rounds {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let ended = true
  const arm = () => {
    if (ended || running) return
    timer ??= setTimeout(() => {
      timer = undefined
      running = round()
        .catch(failed)
        .finally(() => {
          running = undefined
          arm()
        })
    }, intervalMs()).unref()
  }
  return {
    begin() {
      ended = false
      arm()
    },
    async end() {
      ended = true
      clearTimeout(timer)
      timer = undefined
      await running
    },
  }
}
