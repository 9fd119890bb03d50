/** Pure functions that decide when a wait is polled next. */
import { isSame, type Details, type ScheduleMarks } from './details'
import { coveredPauseAfter, pauseAfter, pauseAfterWaking, steadyMs, type Pauses } from './pauses'

/** The result of the latest poll of a wait. */
export interface PollAnswer {
  /** Undefined if the service reported nothing new. */
  readonly details?: Details | undefined
  /** Whether an event, a list or a person made the wait due. */
  readonly isWoken: boolean
  /** Whether the list that woke the wait showed nothing new, so that the service was not asked. */
  readonly isKnown: boolean
  /** Whether the awaited status follows within seconds of the latest change. */
  readonly isNear?: boolean
}

/** Times of one wait, in milliseconds since it arrived. */
export interface PollClock extends Pauses {
  /** When the wait was claimed for this poll. */
  readonly claimedMs: number
  readonly lastedMs: number
  /** Time left until the wait's own limit; Infinity without a limit. */
  readonly leftMs: number
  /** Whether a list reports changes of the document. */
  readonly isCovered: boolean
  /** Whether the wait is for something in the sandbox of this Node-RED. */
  readonly isSandbox?: boolean
  /** A random number from 0 to 1, drawn for this pause. */
  readonly random: number
}

interface NextPoll {
  readonly pauseMs: number
  readonly marks: ScheduleMarks
}

/** If a wait is due this many milliseconds before its planned time, it was woken. */
const earlyMs = 1_000

export function wasWoken({ next = 0 }: ScheduleMarks, ageMs: number): boolean {
  return ageMs < next - earlyMs
}

export function planNext(
  marks: ScheduleMarks,
  details: Details | undefined,
  { details: latest = details, isWoken, isKnown, isNear = false }: PollAnswer,
  clock: PollClock,
): NextPoll {
  const { claimedMs, lastedMs, leftMs, isCovered, isSandbox, random } = clock
  if (isKnown) {
    // If the list woke the wait but shows nothing new, this does not count as a poll: the next poll comes at its
    // planned time.
    const pauseMs = Math.max((marks.next ?? 0) - lastedMs, 1)
    return { pauseMs, marks: { next: Math.round(lastedMs + pauseMs) } }
  }
  const isChanged = !isSame(latest, details)
  const isQuick = isChanged ? isNear : isWoken
  const wokenAt = isQuick ? claimedMs : isChanged ? undefined : marks.woken
  const quickMs = wokenAt === undefined ? undefined : pauseAfterWaking(lastedMs - wokenAt, clock)
  const isSteady = isSandbox === true && lastedMs < steadyMs
  const grownMs = isCovered ? coveredPauseAfter(lastedMs, clock, random) : pauseAfter(lastedMs, clock)
  const usualMs = isSteady ? clock.pauseMs : grownMs
  // The last poll comes when the time is up, so that the service decides what has happened, not the clock of this
  // machine.
  const pauseMs = Math.min(quickMs ?? Infinity, usualMs, Math.max(leftMs, 1))
  return {
    pauseMs,
    marks: { next: Math.round(lastedMs + pauseMs), woken: quickMs === undefined ? undefined : wokenAt },
  }
}
