/** Polls the service for all waits of one node, and ends each wait once. */
import type { EidError } from '../../lib/api/errors/errors'
import type { Clock } from '../../lib/store/clock'
import { delivered } from '../../lib/runtime/node-red/next-turn'
import { tooOften } from '../../lib/runtime/node-red/errors'
import { createDeliverOnce } from '../../lib/store/deliver-once'
import { isDeliveredTooOften, type Claim, type Store } from '../../lib/store/store'
import { startWorker, type Worker } from '../../lib/store/worker'
import { detailsOf, readSummary, type Details } from './details'
import { kindOf } from './goals'
import { notAskedFor, reasonAgainst } from './expected-person'
import type { ListMember } from './list/list-member'
import type { Reminders } from './reminders'
import type { ResourceState } from './resource-state'
import { planNext, wasWoken } from './schedule'
import type { PendingWait } from './stored-wait'
import { mayPass } from './transient'
import type { Waits } from './waits'

/** How a wait ended: with the service's response, or with an error that makes further waiting pointless. */
export type Ending = { readonly state: ResourceState; readonly late: boolean } | { readonly error: unknown }

/** The facts that are known before the service is polled. */
export interface PollContext {
  readonly details: Details | undefined
  /** Whether the whole record is needed, and not only the status. */
  readonly fullRecord: boolean
  /** Whether the service has already responded about the resource. */
  readonly hasBeenAnswered: boolean
}

export interface PollerOptions {
  readonly store: Store
  /** Whether several Node-REDs share the store. */
  readonly shared?: boolean
  readonly waits: Pick<Waits, 'read' | 'summaryFor' | 'ended' | 'show' | 'holdBack' | 'takeWithdrawn'>
  readonly clock: Clock
  /** The connection to the list; absent if no list reports what the node waits for. */
  readonly list?: ListMember | undefined
  /** Returns a random number from 0 to 1. */
  readonly random?: () => number
  /**
   * Returns the subject under which a wait is stored: it names the client, and a person may have replaced the client
   * since the wait began.
   */
  subjectOf?(wait: PendingWait): string
  /** Polls the service; resolves with `elsewhere` if the resource is at another service. Rejects with an EidError. */
  ask(wait: PendingWait, context: PollContext, signal: AbortSignal): Promise<ResourceState | 'elsewhere'>
  /**
   * Ends a wait. Called once per wait, and again only after a crash; the message may then already have been in the
   * flow.
   */
  end(id: string, wait: PendingWait, ending: Ending, redelivered: boolean): void
  /** Reminds the signers who have not signed, if a reminder is due. Never rejects. */
  remind?: Reminders['work']
  /** Stores how a wait ended, before the message continues. Never rejects. */
  note?(claim: Claim, wait: PendingWait, ending: Ending, details: Details | undefined): Promise<void>
  /** Called for errors that should never happen. */
  failed(error: unknown): void
}

export interface Poller {
  /** Starts polling, including waits left by an earlier run. */
  start(): void
  /** Stops within a second. */
  stop(): Promise<void>
}

/** Number of waits polled at once: enough to be fast, and few enough to leave calls of the client for other nodes. */
const parallel = 8
/**
 * Number of waits polled at once if several Node-REDs share the store. It is higher, because the store combines more
 * claims in one statement of the database.
 */
const parallelWhenShared = 32
/** Milliseconds before the poller checks whether the client has been switched back to the wait's service. */
const heldBackMs = 30_000
/** From this age on, a wait has been polled before, because a new wait is polled at once. */
const answeredMs = 60_000
/** How long unreadable items are stored, so that a person can look at them. */
const keepUnreadableMs = 30 * 86_400_000

interface Pause {
  readonly pause: true
  readonly isElsewhere?: boolean
  readonly details?: Details | undefined
  readonly trouble?: EidError | undefined
}

