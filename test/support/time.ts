/**
 * Waits for conditions in tests. These functions cannot show that something did not happen. To show this, a test counts
 * what did happen.
 */

/**
 * No verdict of a test depends on how fast the machine is. After this many seconds, which are ten times what the slowest
 * machine has taken, a wait is considered to hang.
 */
export const hangSeconds = 300

/**
 * Calls `found` until it returns a value, and returns that value; `undefined` and `false` mean "not yet". Rejects after
 * `seconds`, with the source of `found`.
 */
export async function until<T>(
  found: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = hangSeconds,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (let wait = 1; ; wait = Math.min(wait * 2, 40)) {
    const value = await found()
    if (value !== undefined && value !== false) return value
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${question(found)}`)
    await pause(wait)
  }
}

/** Waits until `count` has reached `least`, and returns the count. */
export async function untilCount(
  count: () => Promise<number> | number,
  least: number,
  seconds = hangSeconds,
): Promise<number> {
  let last = NaN
  const reached = async () => {
    last = await count()
    return last >= least ? last : undefined
  }
  return until(reached, seconds).catch(() => {
    throw new Error(`${last} instead of ${least} within ${seconds} s: ${question(count)}`)
  })
}

/** The result of `coming`; rejects with these words if it seems to hang. */
export async function within<T>(coming: Promise<T>, words: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${hangSeconds} s: ${words()}`)), hangSeconds * 1000).unref()
  })
  return Promise.race([coming, late]).finally(() => clearTimeout(timer))
}

/**
 * Calls `act`, and calls it again if `comes` does not resolve within two seconds; both functions get this time limit in
 * milliseconds. Rejects after `seconds`. Meant for an action that may go unnoticed, and that does no harm when
 * repeated.
 */
export async function insist(
  act: (timeout: number) => Promise<unknown>,
  comes: (timeout: number) => Promise<unknown>,
  seconds = hangSeconds,
): Promise<void> {
  const tried = async () => {
    await act(2_000)
    return comes(2_000).then(
      () => true,
      () => false,
    )
  }
  await until(tried, seconds)
}

/** Waits for one turn of the event loop, so that everything that was ready to run has run. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Simulates a slow party in a test. Must not be used to check whether something happens. */
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** The source of the function as one short line. */
const question = (ask: () => unknown) => ask.toString().replace(/\s+/g, ' ').slice(0, 200)
