/** The waits of one node: kept in its store, and those that this process has seen, in memory as well. */
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
  /** How many are paused, because what they wait for is at another service. */
  readonly heldBack?: number
}

export interface WaitsOptions {
  readonly store: Store
  /** Other Node-REDs end some of the waits. */
  readonly shared?: boolean
  /** Where it waits, for others to read; only in a store that others read. */
  readonly place?: Pick<PendingSummary, 'node' | 'replica'>
  readonly clock: Clock
  /** Called for a wait that is taken back, or has ended in another Node-RED: its message goes no further here. */
  dropped(wait: PendingWait): void
  /** After every change: how many waits there are, and what the latest poll brought. */
  changed(count: number, latest: PollResult): void
  /** Called for the first wait that is paused because what it waits for is at another service. */
  heldBack(wait: PendingWait): void
  /** A stored message can't be read; it stays where it is. */
  unreadable(): void
  /** Called with what should never happen. */
  failed(error: unknown): void
}

export interface Waits {
  /** Rejects with EID_INVALID_INPUT when the message cannot be stored. */
  add(wait: PendingWait, subject: string): Promise<void>
  /** The wait of a claim; undefined, once `unreadable` was called, when it can't be read. */
  read(claim: Claim): PendingWait | undefined
  /** What is kept beside a wait, for lists. */
  summaryFor(wait: PendingWait, details: Details | undefined, marks: ScheduleMarks): PendingSummary
  /** Whether its message has ended with an error already, as it was unknown whether the wait was kept; true once. */
  takeWithdrawn(id: string): boolean
  /** It has ended here. */
  ended(id: string): void
  /** It is paused until the client uses its service again, or a person removes it. */
  holdBack(id: string, wait: PendingWait): void
  /** How many there were when they were last counted. */
  count(): number
  /** Counts them, and calls `changed`. */
  show(latest?: PollResult): Promise<void>
  /** Takes back every wait, or those of this subject. */
  reset(subject?: string): Promise<void>
  /** Takes back the wait of this id; false when it is not here. */
  remove(id: string): Promise<boolean>
  /** Drops those that others have ended: they would be remembered here for ever. */
  reconcile(): Promise<void>
}

/** How many that others have ended may still be remembered here. */
const maxStale = 100
/** Above this number, they are counted at most this often, because a database takes a while. */
const countThreshold = 100
const countMs = 2_000

export function createWaits(options: WaitsOptions): Waits {
  const { store, shared = false, clock, dropped, changed } = options
  /** Those that this process has seen: their limits follow a clock that never jumps. */
  const known = new Map<string, PendingWait>()
  /** Those that are being written down. */
  const adding = new Set<string>()
  /** Those whose message has ended with an error, though the store may have kept them. */
  const withdrawn = new Set<string>()
  /** Those that are paused. */
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
        // It has ended with this error, should the store still have it.
        if (shared) withdrawn.add(id)
        throw error
      } finally {
        adding.delete(id)
      }
      // It waits: a failure of the status text is not an error of this message.
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
