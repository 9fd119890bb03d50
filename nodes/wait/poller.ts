/** Asks for all the messages that wait in one node from time to time, and ends each one once. */
import { randomBytes } from 'node:crypto'
import { EidError, nodeError } from '../../lib/api/errors'
import type { Clock } from '../../lib/runtime/clock'
import type { PendingSummary } from '../../lib/runtime/pending'
import { listAll } from '../../lib/store/list-all'
import { maxHandOuts, type Claim, type Store } from '../../lib/store/store'
import { startWorker, type Worker } from '../../lib/store/worker'
import type { ResourceState } from './resource-state'
import { detailsIn, detailsOf, summaryOf } from './details'
import { readWait, storedWait, type PendingWait } from './stored-wait'

/** How a wait ended: with what the service says, or with the error that makes waiting pointless. */
export type Ending = { readonly state: ResourceState; readonly late: boolean } | { readonly error: unknown }

/** What the latest question brought: the state of what has not ended, or why the service could not be asked. */
export interface Asked {
  readonly wait?: PendingWait
  readonly state?: ResourceState
  readonly trouble?: EidError
}

export interface PollerOptions {
  readonly store: Store
  /** Other Node-REDs end some of the waits. */
  readonly shared?: boolean
  /** What others are to know of where it waits; only where others read it. */
  readonly place?: Pick<PendingSummary, 'node' | 'replica'>
  readonly clock: Clock
  /** Asks the service; rejects with an EidError. */
  ask(wait: PendingWait, signal: AbortSignal): Promise<ResourceState>
  /** Called once per wait, and again only after a crash: then the message may have been in the flow before. */
  end(id: string, wait: PendingWait, ending: Ending, redelivered: boolean): void
  /** Called for a wait that is taken back, or has ended in another Node-RED: its message goes no further here. */
  dropped(id: string): void
  /** After every question: how many waits there are, and what it brought. */
  asked(count: number, asked: Asked): void
  /** Told of a stored message that cannot be read; it stays where it is. */
  unreadable(): void
  /** Told of what should never happen. */
  failed(error: unknown): void
}

export interface Poller {
  /**
   * `accepted` gets the id before anything is asked. Rejects with EID_INVALID_INPUT when the message cannot be stored.
   */
  add(wait: PendingWait, subject: string, accepted: (id: string) => void): Promise<void>
  /** Begins to ask, also for what an earlier run has left. */
  start(): Promise<void>
  /** Asks now for every wait, or for those of this subject. */
  flush(subject?: string): Promise<void>
  /** Shows anew how many there are, after something else was shown. */
  show(): Promise<void>
  /** Takes back every wait, or those of this subject. */
  reset(subject?: string): Promise<void>
  /** Takes back the wait of this id; false when it is not here. */
  remove(id: string): Promise<boolean>
  /** Stops within a second; `removed` empties the store as well. */
  close(removed: boolean): Promise<void>
}

/** Questions on their way at once: enough to be quick, few enough to leave the client's other calls their turn. */
const parallel = 8
/** Of the time that a wait has lasted: the pauses grow by half each time. */
const growth = 0.5
/** How long what cannot be read stays where it is, so that somebody may look at it. */
const keepUnreadableMs = 30 * 86_400_000

/**
 * With others who end waits: milliseconds between two looks at how many are left, and how many may be forgotten late.
 */
const lookMs = 10_000
const stale = 100

/** These may be over by the next question; any other error stays what it is. */
const passing: readonly string[] = ['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE', 'EID_RATE_LIMITED', 'EID_CONFIG']

