/** Reads from a response what people want to know: the title, who must act next, and until when. */
import { isPlainObject } from '../../lib/common/plain-object'
import {
  waitingForOf,
  type ResourceKind,
  type PendingSummary,
  type WaitingFor,
} from '../../lib/runtime/monitor/pending'
import { signerMark } from '../../lib/runtime/monitor/signer-activity'
import { listAt, textAt } from '../../lib/runtime/values/read-text'
import { depositAmount } from '../../lib/runtime/service/deposit-amount'
import { hasSigned, orderOf, turnOf } from '../../lib/runtime/service/signers'
import { hasUnopened } from './resource-state'

export interface Details {
  /** The status at the time of the response. */
  readonly status: string
  readonly title: string
  readonly waitingFor: readonly WaitingFor[]
  /** When the resource expires at the service, in milliseconds since 1970. */
  readonly until?: number
  /** How many signers have signed. */
  readonly signed?: number
  readonly all?: number
}

/** How many people, and how many characters of a title, are stored at most; no one reads more. */
export const maxPeople = 20
const maxTitle = 200

/**
 * Reads the details from a response; undefined if the response contains none. `status` was already read from the
 * response.
 */
export function detailsOf(kind: ResourceKind, data: unknown, status: string): Details | undefined {
  if (!isPlainObject(data)) return undefined
  const { title, waitingFor, ...rest } = readers[kind](data)
  const known = waitingFor.filter(({ name, url = '' }) => name !== '' || url !== '')
  return { status, title: title.slice(0, maxTitle), waitingFor: known.slice(0, maxPeople), ...rest }
}

/** Reads the details from the message, if it comes from the node that created the document. */
export function detailsIn(kind: ResourceKind, id: string, payload: unknown): Details | undefined {
  const status = textAt(payload, 'status.documentStatus')
  const isIt = kind === 'document' && textAt(payload, 'documentId') === id && listAt(payload, 'signers').length > 0
  return isIt && status !== '' ? detailsOf(kind, payload, status) : undefined
}

/**
 * When a wait is polled next, and when it was woken. Times are in milliseconds since the wait arrived, unless stated
 * otherwise.
 */
export interface ScheduleMarks {
  /** The planned time of the next poll. If the wait is due earlier, it was woken. */
  readonly next?: number | undefined
  /** When the wait was last woken without a change at the service. */
  readonly woken?: number | undefined
  /** The latest reminder date that was handled: the reminder was sent, or found impossible. */
  readonly reminded?: string | undefined
  /** When the signers are reminded next, in milliseconds since 1970. */
  readonly nextReminder?: number | undefined
}

/** The data that is stored beside a wait, for lists. */
interface WaitSummary extends PendingSummary, ScheduleMarks, Partial<Omit<Details, 'until'>> {
  /** The document's own time limit. `until` is either this limit or the node's limit, whichever comes first. */
  readonly own?: number | undefined
}

/** Returns the data to store; `limit` is when the node's own time limit ends, in milliseconds since 1970. */
export function summaryOf(details: Details | undefined, limit: number, marks: ScheduleMarks): WaitSummary {
  const until = Math.min(details?.until ?? Infinity, limit)
  return { ...details, ...marks, until: Number.isFinite(until) ? until : undefined, own: details?.until }
}

/** Reads the data that `summaryOf` returned. */
export function readSummary(summary: unknown): {
  readonly details: Details | undefined
  readonly marks: ScheduleMarks
} {
  if (!isPlainObject(summary)) return { details: undefined, marks: {} }
  const { status, title, waitingFor, own, signed, all, next, woken, reminded, nextReminder } = summary
  const marks = {
    next: numberOr(next),
    woken: numberOr(woken),
    nextReminder: numberOr(nextReminder),
    reminded: typeof reminded === 'string' ? reminded : undefined,
  }
  if (typeof status !== 'string') return { details: undefined, marks }
  const details = {
    status,
    title: typeof title === 'string' ? title : '',
    waitingFor: Array.isArray(waitingFor) ? waitingFor.flatMap(waitingForOf) : [],
    ...(typeof own === 'number' && { until: own }),
    ...(typeof signed === 'number' && typeof all === 'number' && { signed, all }),
  }
  return { details, marks }
}

const numberOr = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Whether nothing that matters has changed between two responses. */
export function isSame(one: Details | undefined, other: Details | undefined): boolean {
  const essence = (details: Details | undefined) =>
    details && [details.status, details.signed, details.waitingFor.map(({ name, url }) => [name, url])]
  return JSON.stringify(essence(one)) === JSON.stringify(essence(other))
}

type Read = Omit<Details, 'status'>

const readers: Record<ResourceKind, (data: unknown) => Read> = {
  document(data) {
    const signers = listAt(data, 'signers')
    const open = signers.filter((one) => !hasSigned(one))
    const turn = turnOf(data)
    const last = signers.filter((one) => hasSigned(one) && orderOf(one) < turn).map(signedAt)
    const since = last.sort().at(-1)
    const until = Date.parse(textAt(data, 'advanced.timeToLive.deadline'))
    return {
      title: textAt(data, 'title'),
      waitingFor: open.filter((one) => orderOf(one) === turn).map((one) => person(one, 'signerInfo.', since)),
      ...(!Number.isNaN(until) && { until }),
      ...(signers.length > 0 && { signed: signers.length - open.length, all: signers.length }),
    }
  },
  session: (data) => ({ title: textAt(data, 'externalReference'), waitingFor: [] }),
  share(data) {
    const recipients = listAt(data, 'recipients')
    const ends = recipients.map((one) => Date.parse(textAt(one, 'expires')))
    const until = Math.max(...ends.filter((one) => !Number.isNaN(one)))
    return {
      title: textAt(data, 'information.title') || textAt(data, 'information.name'),
      waitingFor: recipients.filter(hasUnopened).map((one) => person(one, '')),
      ...(Number.isFinite(until) && { until }),
    }
  },
  deposit(data) {
    const tenants = listAt(data, 'tenants').map((one) => person(one, 'info.'))
    const title = textAt(data, 'rentObject.address') || textAt(data, 'externalId') || amountOf(data)
    return { title, waitingFor: tenants }
  },
}

/** The amount of a deposit, by which a person recognizes it more easily than by its id; empty if it is unknown. */
function amountOf(deposit: unknown): string {
  const amount = depositAmount(deposit)
  return amount === undefined || amount <= 0 ? '' : new Intl.NumberFormat('nb').format(amount)
}

/** Returns a person's full name; `prefix` is the path of the name's parts. */
export function fullName(one: unknown, prefix: string): string {
  const names = ['firstName', 'lastName'].map((part) => textAt(one, prefix + part))
  return names.filter((name) => name !== '').join(' ')
}

function person(one: unknown, prefix: string, since?: string): WaitingFor {
  const url = textAt(one, 'url')
  const id = prefix === 'signerInfo.' ? textAt(one, 'id') : ''
  return {
    name: fullName(one, prefix),
    ...(url !== '' && { url }),
    ...(since !== undefined && since !== '' && { since }),
    ...(id !== '' && { mark: signerMark(id) }),
  }
}

const signedAt = (signer: unknown) => textAt(signer, 'documentSignature.signedTime')
