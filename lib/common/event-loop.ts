/** Lets other work of the process run during long computations. */

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const longestMs = 10

/** Returns a function to await between two items; it waits only when the current turn has become long. */
export function createYielder(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestMs) return undefined
    return nextTurn().then(() => void (since = performance.now()))
  }
}