export function createPoller(options: PollerOptions): Poller {
  const { store, shared = false, place, clock, ask, end, dropped, asked, unreadable, failed } = options
  /** Those that this process has seen: their limits follow a clock that never jumps. */
  const known = new Map<string, PendingWait>()
  /** Those that are being written down. */
  const adding = new Set<string>()
  let worker: Worker | undefined
  let looking: NodeJS.Timeout | undefined
  let count = 0

  const work = async (claim: Claim, signal: AbortSignal) => {
    const claimed = clock.now()
    const wait = known.get(claim.id) ?? readWait(claim, clock)
    if (!wait) {
      unreadable()
      return void (await store.finish(claim, { body: claim.body, keepMs: keepUnreadableMs }))
    }
    known.set(claim.id, wait)
    const answer = await question(wait, signal)
    // The flow has ended, or another Node-RED has taken over.
    if (signal.aborted) return
    const summary = summaryFor(wait)
    if ('pause' in answer) await store.later(claim, pauseOf(claim.ageMs + clock.now() - claimed, wait), { summary })
    else await finish(claim, wait, answer, signal)
    await show('pause' in answer ? { wait, ...answer } : {})
  }

  /** Asks once. Never rejects. */
  const question = async (
    wait: PendingWait,
    signal: AbortSignal,
  ): Promise<Ending | ({ readonly pause: true } & Asked)> => {
    try {
      const state = await ask(wait, signal)
      if (state.version) wait.version = state.version
      if (state.whole || wait.what !== 'document') {
        wait.details = detailsOf(wait.what, state.answer.data, state.status) ?? wait.details
      }
      const late = !state.outcome && clock.now() >= wait.deadline
      return state.outcome || late ? { state, late } : { pause: true, state }
    } catch (error) {
      const trouble = error instanceof EidError && passing.includes(error.code) ? error : undefined
      if (!trouble) return { error }
      return clock.now() < wait.deadline ? { pause: true, trouble } : { state: unheard, late: true }
    }
  }

  const summaryFor = ({ details, deadline }: PendingWait): PendingSummary => ({
    ...summaryOf(details, clock.wall() + deadline - clock.now()),
    ...place,
  })

  const pauseOf = (lastedMs: number, { pauseMs, maxPauseMs, deadline }: PendingWait): number => {
    const pause = Math.min(pauseMs + growth * lastedMs, maxPauseMs)
    // The last question is asked when the time is up: what the service says decides, not the clock here.
    return Math.min(pause, Math.max(deadline - clock.now(), 1))
  }

  const finish = async (claim: Claim, wait: PendingWait, ending: Ending, signal: AbortSignal) => {
    const again = claim.handedOut
    if (!(await store.handOut(claim)) || signal.aborted) return
    known.delete(claim.id)
    end(claim.id, wait, again >= maxHandOuts ? { error: tooOften() } : ending, again > 0)
    await store.finish(claim)
  }

  const show = async (latest: Asked) => {
    count = await store.count()
    asked(count, latest)
  }
  /** What others have ended would be remembered here for ever. */
  const look = async () => {
    if (count > 0) await show({})
    if (known.size <= count + stale) return
    const before = [...known.keys()].filter((id) => !adding.has(id))
    const there = new Set((await idsOf()).map(([id]) => id))
    for (const id of before.filter((one) => !there.has(one))) forget(id)
  }
  const forget = (id: string) => {
    known.delete(id)
    dropped(id)
  }

  const idsOf = async (subject?: string): Promise<[id: string, subject: string][]> => {
    const found = (await listAll(store)).map((one): [string, string] => [one.id, one.subject])
    return subject === undefined ? found : found.filter(([, about]) => about === subject)
  }

  return {
    async add(wait, subject, accepted) {
      const id = `w${randomBytes(12).toString('hex')}`
      const body = storedWait(wait, clock)
      wait.details = detailsIn(wait.what, wait.resourceId, wait.msg.payload)
      known.set(id, wait)
      adding.add(id)
      accepted(id)
      try {
        await store.put(id, { body, summary: summaryFor(wait), subject, dueMs: 0 })
      } catch (error) {
        known.delete(id)
        throw error
      } finally {
        adding.delete(id)
      }
      // It waits: whatever goes wrong with the words below the node is no error of this message.
      await show({ wait }).catch(failed)
    },
    async start() {
      worker ??= startWorker({ store, parallel, work, failed })
      if (shared) looking ??= setInterval(() => void look().catch(failed), lookMs).unref()
      count = await store.count().catch((error: unknown) => (failed(error), 0))
      if (count > 0) asked(count, {})
    },
    show: () => show({}).catch(failed),
    flush: async (subject) => store.wake((await idsOf(subject)).map(([, about]) => about)),
    async reset(subject) {
      for (const [id] of await idsOf(subject)) {
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

/** A message that ended the process each time it was sent on. */
const tooOften = () => nodeError('EID_FAILED', 'errors.handedOut', { count: maxHandOuts }, { outcome: 'unknown' })
