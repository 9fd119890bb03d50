/** The pauses between two polls of a wait. */
import type { Values } from '../../lib/settings/fields'
import { fields } from './wait.fields'

export interface Pauses {
  /** Milliseconds before the second poll; later pauses grow up to `maxPauseMs`. */
  readonly pauseMs: number
  readonly maxPauseMs: number
}

/** The shortest pause between two polls, in milliseconds. */
export const minPauseMs = 10

/** Returns the pauses from the settings. For an empty setting, uses its default. */
export function pausesOf({
  pollInterval = Number(fields.pollInterval.initial),
  maxInterval = Number(fields.maxInterval.initial),
}: Partial<Pick<Values<typeof fields>, 'pollInterval' | 'maxInterval'>>): Pauses {
  const pauseMs = pollInterval * 1000
  return { pauseMs, maxPauseMs: Math.max(pauseMs, maxInterval * 1000) }
}

export const defaultPauses = pausesOf({})

/** Each pause grows by this share of the time that the wait has lasted. */
const growth = 0.5

/** Milliseconds until the next poll of a wait that has lasted this long. */
export function pauseAfter(lastedMs: number, { pauseMs, maxPauseMs }: Pauses): number {
  return Math.min(pauseMs + growth * lastedMs, maxPauseMs)
}

/** How long the pauses of a wait in the sandbox of this Node-RED stay short, because a person is trying it out. */
export const steadyMs = 120_000

/**
 * A document whose changes are reported by a list or by events is still polled individually, but only after this many
 * pauses. Up to two thirds of these pauses are left out at random, so that documents that arrived together are not
 * polled together. On average, a document is polled after 60 pauses.
 */
export const coveredPauses = 90
const jitter = 2 / 3

/** Returns the pause for a document whose changes a list reports. `random`, from 0 to 1, is drawn for each pause. */
export function coveredPauseAfter(lastedMs: number, pauses: Pauses, random: number): number {
  let at = lastedMs
  for (let pause = 0; pause < coveredPauses; pause++) at += pauseAfter(at, pauses)
  return Math.round((at - lastedMs) * (1 - jitter * random))
}

/**
 * Milliseconds after a wake-up during which a wait is polled more often: an event can arrive before the service's own
 * record changes.
 */
const quickMs = 10_000

/**
 * After a wait was woken, it is polled a few extra times. Returns the pause before the next extra poll; undefined after
 * the last one. `sinceMs` is the time since the wait was woken.
 */
export function pauseAfterWaking(sinceMs: number, pauses: Pauses): number | undefined {
  return sinceMs < quickMs ? pauseAfter(sinceMs, pauses) : undefined
}
