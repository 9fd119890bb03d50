/** Limits attempts to guess passwords: per network, and per name from anywhere. */
import { createHmac, randomBytes } from 'node:crypto'
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

interface Bucket {
  used: number
  at: number
}

export function createGuesses(): Guesses {
  const networks = createBuckets()
  const names = createBuckets()
  const both = (network: string, name: string) =>
    [
      [networks(network), perNetwork],
      [names(name), perName],
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

/**
 * Returns the bucket of a text. There are 65,536, chosen by a hash that outsiders cannot predict: memory is limited,
 * and no flood of other texts empties a bucket. If two texts share one, they are refused sooner.
 */
function createBuckets(): (text: string) => Bucket {
  const key = randomBytes(16)
  const buckets = new Map<number, Bucket>()
  return (text) => {
    const slot = createHmac('sha256', key).update(text).digest().readUInt16BE()
    const now = systemClock.now()
    const { used, at } = buckets.get(slot) ?? { used: 0, at: now }
    const given = Math.floor((now - at) / refillMs)
    const bucket = used <= given ? { used: 0, at: now } : { used: used - given, at: at + given * refillMs }
    buckets.set(slot, bucket)
    return bucket
  }
}
