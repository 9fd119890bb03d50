/** Asks for all the messages that wait in one node from time to time, and ends each one once. */
import { EidError } from '../../lib/api/errors/errors'
import type { Clock } from '../../lib/store/clock'
import { delivered } from '../../lib/runtime/node-red/next-turn'
import { tooOften } from '../../lib/runtime/node-red/errors'
import { rowIn, type PendingSummary } from '../../lib/runtime/monitor/pending'
import type { Wake } from '../../lib/runtime/monitor/wake'
import { newId } from '../../lib/store/item-name'
import { inTurns } from '../../lib/store/in-turns'
import { listAll } from '../../lib/store/list-all'
import { maxDeliveries, type Claim, type Store } from '../../lib/store/store'
import { startWorker, type Worker } from '../../lib/store/worker'
import { detailsIn, detailsOf, isSame, readSummary, summaryOf, type Details, type ScheduleMarks } from './details'
import { coveredPauseAfter, pauseAfter, pauseAfterWaking, shareOf, spreadPauseAfter } from './pauses'
import type { ResourceState } from './resource-state'
import { readWait, storedWait, type PendingWait } from './stored-wait'

/** How a wait ended: with what the service says, or with the error that makes waiting pointless. */
export type Ending = { readonly state: ResourceState; readonly late: boolean } | { readonly error: unknown }

/** What the latest question brought for what has not ended, or why the service could not be asked. */
export interface PollResult {
  readonly wait?: PendingWait
  readonly details?: Details | undefined
  readonly trouble?: EidError | undefined
  /** Milliseconds until the next question. */
  readonly pauseMs?: number
}

/** What is known already when a question is asked. */
export interface PollContext {
  readonly details: Details | undefined
  /** More than the status is wanted. */
  readonly fullRecord: boolean
}

export interface PollerOptions {
  readonly store: Store
  /** Other Node-REDs end some of the waits. */
  readonly shared?: boolean
  /** What others are to know of where it waits; only where others read it. */
  readonly place?: Pick<PendingSummary, 'node' | 'replica'>
  readonly clock: Clock
  /** Whether others tell when what this wait is about has changed: then it is asked for seldom. False when absent. */
  readonly isCovered?: (wait: PendingWait) => boolean
  /** Whether the one who woke this wait has seen nothing but what is known of it. False when absent. */
  readonly isKnown?: (wait: PendingWait, details: Details | undefined) => boolean
  /** Asks the service; rejects with an EidError. */
  ask(wait: PendingWait, known: PollContext, signal: AbortSignal): Promise<ResourceState>
  /** Called once per wait, and again only after a crash: then the message may have been in the flow before. */
  end(id: string, wait: PendingWait, ending: Ending, redelivered: boolean): void
  /** Called for a wait that is taken back, or has ended in another Node-RED: its message goes no further here. */
  dropped(wait: PendingWait): void
  /** After every question: how many waits there are, and what it brought. */
  asked(count: number, asked: PollResult): void
  /** Told of a stored message that cannot be read; it stays where it is. */
  unreadable(): void
  /** Told of what should never happen. */
  failed(error: unknown): void
}

export interface Poller {
  /** Rejects with EID_INVALID_INPUT when the message cannot be stored. */
  add(wait: PendingWait, subject: string): Promise<void>
  /** Begins to ask, also for what an earlier run has left. */
  start(): Promise<void>
  /** Asks now for every wait, or for those of this subject; `wake` wakes them. */
  flush(wake: Wake, subject?: string): Promise<void>
  /** Nobody tells of changes any more: each is asked for by itself again. */
  recall(): Promise<void>
  /** How many there were when that was last counted. */
  count(): number
  /** Shows anew how many there are, after something else was shown. */
  show(): Promise<void>
  /** Takes back every wait, or those of this subject. */
  reset(subject?: string): Promise<void>
  /** Takes back the wait of this id; false when it is not here. */
  remove(id: string): Promise<boolean>
  /** Stops within a second; `removed` empties the store as well. */
  close(removed: boolean): Promise<void>
}

