/**
 * Polls the service for the state of a document, session, share or deposit, and whether it has ended (`interface.md`
 * 3).
 */
import type { Answer, CallOptions } from '../../lib/api/call/call'
import { EidError } from '../../lib/api/errors/errors'
import type { OperationName } from '../../lib/api/operations/operations'
import { getSessionState, type SessionVersion } from '../../lib/api/sessions'
import { systemClock } from '../../lib/store/clock'
import { isNotedDeleted } from '../../lib/runtime/monitor/deleted-documents'
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { hasPackages, isPackaged, kindOf, outcomeOf, type WaitOutcome } from './goals'
import type { Goal } from './wait.fields'

export interface ResourceState {
  /** The service's status; shares have none of their own, so theirs are received, expired, deleted and open. */
  readonly status: string
  /** Absent while it is open. */
  readonly outcome?: WaitOutcome
  /** The whole resource; for a document sometimes only its status. */
  readonly answer: Answer
  /** For a document: whether the response is the whole record. */
  readonly fullRecord?: boolean
  /** For a session. */
  readonly version?: SessionVersion
}

export type Ask = (operation: OperationName, options: CallOptions) => Promise<Answer>

/** The resource to poll. */
export interface Resource {
  readonly what: Goal
  readonly resourceId: string
  /** For a session, once it is known. */
  readonly version?: SessionVersion
  /** For a document: request the whole record, not only its status. */
  readonly fullRecord?: boolean
  /** For a document: its status when the whole record was last seen. */
  readonly seen?: string
}

/** Polls once. `sharePaths` is the client's setting. Rejects with an EidError. */
export function askResourceState(ask: Ask, resource: Resource, sharePaths: string): Promise<ResourceState> {
  return readers[kindOf(resource.what)](ask, resource, sharePaths)
}

const readers: Record<ResourceKind, (ask: Ask, resource: Resource, sharePaths: string) => Promise<ResourceState>> = {
  async document(ask, { what, resourceId: id, fullRecord, seen }) {
    const whole = async () => readDocument(what, id, await ask('getDocument', { id }))
    if (fullRecord) {
      const found = await whole()
      if (found.status !== '') return found
    }
    const asked = await ask('getDocumentStatus', { id })
    const status = textAt(asked.data, 'documentStatus')
    const outcome = outcomeOf(what, status)
    if (outcome) return { status, outcome, answer: await ask('getDocument', { id }), fullRecord: true }
    if (what === 'files-ready' && status === 'signed') return whole()
    if (status === seen) return { status, answer: asked }
    // The wait does not need to know whose turn it is. If that can't be read, it continues without.
    const found = await ask('getDocument', { id }).catch(() => undefined)
    return found ? { status, answer: found, fullRecord: true } : { status, answer: asked }
  },
  async session(ask, { what, resourceId, version }) {
    const state = await getSessionState(ask, resourceId, version)
    return { ...state, outcome: outcomeOf(what, state.status) }
  },
  async share(ask, { resourceId }, sharePaths) {
    const answer = await askShare(ask, resourceId, sharePaths)
    return { ...readShare(answer.data), answer }
  },
  async deposit(ask, { what, resourceId: id }) {
    const answer = await ask('getDeposit', { id })
    const status = textAt(answer.data, 'status.depositStatus')
    return { status, outcome: outcomeOf(what, status), answer }
  },
}

function readDocument(what: Goal, id: string, answer: Answer): ResourceState {
  const status = textAt(answer.data, 'status.documentStatus')
  const isSigned = what === 'files-ready' && status === 'signed'
  if (isSigned && areFilesDeleted(id, answer.data, systemClock.epochNow()))
    return { status: 'deleted', outcome: 'ended', answer, fullRecord: true }
  const isReady = isSigned && isPackaged(answer.data)
  return { status, outcome: isReady ? 'done' : outcomeOf(what, status), answer, fullRecord: true }
}

/** The default if the record does not state it. */
const usualHours = 168
const hourMs = 3_600_000

/**
 * Whether the service has deleted the files of a signed document, so that waiting for them is pointless: an event has
 * said so, or the retention time has passed and no file is left. `record` is the whole document; `now` is in
 * milliseconds since 1970.
 */
export function areFilesDeleted(documentId: string, record: unknown, now: number): boolean {
  if (hasPackages(getPath(record, 'status'))) return false
  if (isNotedDeleted(documentId)) return true
  const times = listAt(record, 'signers').map((one) => Date.parse(textAt(one, 'documentSignature.signedTime')))
  const last = Math.max(...times.filter((one) => !Number.isNaN(one)))
  const hours = Number(getPath(record, 'advanced.timeToLive.deleteAfterHours') ?? usualHours)
  return Number.isFinite(last) && now > last + hours * hourMs
}

/** With `auto`, the older path is tried if the newer one does not know the share. */
async function askShare(ask: Ask, id: string, sharePaths: string): Promise<Answer> {
  if (sharePaths === 'share') return ask('getShare', { id })
  try {
    return await ask('getBucket', { id })
  } catch (error) {
    const unknown = error instanceof EidError && [404, 405].includes(error.cause.status ?? 0)
    if (sharePaths === 'buckets' || !unknown) throw error
    return ask('getShare', { id })
  }
}

/** A share is done when every recipient has opened everything, or no longer can. */
function readShare(share: unknown): { status: string; outcome?: WaitOutcome } {
  if (getPath(share, 'deleted') === true) return { status: 'deleted', outcome: 'ended' }
  if (getPath(share, 'done') !== true) return { status: 'open' }
  const missed = listAt(share, 'recipients').some(hasUnopened)
  return missed ? { status: 'expired', outcome: 'expired' } : { status: 'received', outcome: 'done' }
}

/** Whether this recipient of a share has not opened something. */
export function hasUnopened(recipient: unknown): boolean {
  return listAt(recipient, 'content').some((item) => getPath(item, 'opened') === false)
}
