/** Closes what the test files of a process share. This happens when the process ends, not when a test file ends. */

const closings: (() => void | Promise<void>)[] = []

/**
 * Runs `close` at the end of the process. A mocha worker exits without waiting for promises, so `close` must do its
 * work synchronously.
 */
export function atEnd(close: () => void | Promise<void>): void {
  if (closings.length === 0) process.once('exit', () => void putAway())
  closings.push(close)
}

/** Closes everything that is still open. */
export async function putAway(): Promise<void> {
  const closed = closings.splice(0).map(async (close) => close())
  await Promise.all(closed)
}