/** Questions on their way at once: enough to be quick; the client leaves its other calls their turn. */
const parallel = 8
/** How long what cannot be read stays where it is, so that somebody may look at it. */
const keepUnreadableMs = 30 * 86_400_000
/** Woken in one turn of the loop. */
const wokenAtOnce = 1_000
/** More than so many that are asked for seldom aren't asked for together. */
const spreadFrom = 500
/** Due so much earlier than planned, it was woken. */
const earlyMs = 1_000

/**
 * With others who end waits: milliseconds between two looks at how many are left, and how many may be forgotten late.
 */
const reconcileMs = 10_000
const stale = 100
/** More than so many are counted at most so often. */
const roughly = 100
const countMs = 2_000

/** These may be over by the next question; any other error stays what it is. */
export const passing: readonly string[] = [
  ...['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE', 'EID_RATE_LIMITED', 'EID_CONFIG'],
]

interface Pause {
  readonly pause: true
  readonly details?: Details | undefined
  readonly trouble?: EidError | undefined
}

export function createPoller(options: PollerOptions): Poller {
  const { store, shared = false, place, clock, ask, end, dropped, asked, unreadable, failed } = options
  const { isCovered = () => false, isKnown = () => false } = options
  /** Those that this process has seen: their limits follow a clock that never jumps. */
  const known = new Map<string, PendingWait>()
  /** Those that are being written down. */
  const adding = new Set<string>()
  /** Those that nobody has woken, though they come early. */
  const recalled = new Set<string>()
  let worker: Worker | undefined
  let looking: NodeJS.Timeout | undefined
  let count = 0
  let countedAt = -Infinity

  const work = async (claim: Claim, signal: AbortSignal) => {
    const claimed = clock.now()
    const wait = known.get(claim.id) ?? readWait(claim, clock)
    if (!wait) {
      unreadable()
      return void (await store.complete(claim, { body: claim.body, keepMs: keepUnreadableMs }))
    }
    known.set(claim.id, wait)
    const { details, marks } = readSummary(claim.summary)
    const woken = !recalled.delete(claim.id) && claim.ageMs < (marks.next ?? 0) - earlyMs
    const alreadyKnown = woken && isKnown(wait, details)
    // Several may sign without a change of status.
    const fullRecord = woken || marks.woken !== undefined || details?.status === 'partialsigned'
    const answer: Pause | Ending = alreadyKnown
      ? { pause: true }
      : await question(wait, { details, fullRecord }, signal)
    // The flow has ended, or another Node-RED has taken over.
    if (signal.aborted) return
    if (!('pause' in answer)) {
      await finish(claim, wait, answer, signal)
      return show({})
    }
    const latest = answer.details ?? details
    const lastedMs = claim.ageMs + clock.now() - claimed
    const wokenAt = alreadyKnown || !isSame(latest, details) ? undefined : woken ? claim.ageMs : marks.woken
    const quickMs = wokenAt === undefined ? undefined : pauseAfterWaking(lastedMs - wokenAt, wait)
    // What others have told counts as no question: the next one comes when it would have come.
    const pauseMs = alreadyKnown ? Math.max((marks.next ?? 0) - lastedMs, 1) : pauseOf(claim, wait, lastedMs, quickMs)
    const next = Math.round(lastedMs + pauseMs)
    const summary = summaryFor(wait, latest, { next, woken: quickMs === undefined ? undefined : wokenAt })
    await store.reschedule(claim, pauseMs, { summary })
    await show({ wait, details: latest, trouble: answer.trouble, pauseMs })
  }

  /** Asks once. Never rejects. */
  const question = async (wait: PendingWait, about: PollContext, signal: AbortSignal): Promise<Ending | Pause> => {
    try {
      const state = await ask(wait, about, signal)
      if (state.version) wait.version = state.version
      const late = !state.outcome && clock.now() >= wait.deadline
      if (state.outcome || late) return { state, late }
      const tells = state.fullRecord || wait.what !== 'document'
      return { pause: true, details: tells ? detailsOf(wait.what, state.answer.data, state.status) : undefined }
    } catch (error) {
      const trouble = error instanceof EidError && passing.includes(error.code) ? error : undefined
      if (!trouble) return { error }
      return clock.now() < wait.deadline ? { pause: true, trouble } : { state: unheard, late: true }
    }
  }

  const pauseOf = (claim: Claim, wait: PendingWait, lastedMs: number, quickMs = Infinity): number => {
    const usual = isCovered(wait) ? coveredPauseOf(claim, wait, lastedMs) : pauseAfter(lastedMs, wait)
    // The last question is asked when the time is up: what the service says decides, not the clock here.
    return Math.min(quickMs, usual, Math.max(wait.deadline - clock.now(), 1))
  }

  const coveredPauseOf = ({ id }: Claim, wait: PendingWait, lastedMs: number): number =>
    count > spreadFrom ? spreadPauseAfter(lastedMs, wait, shareOf(id)) : coveredPauseAfter(lastedMs, wait)

  const summaryFor = (
    { deadline, msg }: PendingWait,
    details: Details | undefined,
    marks: ScheduleMarks,
  ): PendingSummary => ({
    ...summaryOf(details, clock.epochNow() + deadline - clock.now(), marks),
    ...place,
    row: rowIn(msg),
  })

  const finish = async (claim: Claim, wait: PendingWait, ending: Ending, signal: AbortSignal) => {
    const again = claim.deliveryCount
    if (!(await store.markDelivered(claim)) || signal.aborted) return
    known.delete(claim.id)
    end(claim.id, wait, again >= maxDeliveries ? { error: tooOften() } : ending, again > 0)
    await delivered()
    await store.complete(claim)
  }

  const show = async (latest: PollResult) => {
    // Counting what thousands share takes the database a while.
    const enough = shared && count > roughly && clock.now() - countedAt < countMs
    if (!enough) {
      count = await store.count()
      countedAt = clock.now()
    }
    asked(count, latest)
  }
  /** What others have ended would be remembered here for ever. */
  const look = async () => {
    if (count > 0) await show({})
    if (known.size <= count + stale) return
    const before = [...known.keys()].filter((id) => !adding.has(id))
    const there = new Set((await listAll(store)).map(({ id }) => id))
    for (const id of before.filter((one) => !there.has(one))) forget(id)
  }
  const forget = (id: string) => {
    const wait = known.get(id)
    known.delete(id)
    if (wait) dropped(wait)
  }
  const listed = async (subject?: string) => {
    const found = await listAll(store)
    return subject === undefined ? found : found.filter((one) => one.subject === subject)
  }

  return {
    async add(wait, subject) {
      const id = newId()
      const body = storedWait(wait, clock)
      const details = detailsIn(wait.what, wait.resourceId, wait.msg.payload)
      known.set(id, wait)
      adding.add(id)
      try {
        await store.put(id, { body, summary: summaryFor(wait, details, {}), subject, dueMs: 0 })
      } catch (error) {
        known.delete(id)
        throw error
      } finally {
        adding.delete(id)
      }
      // It waits: whatever goes wrong with the words below the node is no error of this message.
      await show({ wait, details }).catch(failed)
    },
    async start() {
      worker ??= startWorker({ store, parallel, work, failed })
      if (shared) looking ??= setInterval(() => void look().catch(failed), reconcileMs).unref()
      count = await store.count().catch((error: unknown) => (failed(error), 0))
      if (count > 0) asked(count, {})
    },
    count: () => count,
    show: () => show({}).catch(failed),
    async flush(wake, subject) {
      const subjects = (await listed(subject)).map((one) => one.subject)
      await inTurns(subjects, wokenAtOnce, wake)
    },
    async recall() {
      await inTurns(await listed(), wokenAtOnce, async (part) => {
        for (const { id } of part) recalled.add(id)
        await store.makeDue(part.map(({ subject }) => subject))
      })
    },
    async reset(subject) {
      for (const { id } of await listed(subject)) {
        if (await store.remove(id)) forget(id)
      }
      await show({})
    },
    async remove(id) {
      if (!(await store.remove(id))) return false
      forget(id)
      await show({})
      return true
    },
    async close(removed) {
      clearInterval(looking)
      await worker?.stop()
      await store.close(removed)
    },
  }
}

/** The time is up and the service could not be asked. */
const unheard: ResourceState = { status: '', answer: { status: 0, headers: {}, data: undefined } }
