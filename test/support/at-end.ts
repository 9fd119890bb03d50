/** What a process keeps for all of its files of tests is put away when it ends, not when a file does. */

const closings: (() => void | Promise<void>)[] = []

/**
 * Has this done at the end of the process. A worker of mocha ends without waiting for anything: what is done before the
 * first promise must do.
 */
export function atEnd(close: () => void | Promise<void>): void {
  if (closings.length === 0) process.once('exit', () => void putAway())
  closings.push(close)
}

/** Puts away whatever is still there. */
export async function putAway(): Promise<void> {
  const closed = closings.splice(0).map(async (close) => close())
  await Promise.all(closed)
}
