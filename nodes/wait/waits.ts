/** The waits of one node. All are stored; those that this process has seen are also in memory. */
import type { EidError } from '../../lib/api/errors/errors'
import { nextReminder } from '../../lib/common/reminder-dates'
import type { Clock } from '../../lib/store/clock'
import { newId } from '../../lib/store/item-name'
import { listAll } from '../../lib/store/list-all'
import type { Claim, Store } from '../../lib/store/store'
import { rowIn, type PendingSummary } from '../../lib/runtime/monitor/pending'
import { detailsIn, summaryOf, type Details, type ScheduleMarks } from './details'
import { serviceMark } from '../../lib/runtime/service/service-mark'
import { listed } from './flush'
import { kindOf } from './goals'
import { keepWait } from './keep-wait'
import { readWait, storedWait, type PendingWait } from './stored-wait'

/** The latest state of pending waits, or why the service could not be polled. */
export interface PollResult {
  readonly wait?: PendingWait
  readonly details?: Details | undefined
  readonly trouble?: EidError | undefined
  /** Milliseconds until the next poll. */
  readonly pauseMs?: number
  /** How many are paused, because their resource is at another service. */
  readonly heldBack?: number
}

export interface WaitsOptions {
  readonly store: Store
  /** Other Node-REDs may end some of the waits. */
  readonly shared?: boolean
  /** Where the wait is, for other Node-REDs; only in a store that they read. */
  readonly place?: Pick<PendingSummary, 'node' | 'replica'>
  readonly clock: Clock
  /** Called for a wait that was taken back, or ended in another Node-RED: its message goes no further here. */
  dropped(wait: PendingWait): void
  /** After every change: the number of waits, and the result of the latest poll. */
  changed(count: number, latest: PollResult): void
  /** Called for the first wait that is paused because its resource is at another service. */
  heldBack(wait: PendingWait): void
  /** A stored message can't be read; it stays where it is. */
  unreadable(): void
  /** Called with what should never happen. */
  failed(error: unknown): void
}

export interface Waits {
  /** Rejects with EID_INVALID_INPUT if the message can't be stored. */
  add(wait: PendingWait, subject: string): Promise<void>
  /** The wait of a claim; if it can't be read, undefined after `unreadable` was called. */
  read(claim: Claim): PendingWait | undefined
  /** Stored beside a wait, for lists. */
  summaryFor(wait: PendingWait, details: Details | undefined, marks: ScheduleMarks): PendingSummary
  /**
   * True at the first call if the message of this wait has already ended with an error, because no one knew whether the
   * wait was stored.
   */
  takeWithdrawn(id: string): boolean
  /** The wait has ended here. */
  ended(id: string): void
  /** The wait is paused until the client uses its service again, or a person removes it. */
  holdBack(id: string, wait: PendingWait): void
  /** The number at the last count. */
  count(): number
  /** Counts them, and calls `changed`. */
  show(latest?: PollResult): Promise<void>
  /** Removes every wait, or those of this subject. */
  reset(subject?: string): Promise<void>
  /** Removes the wait with this id; false if it is not here. */
  remove(id: string): Promise<boolean>
  /** Drops waits that other instances have ended, which would otherwise stay in memory for ever. */
  reconcile(): Promise<void>
}

/** How many waits that others have ended may still be in memory. */
const maxStale = 100
/** Above this number, they are counted at most this often, because a database takes a while. */
const countThreshold = 100
const countMs = 2_000

export function createWaits(options: WaitsOptions): Waits {
  const { store, shared = false, clock, dropped, changed } = options
  /** Waits seen by this process: their limits follow the monotonic clock. */
  const known = new Map<string, PendingWait>()
  /** Waits being stored. */
  const adding = new Set<string>()
  /** Waits whose message has ended with an error, although the store may have them. */
  const withdrawn = new Set<string>()
  /** Paused waits. */
  const held = new Set<string>()
  const firstMarks = ({ remind }: PendingWait) =>
    remind ? { nextReminder: nextReminder(remind, undefined, clock.epochNow()).next } : {}
  const counter = createCounter(store, shared, clock)

  const show = async (latest: PollResult = {}) => {
    changed(await counter.recount(), { ...latest, heldBack: held.size })
  }
  const summaryFor: Waits['summaryFor'] = (...about) => summarize(options, ...about)
  const drop = (id: string) => {
    const wait = known.get(id)
    known.delete(id)
    held.delete(id)
    if (wait) dropped(wait)
  }
  return {
    async add(wait, subject) {
      const id = newId()
      const details = detailsIn(kindOf(wait.what), wait.resourceId, wait.msg.payload)
      const item = { body: storedWait(wait, clock), summary: summaryFor(wait, details, firstMarks(wait)), subject }
      known.set(id, wait)
      adding.add(id)
      try {
        await keepWait(store, shared, id, item)
      } catch (error) {
        known.delete(id)
        // If the store has it after all, its message has already ended with this error.
        if (shared) withdrawn.add(id)
        throw error
      } finally {
        adding.delete(id)
      }
      // The message is waiting: a failed status update is not its error.
      await show({ wait, details }).catch(options.failed)
    },
    read(claim) {
      const wait = known.get(claim.id) ?? readWait(claim, clock)
      if (wait) known.set(claim.id, wait)
      else options.unreadable()
      return wait
    },
    summaryFor,
    takeWithdrawn: (id) => withdrawn.delete(id),
    ended(id) {
      known.delete(id)
      held.delete(id)
    },
    holdBack(id, wait) {
      if (held.size === 0) options.heldBack(wait)
      held.add(id)
    },
    count: () => counter.latest(),
    show,
    async reset(subject) {
      for (const { id } of await listed(store, subject)) if (await store.remove(id)) drop(id)
      await show()
    },
    async remove(id) {
      if (!(await store.remove(id))) return false
      drop(id)
      await show()
      return true
    },
    async reconcile() {
      if (counter.latest() > 0) await show()
      // A large count is an estimate.
      if (known.size <= counter.latest() + Math.max(maxStale, counter.latest() / 5)) return
      const before = [...known.keys()].filter((id) => !adding.has(id))
      const there = new Set((await listAll(store)).map(({ id }) => id))
      for (const id of before) if (!there.has(id)) drop(id)
    },
  }
}

function summarize(
  { clock, place }: WaitsOptions,
  wait: PendingWait,
  details: Details | undefined,
  marks: ScheduleMarks,
): PendingSummary {
  return {
    ...summaryOf(details, clock.epochNow() + wait.deadline - clock.now(), marks),
    ...place,
    row: rowIn(wait.msg),
    at: wait.service === undefined ? undefined : serviceMark(wait.service),
  }
}

function createCounter(store: Pick<Store, 'count'>, shared: boolean, { now }: Clock) {
  let count = 0
  let countedAt = -Infinity
  return {
    latest: () => count,
    async recount() {
      const isRecent = shared && count > countThreshold && now() - countedAt < countMs
      if (isRecent) return count
      count = await store.count()
      countedAt = now()
      return count
    },
  }
}
