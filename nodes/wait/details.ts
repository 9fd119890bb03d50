/** Reads the title, whose turn it is and until when from a response, for people. */
import { isPlainObject } from '../../lib/common/plain-object'
import {
  waitingForOf,
  type ResourceKind,
  type PendingSummary,
  type WaitingFor,
} from '../../lib/runtime/monitor/pending'
import { signerMark } from '../../lib/runtime/monitor/signer-activity'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { hasSigned } from '../../lib/runtime/service/signers'
import { hasUnopened } from './resource-state'

export interface Details {
  /** The status that it had then. */
  readonly status: string
  readonly title: string
  readonly waitingFor: readonly WaitingFor[]
  /** Milliseconds since 1970. */
  readonly until?: number
  /** How many of all have signed. */
  readonly signed?: number
  readonly all?: number
}

/** More people than anyone reads, and longer titles, are not kept. */
export const maxPeople = 20
const maxTitle = 200

/** Undefined when the answer has none of it. `status` is the one that was read from it already. */
export function detailsOf(kind: ResourceKind, data: unknown, status: string): Details | undefined {
  if (!isPlainObject(data)) return undefined
  const { title, waitingFor, ...rest } = readers[kind](data)
  const known = waitingFor.filter(({ name, url = '' }) => name !== '' || url !== '')
  return { status, title: title.slice(0, maxTitle), waitingFor: known.slice(0, maxPeople), ...rest }
}

/** What a message from the node that created the document already says about it. */
export function detailsIn(kind: ResourceKind, id: string, payload: unknown): Details | undefined {
  const status = textAt(payload, 'status.documentStatus')
  const isIt = kind === 'document' && textAt(payload, 'documentId') === id && listAt(payload, 'signers').length > 0
  return isIt && status !== '' ? detailsOf(kind, payload, status) : undefined
}

/** When a wait is to be asked for, and what woke it; milliseconds since it came in. */
export interface ScheduleMarks {
  /** Earlier than this, an event has woken it. */
  readonly next?: number | undefined
  /** When it was woken last without having changed. */
  readonly woken?: number | undefined
  /** The latest date of which those who have not signed have been reminded, or could not be. */
  readonly reminded?: string | undefined
  /** When they are reminded next; milliseconds since 1970. */
  readonly nextReminder?: number | undefined
}

/** What is kept beside the wait. */
interface WaitSummary extends PendingSummary, ScheduleMarks, Partial<Omit<Details, 'until'>> {
  /** The limit of the thing itself, while `until` is the first of both. */
  readonly own?: number | undefined
}

/** `limit` is the node's own, in milliseconds since 1970. */
export function summaryOf(details: Details | undefined, limit: number, marks: ScheduleMarks): WaitSummary {
  const until = Math.min(details?.until ?? Infinity, limit)
  return { ...details, ...marks, until: Number.isFinite(until) ? until : undefined, own: details?.until }
}

/** The same again. */
export function readSummary(summary: unknown): {
  readonly details: Details | undefined
  readonly marks: ScheduleMarks
} {
  if (!isPlainObject(summary)) return { details: undefined, marks: {} }
  const { status, title, waitingFor, own, signed, all, next, woken, reminded, nextReminder } = summary
  const marks = {
    ...{ next: numberOr(next), woken: numberOr(woken), nextReminder: numberOr(nextReminder) },
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

/** Whether nothing has happened between the two. */
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
    const turn = Math.min(...open.map(orderOf))
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
    return { title: textAt(data, 'rentObject.address') || textAt(data, 'externalId'), waitingFor: tenants }
  },
}

/** `prefix` is the path to the parts of the name. */
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

/** Signers of the same order may sign at the same time; without one they all do. */
function orderOf(signer: unknown): number {
  const order = getPath(signer, 'order')
  return typeof order === 'number' ? order : 0
}

const signedAt = (signer: unknown) => textAt(signer, 'documentSignature.signedTime')
