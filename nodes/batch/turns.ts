/** Lets everything else have its turn while a long list is gone through. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const longestMs = 10

/** To be awaited between two items: most of the time it gives nothing to wait for. */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestMs) return undefined
    return nextTurn().then(() => void (since = performance.now()))
  }
}
