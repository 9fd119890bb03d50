/** Follows the approvals of one node: sends the notices, counts the answers, and ends each approval once. */
import { nodeError } from '../../lib/api/errors/errors'
import { nextReminder } from '../../lib/common/reminder-dates'
import { isPlainObject } from '../../lib/common/plain-object'
import { tooOften } from '../../lib/runtime/node-red/errors'
import { delivered } from '../../lib/runtime/node-red/next-turn'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { deserializeMessage } from '../../lib/runtime/node-red/serialize-message'
import type { Clock } from '../../lib/store/clock'
import { createDeliverOnce } from '../../lib/store/deliver-once'
import { isDeliveredTooOften, type Changes, type Claim, type Store } from '../../lib/store/store'
import { startWorker, type Worker } from '../../lib/store/worker'
import { approvalIn, isAsShown, type Approval, type Outcome } from './approval'
import type { Approver } from './approvers'
import type { EndedLog } from './ended-log'
import { barred, graceMs, mayAsk } from './desk'
import { keyIdOf, type Link } from './links'
import type { Sessions } from './sessions'
import { tally, type Tally, type Vote } from './votes'

export interface WorkOptions {
  readonly store: Store
  readonly notes: Pick<Store, 'add'>
  readonly sessions: Pick<Sessions, 'isOpen'>
  readonly key: Buffer
  readonly clock: Pick<Clock, 'epochNow'>
  addressOf(link: Link): string
  votes(approval: string): Promise<Vote[]>
  approvers(): Approver[]
  service(): Promise<{ readonly service: string }>
  /** Sends the approvers of an approval their addresses; `reminder` is 0 for the first time. */
  notify(id: string, approval: Approval, approvers: readonly Approver[], reminder: number): void
  /** Sends the message to the output of this outcome. Called once, after a crash also for a message that was sent. */
  end(id: string, outcome: Outcome, msg: FlowMessage): void
  /** Who has withdrawn the approval, empty without a login; undefined if it has not been withdrawn. */
  withdrawnBy(id: string): Promise<string | undefined>
  readonly ended: Pick<EndedLog, 'note'>
  /** Ends the message without an output, as this person wished. */
  drop(id: string, by: string): void
  /** Ends the message with an error. */
  fail(id: string, error: unknown, msg: FlowMessage): void
  /** Called after every change. */
  changed(): void
  unreadable(): void
  failed(error: unknown): void
}

/** What is stored beside an approval. */
interface Progress {
  readonly title: string
  /** Who may answer, each with the address of the page. */
  readonly waitingFor?: readonly { readonly name: string; readonly url: string }[]
  readonly nextReminder?: number | undefined
  /** When the time limit is reached, in milliseconds since 1970. */
  readonly until?: number | undefined
  readonly isNotified?: boolean
  readonly reminded?: string | undefined
}

/** An approval is looked at this often even if no one has made it due, as a kill could have prevented that. */
const lookMs = 5 * 60_000
/** The pause while the client uses another service, or a setting is wrong. */
const pausedMs = 30_000
/** How long it is kept how an approval has ended, and what cannot be read. */
const keepMs = 30 * 86_400_000
const parallel = 8

export function createWork(options: WorkOptions): { start(): void; stop(): Promise<void> } {
  const { store, sessions, key } = options
  const once = createDeliverOnce(store, delivered)
  let worker: Worker | undefined

  const work = async (claim: Claim, signal: AbortSignal) => {
    if (await once.completeDelivered(claim)) return
    const approval = approvalIn(claim.body)
    if (!approval) {
      options.unreadable()
      return void (await store.complete(claim, { keepMs }))
    }
    // What may have left before a crash can't be withdrawn any more.
    const by = claim.deliveryCount === 0 ? await options.withdrawnBy(claim.id) : undefined
    if (by !== undefined) return withdraw(claim, approval, by)
    const approvers = await approversFor(approval)
    if (!approvers) return void (await store.reschedule(claim, pausedMs))
    const all = await options.votes(claim.id)
    const found = tally(all, { approvers, required: approval.required, proposer: barred(approval) })
    const leftMs = await timeLeft(claim, approval)
    if (signal.aborted) return
    const outcome = found.isApproved ? 'approved' : found.rejected ? 'rejected' : leftMs <= 0 ? 'expired' : undefined
    if (outcome) {
      await finish(claim, approval, outcome, found, signal)
      return options.changed()
    }
    const { progress, nextMs } = await notifyDue(options, claim, approval, { approvers, votes: all })
    await store.reschedule(claim, Math.max(1, Math.min(lookMs, leftMs, nextMs)), { summary: progress })
    options.changed()
  }
  const withdraw = async (claim: Claim, approval: Approval, by: string) => {
    await options.ended.note(claim, approval, { outcome: 'withdrawn', approved: [], reason: by })
    const summary = { title: approval.what, outcome: 'withdrawn' }
    if (await store.complete(claim, { body: { outcome: 'withdrawn' }, summary, keepMs })) options.drop(claim.id, by)
    options.changed()
  }
  /** Undefined if the approval can't continue now. */
  const approversFor = async ({ service, keyId }: Approval): Promise<Approver[] | undefined> => {
    try {
      if ((await options.service()).service !== service || keyId !== keyIdOf(key)) return undefined
      return options.approvers()
    } catch {
      return undefined // The wrong setting was reported when the flow started.
    }
  }
  const timeLeft = async ({ id, ageMs }: Claim, { limitMs = Infinity }: Approval) => {
    if (ageMs < limitMs) return limitMs - ageMs
    return (await sessions.isOpen(id)) ? limitMs + graceMs - ageMs : 0
  }
  const finish = async (claim: Claim, approval: Approval, outcome: Outcome, found: Tally, signal: AbortSignal) => {
    const again = claim.deliveryCount
    const msg: FlowMessage = { ...deserializeMessage(approval.message), approval: resultOf(approval, found) }
    if (approval.msgid !== '') msg._msgid = approval.msgid
    const error = errorOf(approval, outcome, again)
    await options.ended.note(claim, approval, endingOf(outcome, found, error !== undefined))
    const remain: Changes = { body: { outcome }, summary: { title: approval.what, outcome }, keepMs }
    const send = () => {
      if (error) return options.fail(claim.id, error, msg)
      options.end(claim.id, outcome, again > 0 ? { ...msg, redelivered: true } : msg)
    }
    await once.deliver(claim, signal, send, (sent) => store.complete(sent, remain))
  }
  return {
    start: () => void (worker ??= startWorker({ store, parallel, work, failed: options.failed })),
    stop: async () => worker?.stop(),
  }
}

