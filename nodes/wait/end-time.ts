/**
 * When a document, session, share or deposit ended at the service: Node-RED may notice it much later, for example because
 * it was off.
 */
import { eventTime } from '../../lib/runtime/monitor/event-times'
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { signingTimes } from '../../lib/runtime/service/signers'
import { kindOf } from './goals'
import type { Goal } from './wait.fields'
import type { PendingWait } from './stored-wait'
import type { Answer } from '../../lib/api/call/call'

/** The retention time in hours, if the record does not contain it. */
const usualHours = 168
const hourMs = 3_600_000

/** Reads the time from the record or, with the function `told`, from the events about it. */
type ReadTime = (data: unknown, told: (type: string) => number | undefined, what: Goal) => number | undefined

/**
 * In milliseconds since 1970; undefined if neither the record nor an event shows the time. Never after `now`, because
 * the clock of the service may be ahead.
 */
export function endTimeOf(
  RED: HostOwner,
  { what, resourceId }: Pick<PendingWait, 'what' | 'resourceId'>,
  { status, answer: { data } }: { readonly status: string; readonly answer: Answer },
  now: number,
): number | undefined {
  const told = (type: string) => eventTime(RED, type, resourceId)
  const found = times[kindOf(what)][status.toLowerCase().replace('cancelled', 'canceled')]?.(data, told, what)
  return found !== undefined && Number.isFinite(found) ? Math.min(found, now) : undefined
}

const event =
  (type: string): ReadTime =>
  (_data, told) =>
    told(type)

const signed: ReadTime = (data, _told, what) =>
  what === 'first-signature' ? Math.min(...signingTimes(data)) : Math.max(...signingTimes(data))

const audited: ReadTime = (data) => Math.max(...timesAt(listAt(data, 'auditTrail.events'), 'timestamp'))

const times: Readonly<Record<ResourceKind, Readonly<Record<string, ReadTime>>>> = {
  document: {
    signed,
    partialsigned: signed,
    expired: (data) => Date.parse(textAt(data, 'advanced.timeToLive.deadline')),
    canceled: (data, told) => told('document_canceled') ?? Date.parse(textAt(data, 'lastUpdated')),
    deleted: (data, told) => told('document_deleted') ?? deletionTime(data),
  },
  session: {
    success: audited,
    failed: audited,
    user_aborted: audited,
    invalidated: audited,
    timed_out: (data) => Date.parse(textAt(data, 'expires')),
  },
  share: {
    received: (data) => Math.max(...openings(data)),
    expired: (data) => Math.max(...timesAt(listAt(data, 'recipients'), 'expires')),
  },
  deposit: {
    paid_partial: event('deposit_partially_funded'),
    paid: event('deposit_fully_funded'),
    terminated: event('deposit_terminated'),
  },
}

/** When the service deletes the files of a signed document, as its record shows it; -Infinity without signatures. */
export function deletionTime(record: unknown): number {
  const hours = Number(getPath(record, 'advanced.timeToLive.deleteAfterHours') ?? usualHours)
  return Math.max(...signingTimes(record)) + hours * hourMs
}

const openings = (share: unknown) =>
  listAt(share, 'recipients').flatMap((one) => timesAt(listAt(one, 'content'), 'openedDate'))

function timesAt(items: readonly unknown[], path: string): number[] {
  return items.map((one) => Date.parse(textAt(one, path))).filter((one) => !Number.isNaN(one))
}
