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
 * What was woken and had not changed is asked for a few times more: who tells of a change may be quicker than who is
 * asked about it.
 */
const quickMs = 10_000

/** Undefined when that is over. `sinceMs` is how long ago it was woken. */
export function pauseAfterWaking(sinceMs: number, pauses: Pauses): number | undefined {
  return sinceMs < quickMs ? pauseAfter(sinceMs, pauses) : undefined
}