/** Sends the notices that are due; returns what is stored beside the approval, and when the next reminder is due. */
async function notifyDue(
  options: WorkOptions,
  claim: Claim,
  approval: Approval,
  { approvers, votes }: { readonly approvers: readonly Approver[]; readonly votes: readonly Vote[] },
): Promise<{ progress: Progress; nextMs: number }> {
  const { clock } = options
  const before = progressIn(claim.summary)
  const asked = approvers.filter((one) => mayAsk(approval, one) && !votes.some(({ row }) => row === one.id))
  if (before.isNotified !== true) options.notify(claim.id, approval, asked, 0)
  const { due, next } = approval.remind ? nextReminder(approval.remind, before.reminded, clock.epochNow()) : {}
  // The note is stored first, so that no one is reminded twice of one date.
  if (due !== undefined && (await options.notes.add(`reminder/${claim.id}/${due}`, { keepMs: 2 * 365 * 86_400_000 })))
    options.notify(claim.id, approval, asked, 1 + (approval.remind?.dates.indexOf(due) ?? 0))
  const { limitMs } = approval
  const until = limitMs === undefined ? undefined : clock.epochNow() + limitMs - claim.ageMs
  const progress: Progress = {
    title: approval.what,
    waitingFor: asked.map((one) => ({ name: one.name, url: options.addressOf({ approval: claim.id, row: one.id }) })),
    until,
    nextReminder: next,
    isNotified: true,
    reminded: due ?? before.reminded,
  }
  return { progress, nextMs: next === undefined ? Infinity : next - clock.epochNow() }
}

/** Why the message of an approval must not be sent; undefined if it may. */
function errorOf(approval: Approval, outcome: Outcome, again: number): unknown {
  const params = { what: approval.what }
  if (isDeliveredTooOften(again)) return tooOften()
  // A message that may have left just before a crash is not sent a second time: it may pay out money.
  if (outcome === 'approved' && again > 0)
    return nodeError('EID_FAILED', 'errors.mayHaveGoneOn', params, { outcome: 'unknown' })
  if (!isAsShown(approval)) return nodeError('EID_FAILED', 'errors.notAsShown', params)
  return undefined
}

/** The end in the words of the lists that show it. */
function endingOf(outcome: Outcome, { approved, rejected }: Tally, isError: boolean): Parameters<EndedLog['note']>[2] {
  return {
    outcome: isError ? 'failed' : outcome === 'expired' ? 'timedOut' : outcome,
    approved: approved.map(({ name }) => name),
    reason: rejected && [rejected.name, rejected.reason].filter(Boolean).join(': '),
  }
}

/** What the message says about the approval. */
function resultOf({ what, details, digest }: Approval, { approved, rejected }: Tally): object {
  const by = approved.map(({ name, at, provider, sessionId }) => ({ name, at, provider, sessionId }))
  const rejection = rejected && { name: rejected.name, at: rejected.at, reason: rejected.reason }
  return { what, details, digest, by, ...(rejection && { rejected: rejection }) }
}

function progressIn(summary: unknown): Partial<Progress> {
  if (!isPlainObject(summary)) return {}
  const { isNotified, reminded } = summary
  return { isNotified: isNotified === true, reminded: typeof reminded === 'string' ? reminded : undefined }
}
