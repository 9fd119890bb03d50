/** Converts a wait to its stored form, and reads it back after a restart. */
import { isPlainObject } from '../../lib/common/plain-object'
import { timeIn, type ReminderPlan } from '../../lib/common/reminder-dates'
import type { Clock } from '../../lib/store/clock'
import type { Done, FlowMessage } from '../../lib/runtime/node-red/node-red'
import { deserializeMessage, serializeMessage } from '../../lib/runtime/node-red/serialize-message'
import type { SessionVersion } from '../../lib/api/sessions'
import type { Item } from '../../lib/store/store'
import { readExpected, type ExpectedPerson } from './expected-person'
import { defaultPauses, minPauseMs, type Pauses } from './pauses'
import { goalOf } from './goals'
import type { Goal } from './wait.fields'

/** One waiting message. */
export interface PendingWait extends Pauses {
  readonly what: Goal
  readonly resourceId: string
  readonly msg: FlowMessage
  /** The time on the monotonic clock at which the configured time limit is reached; Infinity if there is no limit. */
  readonly deadline: number
  /** The service where the document is; undefined if an earlier version stored the wait. */
  readonly service?: string | undefined
  /** The plan by which this node reminds the signers who have not signed; only for documents. */
  readonly remind?: ReminderPlan | undefined
  /** For a session: the person who must identify, if the settings name one. */
  readonly expected?: ExpectedPerson | undefined
  /** The API version of a session, once known. */
  version?: SessionVersion | undefined
  /** Node-RED's own `done`, which may throw; present only if the message arrived since the flow started. */
  readonly done?: Done
}

type StoredItem = Pick<Item, 'body' | 'ageMs'>

/**
 * Returns the wait as plain data, with the time limit in milliseconds from now. Throws EID_INVALID_INPUT if the message
 * is nested too deeply.
 */
export function storedWait(
  { what, resourceId, msg, deadline, pauseMs, maxPauseMs, service, remind, expected }: PendingWait,
  clock: Clock,
): unknown {
  const limit = Number.isFinite(deadline) ? { limitMs: deadline - clock.now() } : {}
  return { what, resourceId, pauseMs, maxPauseMs, service, remind, expected, ...limit, msg: serializeMessage(msg) }
}

/** Reads a wait of an earlier run or of another Node-RED; undefined if something else is stored. */
export function readWait({ body: stored, ageMs }: StoredItem, clock: Clock): PendingWait | undefined {
  if (!isPlainObject(stored) || !isPlainObject(stored.msg)) return undefined
  const { what, resourceId, limitMs, pauseMs, maxPauseMs } = stored
  const service = typeof stored.service === 'string' ? stored.service : undefined
  const goal = goalOf(what)
  const limits = [pauseMs, maxPauseMs, limitMs ?? 0]
  if (!goal || typeof resourceId !== 'string' || !limits.every((one) => Number.isFinite(one))) return undefined
  const expected = readExpected(stored.expected)
  // Without the expected person, anyone could pass.
  if (stored.expected !== undefined && !expected) return undefined
  const pause = Number(pauseMs) >= minPauseMs ? Number(pauseMs) : defaultPauses.pauseMs
  const deadline = limitMs === undefined ? Infinity : clock.now() + Number(limitMs) - ageMs
  try {
    const msg = deserializeMessage(stored.msg)
    const pauses = { pauseMs: pause, maxPauseMs: Math.max(pause, Number(maxPauseMs)) }
    return { what: goal, resourceId, msg, deadline, service, ...pauses, remind: planIn(stored.remind), expected }
  } catch {
    return undefined // The caller counts how many could not be read.
  }
}

/**
 * Reads the plan of reminders. If the right day for a reminder is uncertain, there is no plan, and no reminder is sent.
 */
function planIn(stored: unknown): ReminderPlan | undefined {
  const { dates, at, days } = isPlainObject(stored) ? stored : {}
  const isDates = Array.isArray(dates) && dates.every((one) => /^\d{4}-\d\d-\d\d$/.test(String(one)))
  if (!isDates || typeof at !== 'string' || !timeIn(at)) return undefined
  return { dates: dates.map(String), at, days: days === 'mondayToFriday' ? days : 'everyDay' }
}
