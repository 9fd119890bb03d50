/** How long a wait is left alone between two questions. */

export interface Pauses {
  /** Milliseconds before the second question; later ones come ever more seldom, up to `maxPauseMs`. */
  readonly pauseMs: number
  readonly maxPauseMs: number
}

/** Of the time that a wait has lasted: the pauses grow by half each time. */
const growth = 0.5

/** Milliseconds to the next question of a wait that has lasted so long. */
export function pauseAfter(lastedMs: number, { pauseMs, maxPauseMs }: Pauses): number {
  return Math.min(pauseMs + growth * lastedMs, maxPauseMs)
}

/** A document of which others tell when it changes is asked for by itself at every so-many-th pause all the same. */
const coveredPauses = 60

export function coveredPauseAfter(lastedMs: number, pauses: Pauses): number {
  let at = lastedMs
  for (let pause = 0; pause < coveredPauses; pause++) at += pauseAfter(at, pauses)
  return at - lastedMs
}

/**
 * The same, ended at this one's own moments: thousands that came in together, or were asked about together, aren't
 * asked about together ever after. `share`, from 0 to 1, is its own.
 */
export function spreadPauseAfter(lastedMs: number, pauses: Pauses, share: number): number {
  const first = share * coveredPauseAfter(0, pauses)
  const span = coveredPauses * pauses.maxPauseMs
  const own = lastedMs < first ? first - lastedMs : span - ((lastedMs - first) % span)
  // That was this moment, seen a little early.
  const next = own < pauseAfter(lastedMs, pauses) ? own + span : own
  return Math.min(next, coveredPauseAfter(lastedMs, pauses))
}

/** Where an id stands among all others, from 0 to 1. */
export function shareOf(id: string): number {
  let sum = 0
  for (let at = 0; at < id.length; at++) sum = (sum * 31 + id.charCodeAt(at)) >>> 0
  return sum / 2 ** 32
}

/**
 * What was woken and had not changed is asked for a few times more: who tells of a change may be quicker than who is
 * asked about it.
 */
const quickMs = 10_000

/** Undefined when that is over. `sinceMs` is how long ago it was woken. */
export function pauseAfterWaking(sinceMs: number, pauses: Pauses): number | undefined {
  return sinceMs < quickMs ? pauseAfter(sinceMs, pauses) : undefined
}
