/**
 * Time in tests: waits for a fact that is to come. Nothing here shows that something did not happen: count what did.
 */

/**
 * Looks again and again until `found` gives something, and gives that; `undefined` and `false` mean "not yet". Rejects
 * after this many seconds, with the question it asked; `seconds` only bounds a wait in vain, so it may be generous.
 */
export async function until<T>(
  found: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 30,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (let wait = 1; ; wait = Math.min(wait * 2, 40)) {
    const value = await found()
    if (value !== undefined && value !== false) return value
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${question(found)}`)
    await pause(wait)
  }
}

/** Waits until `count` has reached `least`, and gives what it was then. */
export async function untilCount(count: () => Promise<number> | number, least: number, seconds = 30): Promise<number> {
  let last = NaN
  const reached = async () => {
    last = await count()
    return last >= least ? last : undefined
  }
  return until(reached, seconds).catch(() => {
    throw new Error(`${last} instead of ${least} within ${seconds} s: ${question(count)}`)
  })
}

/** What `coming` gives; rejects with these words when it takes more than this many seconds. */
export async function within<T>(seconds: number, coming: Promise<T>, words: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${seconds} s: ${words()}`)), seconds * 1000).unref()
  })
  return Promise.race([coming, late]).finally(() => clearTimeout(timer))
}

/**
 * Acts, and acts again when what should come of it has not come within two seconds, which both are given in
 * milliseconds; rejects after this many seconds. For an act that may go unnoticed, and does no harm the second time.
 */
export async function insist(
  act: (timeout: number) => Promise<unknown>,
  comes: (timeout: number) => Promise<unknown>,
  seconds: number,
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

/** One turn of the event loop: what was ready to run has run. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * For a slow participant: a party in the test that takes this many milliseconds. Never to see whether
 * something happens.
 */
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** The function as one short line. */
const question = (ask: () => unknown) => ask.toString().replace(/\s+/g, ' ').slice(0, 200)
