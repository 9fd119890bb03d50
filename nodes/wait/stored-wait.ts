/** What is stored of a wait, and how it is read back after a restart. */
import { isPlainObject } from '../../lib/common/plain-object'
import { timeIn, type ReminderPlan } from '../../lib/common/reminder-dates'
import type { Clock } from '../../lib/store/clock'
import type { Done, FlowMessage } from '../../lib/runtime/node-red/node-red'
import { deserializeMessage, serializeMessage } from '../../lib/runtime/node-red/serialize-message'
import type { SessionVersion } from '../../lib/api/sessions'
import type { Item } from '../../lib/store/store'
import { initialPauses, minPauseMs, type Pauses } from './pauses'
import { goalOf } from './goals'
import type { Goal } from './wait.fields'

/** One message that waits. */
export interface PendingWait extends Pauses {
  readonly what: Goal
  readonly resourceId: string
  readonly msg: FlowMessage
  /** When the configured time limit is reached, by the monotonic clock; Infinity without one. */
  readonly deadline: number
  /** The service with the document; unknown when an earlier version stored the wait. */
  readonly service?: string | undefined
  /** When those who have not signed are reminded from here; of a document only. */
  readonly remind?: ReminderPlan | undefined
  /** Which version a session is of, once that is known. */
  version?: SessionVersion | undefined
  /** Node-RED's own, which may throw; of a message that came in since the flow was started. */
  readonly done?: Done
}

type StoredItem = Pick<Item, 'body' | 'ageMs'>

/** Plain data; the limit as milliseconds from now. Throws EID_INVALID_INPUT when the message is nested too deep. */
export function storedWait(
  { what, resourceId, msg, deadline, pauseMs, maxPauseMs, service, remind }: PendingWait,
  clock: Clock,
): unknown {
  const limit = Number.isFinite(deadline) ? { limitMs: deadline - clock.now() } : {}
  return { what, resourceId, pauseMs, maxPauseMs, service, remind, ...limit, msg: serializeMessage(msg) }
}

/** The wait of an earlier run or another Node-RED; undefined when something else is stored. */
export function readWait({ body: stored, ageMs }: StoredItem, clock: Clock): PendingWait | undefined {
  if (!isPlainObject(stored) || !isPlainObject(stored.msg)) return undefined
  const { what, resourceId, limitMs, pauseMs, maxPauseMs } = stored
  const service = typeof stored.service === 'string' ? stored.service : undefined
  const goal = goalOf(what)
  const limits = [pauseMs, maxPauseMs, limitMs ?? 0]
  if (!goal || typeof resourceId !== 'string' || !limits.every((one) => Number.isFinite(one))) return undefined
  const pause = Number(pauseMs) >= minPauseMs ? Number(pauseMs) : initialPauses.pauseMs
  const deadline = limitMs === undefined ? Infinity : clock.now() + Number(limitMs) - ageMs
  try {
    const msg = deserializeMessage(stored.msg)
    const pauses = { pauseMs: pause, maxPauseMs: Math.max(pause, Number(maxPauseMs)) }
    return { what: goal, resourceId, msg, deadline, service, ...pauses, remind: planIn(stored.remind) }
  } catch {
    return undefined // The reader of many says how many could not be read.
  }
}

/** A person who can't be reminded on the right day with certainty is not reminded. */
function planIn(stored: unknown): ReminderPlan | undefined {
  const { dates, at, days } = isPlainObject(stored) ? stored : {}
  const isDates = Array.isArray(dates) && dates.every((one) => /^\d{4}-\d\d-\d\d$/.test(String(one)))
  if (!isDates || typeof at !== 'string' || !timeIn(at)) return undefined
  return { dates: dates.map(String), at, days: days === 'mondayToFriday' ? days : 'everyDay' }
}