export function createPoller(options: PollerOptions): Poller {
  const { store, shared = false, waits, clock, list, end, failed, random = Math.random } = options
  const once = createDeliverOnce(store, delivered)
  let worker: Worker | undefined

  const work = async (claimed: Claim, signal: AbortSignal) => {
    const start = clock.now()
    if (await once.completeDelivered(claimed)) return
    if (waits.takeWithdrawn(claimed.id)) return void (await store.complete(claimed))
    const wait = waits.read(claimed)
    if (!wait) return void (await store.complete(claimed, { body: claimed.body, keepMs: keepUnreadableMs }))
    const subject = options.subjectOf?.(wait) ?? claimed.subject
    const claim = { ...claimed, subject }
    const { details, marks } = readSummary(claim.summary)
    const isWoken = !list?.takeUncovered(claim.id) && wasWoken(marks, claim.ageMs)
    // A list shows signatures, but not whether the files are ready.
    const isListed = !isPackaging(wait, details) && (list?.takeKnown(wait.resourceId, details) ?? false)
    const isKnown = isWoken && isListed
    const context = contextOf(claim, details, isWoken || marks.woken !== undefined)
    const answer: Pause | Ending = isKnown ? { pause: true } : await question(options, wait, context, signal)
    // The answer is not used if the flow has ended or another Node-RED has taken over.
    if (signal.aborted) return
    if (!('pause' in answer)) {
      await finish(claim, wait, answer, details, signal)
      return waits.show()
    }
    if (answer.isElsewhere) return holdBack(claim, wait)
    const { reminded, next: nextReminder } = (await options.remind?.(wait, marks.reminded, signal)) ?? {}
    if (signal.aborted) return
    const latest = answer.details ?? details
    const packaging = isPackaging(wait, latest)
    const next = planNext(
      marks,
      details,
      { details: answer.details, isWoken, isKnown, isNear: packaging },
      {
        pauseMs: wait.pauseMs,
        maxPauseMs: wait.maxPauseMs,
        claimedMs: claim.ageMs,
        lastedMs: claim.ageMs + clock.now() - start,
        leftMs: Math.min(wait.deadline - clock.now(), (nextReminder ?? Infinity) - clock.epochNow()),
        isCovered: !packaging && (list?.isCovering() ?? false),
        isSandbox: wait.service === 'sandbox',
        random: random(),
      },
    )
    await store.reschedule(claim, next.pauseMs, {
      subject,
      summary: waits.summaryFor(wait, latest, { ...next.marks, reminded, nextReminder }),
    })
    await waits.show({ wait, details: latest, trouble: answer.trouble, pauseMs: next.pauseMs })
  }

  /** Pauses a wait together with its time limit, because the state at the service is unknown. */
  const holdBack = async (claim: Claim, wait: PendingWait) => {
    waits.holdBack(claim.id, wait)
    const { details, marks } = readSummary(claim.summary)
    const next = { ...marks, next: claim.ageMs + heldBackMs, nextReminder: undefined }
    const summary = { ...waits.summaryFor(wait, details, next), service: wait.service, until: undefined }
    await store.reschedule(claim, heldBackMs, { subject: claim.subject, summary })
    await waits.show()
  }

  const finish = async (
    claim: Claim,
    wait: PendingWait,
    found: Ending,
    details: Details | undefined,
    signal: AbortSignal,
  ) => {
    const again = claim.deliveryCount
    const ending = isDeliveredTooOften(again) ? { error: tooOften() } : found
    await options.note?.(claim, wait, ending, details)
    await once.deliver(claim, signal, () => {
      waits.ended(claim.id)
      end(claim.id, wait, ending, again > 0)
    })
  }

  return {
    start: () =>
      void (worker ??= startWorker({ store, parallel: shared ? parallelWhenShared : parallel, work, failed })),
    stop: async () => worker?.stop(),
  }
}

function contextOf({ ageMs }: Claim, details: Details | undefined, wasWoken: boolean): PollContext {
  // If a wait is this old, the service has responded to an earlier poll: an error at the first poll would have ended
  // the wait.
  const hasBeenAnswered = details !== undefined || ageMs > answeredMs
  // When several people sign one after another, the status may not change, so the whole record is needed.
  const fullRecord = wasWoken || details?.status === 'partialsigned'
  return { details, fullRecord, hasBeenAnswered }
}

/** Polls once. Never rejects. */
async function question(
  { ask, clock }: Pick<PollerOptions, 'ask' | 'clock'>,
  wait: PendingWait,
  context: PollContext,
  signal: AbortSignal,
): Promise<Ending | Pause> {
  try {
    const found = await ask(wait, context, signal)
    if (found === 'elsewhere') return { pause: true, isElsewhere: true }
    if (found.version) wait.version = found.version
    const refused = wait.expected && notAskedFor(wait.expected, found.answer.data)
    if (refused) return { error: refused }
    const state = withReason(wait, found)
    const late = !state.outcome && clock.now() >= wait.deadline
    if (state.outcome || late) return { state, late }
    const tells = state.fullRecord || kindOf(wait.what) !== 'document'
    return { pause: true, details: tells ? detailsOf(kindOf(wait.what), state.answer.data, state.status) : undefined }
  } catch (error) {
    if (!mayPass(error, context.hasBeenAnswered)) return { error }
    return clock.now() < wait.deadline ? { pause: true, trouble: error } : { state: noAnswer, late: true }
  }
}

/** The state of a session in which another person has identified: the wait then ends in another way than success. */
function withReason({ expected }: PendingWait, state: ResourceState): ResourceState {
  const reason = expected && state.outcome === 'done' ? reasonAgainst(expected, state.answer.data) : undefined
  return reason ? { ...state, outcome: 'ended', reason } : state
}

/** Whether all signers have signed and the files are being created, which takes seconds. */
const isPackaging = ({ what }: PendingWait, details: Details | undefined) =>
  what === 'files-ready' && details?.status === 'signed'

/** The state if the time is up and the service could not be polled. */
const noAnswer: ResourceState = { status: '', answer: { status: 0, headers: {}, data: undefined } }
