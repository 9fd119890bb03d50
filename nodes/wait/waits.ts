/** Manages the waits of one node. All waits are stored; those that this process has handled are also in memory. */
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
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
interface PollResult {
  readonly wait?: PendingWait
  readonly details?: Details | undefined
  readonly trouble?: EidError | undefined
  /** Milliseconds until the next poll. */
  readonly pauseMs?: number
  /** How many waits are paused because their resource is at another service. */
  readonly heldBack?: number
}

export interface WaitsOptions {
  readonly store: Store
  /** Whether other Node-REDs may end some of the waits. */
  readonly shared?: boolean
  /** The node and machine of the wait, for other Node-REDs; given only if they read the store. */
  readonly place?: Pick<PendingSummary, 'node' | 'replica'>
  readonly clock: Clock
  /**
   * Called for a wait that was removed, or that ended in another Node-RED, so that its message does not continue here.
   */
  dropped(wait: PendingWait): void
  /** Called after every change, with the number of waits and the result of the latest poll. */
  changed(count: number, latest: PollResult): void
  /** Called for the first wait that is paused because its resource is at another service. */
  heldBack(wait: PendingWait): void
  /** Called for a stored message that can't be read; it remains stored. */
  unreadable(): void
  /** Called for errors that should never happen. */
  failed(error: unknown): void
}

export interface Waits {
  /**
   * Adds a wait with the message as it came in. `msg` is the message that leaves when the wait ends. Rejects with
   * EID_INVALID_INPUT if the message can't be stored.
   */
  add(wait: PendingWait, subject: string, msg?: FlowMessage): Promise<void>
  /** Reads the wait of a claim; if the wait can't be read, calls `unreadable` and returns undefined. */
  read(claim: Claim): PendingWait | undefined
  /** Returns the data that is stored beside a wait, for lists. */
  summaryFor(wait: PendingWait, details: Details | undefined, marks: ScheduleMarks): PendingSummary
  /**
   * Whether the message of this wait has already ended with an error. The message ends like this if it was unknown
   * whether the wait was stored. True only at the first call.
   */
  takeWithdrawn(id: string): boolean
  /** Called when the wait has ended in this process. */
  ended(id: string): void
  /** Pauses a wait until the client is switched back to the wait's service, or a person removes the wait. */
  holdBack(id: string, wait: PendingWait): void
  /** Returns the number of waits at the last count. */
  count(): number
  /** Counts the waits and calls `changed`. */
  show(latest?: PollResult): Promise<void>
  /** Removes every wait, or those about this subject. */
  reset(subject?: string): Promise<void>
  /** Removes the wait with this id; false if this node has no such wait. */
  remove(id: string): Promise<boolean>
  /**
   * Counts the waits, and removes from memory those that other instances have ended. Otherwise these waits would stay
   * in memory permanently.
   */
  reconcile(): Promise<void>
}

/** Maximum number of waits that other instances have ended and that may still be in memory. */
const maxStale = 100
/**
 * With more waits than this, they are counted at most once per `countMs`, because counting in a database takes a while.
 */
const countThreshold = 100
const countMs = 2_000

export function createWaits(options: WaitsOptions): Waits {
  const { store, shared = false, clock, dropped, changed } = options
  /** Waits that this process has handled; their time limits follow the monotonic clock. */
  const known = new Map<string, PendingWait>()
  /** Ids of waits that are being stored. */
  const adding = new Set<string>()
  /** Ids of waits whose message has ended with an error, although the store may contain the wait. */
  const withdrawn = new Set<string>()
  /** Ids of waits that are paused. */
  const held = new Set<string>()
  const firstMarks = ({ remind }: PendingWait) =>
    remind ? { nextReminder: nextReminder(remind, undefined, clock.epochNow()).next } : {}
  const counter = createCounter(store, clock)

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
    async add(wait, subject, msg = wait.msg) {
      const id = newId()
      const details = detailsIn(kindOf(wait.what), wait.resourceId, wait.msg.payload)
      const item = { body: storedWait(wait, clock), summary: summaryFor(wait, details, firstMarks(wait)), subject }
      // The copy of the message is not needed any more, because the store has it.
      known.set(id, { ...wait, msg })
      adding.add(id)
      try {
        await keepWait(store, shared, id, item)
      } catch (error) {
        known.delete(id)
        // Even if the store contains the wait, its message has already ended with this error.
        if (shared) withdrawn.add(id)
        throw error
      } finally {
        adding.delete(id)
      }
      // The wait has been stored, so an error while showing the status must not end the message.
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
      // A large count is an estimate, so a small difference does not count.
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

function createCounter(store: Pick<Store, 'count'>, { now }: Clock) {
  let count = 0
  let countedAt = -Infinity
  return {
    latest: () => count,
    async recount() {
      const isRecent = count > countThreshold && now() - countedAt < countMs
      if (isRecent) return count
      count = await store.count()
      countedAt = now()
      return count
    },
  }
}
