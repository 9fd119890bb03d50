/** Limits password attempts: per network, and per name from anywhere. */
import { setLatest } from '../../lib/common/latest'
import { systemClock, type Clock } from '../../lib/store/clock'

export interface Guesses {
  /**
   * Counts an attempt before it is checked, so that many at once are not all admitted. Returns the seconds to wait if
   * there are too many, or 0 if it may be checked.
   */
  count(network: string, name: string): number
  /** The password was correct, so the attempt does not count. */
  takeBack(network: string, name: string): void
}

const perNetwork = 10
const perName = 30
/** Milliseconds after which one more attempt is allowed. */
const refillMs = 30_000
/** Networks and names kept in memory; the oldest are dropped. */
const maxRemembered = 10_000

interface Bucket {
  used: number
  at: number
}

export function createGuesses(clock: Pick<Clock, 'now'> = systemClock): Guesses {
  const buckets = new Map<string, Bucket>()
  const bucketOf = (key: string): Bucket => {
    const now = clock.now()
    const { used, at } = buckets.get(key) ?? { used: 0, at: now }
    const given = Math.floor((now - at) / refillMs)
    const bucket = used <= given ? { used: 0, at: now } : { used: used - given, at: at + given * refillMs }
    setLatest(buckets, key, bucket, maxRemembered)
    return bucket
  }
  const both = (network: string, name: string) =>
    [
      [bucketOf(`network ${network}`), perNetwork],
      [bucketOf(`name ${name}`), perName],
    ] as const
  return {
    count(network, name) {
      const found = both(network, name)
      const full = found.find(([bucket, limit]) => bucket.used >= limit)
      if (full) return Math.max(1, Math.ceil((refillMs - (clock.now() - full[0].at)) / 1000))
      for (const [bucket] of found) bucket.used++
      return 0
    },
    takeBack(network, name) {
      for (const [bucket] of both(network, name)) bucket.used = Math.max(0, bucket.used - 1)
    },
  }
}
