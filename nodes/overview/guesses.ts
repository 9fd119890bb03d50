/** Limits attempts to guess passwords: per network, and per name from anywhere. */
import { setLatest } from '../../lib/common/latest'
import { systemClock } from '../../lib/store/clock'

export interface Guesses {
  /**
   * Counts an attempt before the password is checked, so that many simultaneous attempts are not all admitted. Returns
   * 0 if the password may be checked, otherwise the seconds to wait.
   */
  count(network: string, name: string): number
  /** Removes an attempt from the count, because its password was correct. */
  takeBack(network: string, name: string): void
}

const perNetwork = 10
const perName = 30
/** Milliseconds after which one more attempt is allowed. */
const refillMs = 30_000
/** Maximum number of networks and names kept in memory; beyond that, the oldest are dropped. */
const maxRemembered = 10_000

interface Bucket {
  used: number
  at: number
}

export function createGuesses(): Guesses {
  const buckets = new Map<string, Bucket>()
  const bucketOf = (key: string): Bucket => {
    const now = systemClock.now()
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
      if (full) return Math.max(1, Math.ceil((refillMs - (systemClock.now() - full[0].at)) / 1000))
      for (const [bucket] of found) bucket.used++
      return 0
    },
    takeBack(network, name) {
      for (const [bucket] of both(network, name)) bucket.used = Math.max(0, bucket.used - 1)
    },
  }
}
