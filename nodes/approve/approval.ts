/** One approval as it is stored: what was shown, the message to send, and who proposed it. */
import { configError, inputError, type ProblemKey } from '../../lib/api/errors/errors'
import { isPlainObject } from '../../lib/common/plain-object'
import { datesAfter, daysIn, type ReminderPlan } from '../../lib/common/reminder-dates'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { deserializeMessage, serializeMessage } from '../../lib/runtime/node-red/serialize-message'
import type { ReadResult } from '../../lib/runtime/values/values'
import { textAt } from '../../lib/runtime/values/read-text'
import type { Clock } from '../../lib/store/clock'
import { comparableProviders, type Approver } from './approvers'
import type { fields } from './approve.fields'
import { approvedPart, digestOf, unkeepable, type Detail } from './digest'
import { keyIdOf } from './links'
import { compare, marksIn, marksOf, personIn, type Marks } from './identity'

export interface Approval {
  readonly what: string
  readonly details: readonly Detail[]
  readonly digest: string
  /** The message as `serializeMessage` returns it. */
  readonly message: unknown
  readonly msgid: string
  readonly proposer: { readonly name: string; readonly marks: Marks } | undefined
  readonly mayApproveOwn: boolean
  readonly required: number
  /** Milliseconds from the arrival to the time limit; absent without one. */
  readonly limitMs?: number | undefined
  readonly remind?: ReminderPlan | undefined
  /** Identifies the key of the marks: with another key, all marks would look like those of other people. */
  readonly keyId: string
  /** The service with which the approvers identify; an approval never asks another one. */
  readonly service: string
}

/** How an approval has ended. Only this is kept afterwards, so that its page can say so. */
export type Outcome = 'approved' | 'rejected' | 'expired' | 'withdrawn'

const outcomes: readonly Outcome[] = ['approved', 'rejected', 'expired', 'withdrawn']

const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const

interface NewApproval {
  readonly msg: FlowMessage
  readonly read: ReadResult<typeof fields>
  readonly approvers: readonly Approver[]
  readonly key: Buffer
  readonly service: string
  readonly clock: Pick<Clock, 'epochNow'>
}

/** The approval that a message asks for. Throws EID_INVALID_INPUT with every problem, or EID_CONFIG. */
export function approvalFor({ msg, read, approvers, key, service, clock }: NewApproval): Approval {
  const { values, problems } = read
  const required = Number(values.required)
  const proposer = proposerIn(values.proposer, key)
  const found = [...problems, ...unkeepable(approvedPart(msg))]
  if (!values.mayApproveOwn) found.push(...proposerProblems(proposer?.marks, approvers, required))
  if (found.length > 0) throw inputError(found)
  const others = values.mayApproveOwn ? approvers : approvers.filter((one) => !isProposer(proposer?.marks, one))
  if (others.length < required) throw configError('tooFewApprovers', { count: others.length, required })
  const { what = '', timeout, timeoutUnit } = values
  const details = values.details?.from === 'form' ? values.details.rows : []
  const shown = details.map(({ label = '', text = '' }) => ({ label, text }))
  const message = approvedPart(msg)
  return {
    what,
    details: shown,
    digest: digestOf(what, shown, message),
    message: serializeMessage(message),
    msgid: typeof msg._msgid === 'string' ? msg._msgid : '',
    proposer,
    mayApproveOwn: values.mayApproveOwn,
    required,
    limitMs: timeout === undefined ? undefined : timeout * unitMs[timeoutUnit],
    remind: planOf(values, clock),
    keyId: keyIdOf(key),
    service,
  }
}

function planOf(
  { remindAfter, remindAt = '08:00', remindDays }: ReadResult<typeof fields>['values'],
  clock: Pick<Clock, 'epochNow'>,
): ReminderPlan | undefined {
  const after = remindAfter === undefined ? undefined : daysIn(remindAfter)
  return after && { dates: datesAfter(new Date(clock.epochNow()), after, remindDays), at: remindAt, days: remindDays }
}

function proposerIn(value: unknown, key: Buffer): Approval['proposer'] {
  if (!isPlainObject(value)) return undefined
  const parts = ['firstName', 'lastName'].map((name) => textAt(value, name)).filter(Boolean)
  return { name: textAt(value, 'fullName') || parts.join(' '), marks: marksOf(key, personIn(value)) }
}

export const isProposer = (proposer: Marks | undefined, { marks }: Approver): boolean =>
  proposer !== undefined && compare(proposer, marks) === 'same'

/** A proposer whose ids can't be compared with those of the approvers is refused: the proposer could be an approver. */
function proposerProblems(proposer: Marks | undefined, approvers: readonly Approver[], required: number): ProblemKey[] {
  if (!proposer || (proposer.byNin === '' && proposer.byProvider === ''))
    return [{ path: 'proposer', key: 'proposerMissing' }]
  const comparable = approvers.filter(
    (one) => isProposer(proposer, one) || comparableProviders(one, [proposer]).length > 0,
  )
  return comparable.length < Math.min(required, approvers.length)
    ? [{ path: 'proposer', key: 'proposerUnclear', params: { provider: proposer.provider } }]
    : []
}

/** Whether an approval is exactly what was shown: false if someone has changed what is stored. */
export function isAsShown({ what, details, digest, message }: Approval): boolean {
  return digestOf(what, details, deserializeMessage(message)) === digest
}

/** Reads a stored approval; undefined for any other value. */
export function approvalIn(value: unknown): Approval | undefined {
  if (!isPlainObject(value) || typeof value.what !== 'string' || typeof value.digest !== 'string') return undefined
  const { details, message, proposer, required, limitMs, service, keyId } = value
  const isProposal = proposer === undefined || (isPlainObject(proposer) && marksIn(proposer.marks) !== undefined)
  const isWhole =
    Array.isArray(details) &&
    isPlainObject(message) &&
    [service, keyId].every((one) => typeof one === 'string') &&
    isProposal
  const isCounted = typeof required === 'number' && required >= 1 && (limitMs === undefined || Number(limitMs) > 0)
  return isWhole && isCounted ? (value as unknown as Approval) : undefined
}

/** Reads how an approval has ended; undefined if it has not. */
export function outcomeIn(value: unknown): Outcome | undefined {
  const outcome = isPlainObject(value) ? value.outcome : undefined
  return outcomes.find((one) => one === outcome)
}
