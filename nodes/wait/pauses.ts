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

/** The values of the settings, or their defaults if empty. */
export function pausesOf({
  pollInterval = Number(fields.pollInterval.initial),
  maxInterval = Number(fields.maxInterval.initial),
}: Partial<Pick<Values<typeof fields>, 'pollInterval' | 'maxInterval'>>): Pauses {
  const pauseMs = pollInterval * 1000
  return { pauseMs, maxPauseMs: Math.max(pauseMs, maxInterval * 1000) }
}

export const initialPauses = pausesOf({})

/** Each pause is this share of the time that the wait has lasted. */
const growth = 0.5

/** Milliseconds until the next poll of a wait that has lasted this long. */
export function pauseAfter(lastedMs: number, { pauseMs, maxPauseMs }: Pauses): number {
  return Math.min(pauseMs + growth * lastedMs, maxPauseMs)
}

/**
 * A document covered by a list or events is still polled individually, but only after this many pauses. Up to two
 * thirds of them are left out at random, so that documents that arrived together are not polled together. On average,
 * that is every sixtieth pause.
 */
export const coveredPauses = 90
const jitter = 2 / 3

/** `random`, from 0 to 1, is drawn for each pause. */
export function coveredPauseAfter(lastedMs: number, pauses: Pauses, random: number): number {
  let at = lastedMs
  for (let pause = 0; pause < coveredPauses; pause++) at += pauseAfter(at, pauses)
  return Math.round((at - lastedMs) * (1 - jitter * random))
}

/** Poll a few more times after a wake-up: the event can arrive before the service's own record changes. */
const quickMs = 10_000

/** The pause before the next extra poll; undefined after the last one. `sinceMs` is how long ago the wait was woken. */
export function pauseAfterWaking(sinceMs: number, pauses: Pauses): number | undefined {
  return sinceMs < quickMs ? pauseAfter(sinceMs, pauses) : undefined
}
