/**
 * Polls the service for the state of a document, session, share or deposit, and determines whether it has ended
 * (`interface.md` 3).
 */
import type { Answer, CallOptions } from '../../lib/api/call/call'
import { EidError } from '../../lib/api/errors/errors'
import type { OperationName } from '../../lib/api/operations/operations'
import { getSessionState, type SessionVersion } from '../../lib/api/sessions'
import { isPlainObject } from '../../lib/common/plain-object'
import { systemClock } from '../../lib/store/clock'
import { eventTime } from '../../lib/runtime/monitor/event-times'
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import type { PersonReason } from './expected-person'
import { deletionTime } from './end-time'
import { hasPackages, isPackaged, kindOf, outcomeOf, type WaitOutcome } from './goals'
import type { Goal } from './wait.fields'

export interface ResourceState {
  /**
   * The service's status. Shares have no status at the service; for them, it is `received`, `expired`, `deleted` or
   * `open`.
   */
  readonly status: string
  /** How the wait ends; absent while the resource is open. */
  readonly outcome?: WaitOutcome
  /** The response with the whole resource; for a document, sometimes only with its status. */
  readonly answer: Answer
  /** For a document: whether the response is the whole record. */
  readonly fullRecord?: boolean
  /** For a session: the version of the API by which it was found. */
  readonly version?: SessionVersion
  /** For a session: why the person who has identified is not the expected one. */
  readonly reason?: PersonReason
}

type Ask = (operation: OperationName, options: CallOptions) => Promise<Answer>

/** The resource to poll. */
interface Resource {
  readonly what: Goal
  readonly resourceId: string
  /** For a session: the version of its API, once it is known. */
  readonly version?: SessionVersion
  /** For a document: whether to request the whole record, and not only the status. */
  readonly fullRecord?: boolean
  /** For a document: the status at the time when the whole record was last read. */
  readonly seen?: string
}

/** Polls the service once. `sharePaths` is a setting of the client. Rejects with an EidError. */
export function askResourceState(
  RED: HostOwner,
  ask: Ask,
  resource: Resource,
  sharePaths: string,
): Promise<ResourceState> {
  return readers[kindOf(resource.what)](RED, ask, resource, sharePaths)
}

const readers: Record<
  ResourceKind,
  (RED: HostOwner, ask: Ask, resource: Resource, sharePaths: string) => Promise<ResourceState>
> = {
  async document(RED, ask, { what, resourceId: id, fullRecord, seen }) {
    const whole = async () => readDocument(RED, what, id, await ask('getDocument', { id }))
    if (fullRecord) {
      const found = await whole()
      if (found.status !== '') return found
    }
    const asked = await ask('getDocumentStatus', { id })
    const status = textAt(asked.data, 'documentStatus')
    const outcome = outcomeOf(what, status)
    if (outcome) return { status, outcome, answer: await readEnded(RED, ask, id, status), fullRecord: true }
    if (what === 'files-ready' && status === 'signed') return whole()
    if (status === seen) return { status, answer: asked }
    // The whole record only shows who must sign next, which the wait does not need. If it can't be read, the wait
    // continues without it.
    const found = await ask('getDocument', { id }).catch(() => undefined)
    return found ? { status, answer: found, fullRecord: true } : { status, answer: asked }
  },
  async session(_RED, ask, { what, resourceId, version }) {
    const state = await getSessionState(ask, resourceId, version)
    return { ...state, outcome: outcomeOf(what, state.status) }
  },
  async share(_RED, ask, { resourceId }, sharePaths) {
    const answer = await askShare(ask, resourceId, sharePaths)
    return { ...readShare(answer.data), answer }
  },
  async deposit(_RED, ask, { what, resourceId: id }) {
    const answer = await ask('getDeposit', { id })
    const status = textAt(answer.data, 'status.depositStatus')
    return { status, outcome: outcomeOf(what, status), answer }
  },
}

/** The record of an ended document. Only the summary shows when a document was canceled. */
async function readEnded(RED: HostOwner, ask: Ask, id: string, status: string): Promise<Answer> {
  const answer = await ask('getDocument', { id })
  if (!/^cancell?ed$/.test(status) || !isPlainObject(answer.data) || eventTime(RED, 'document_canceled', id))
    return answer
  const summary = await ask('getDocumentSummary', { id }).catch(() => undefined)
  return { ...answer, data: { lastUpdated: getPath(summary?.data, 'lastUpdated'), ...answer.data } }
}

function readDocument(RED: HostOwner, what: Goal, id: string, answer: Answer): ResourceState {
  const status = textAt(answer.data, 'status.documentStatus')
  const isSigned = what === 'files-ready' && status === 'signed'
  if (isSigned && areFilesDeleted(RED, id, answer.data, systemClock.epochNow()))
    return { status: 'deleted', outcome: 'ended', answer, fullRecord: true }
  const isReady = isSigned && isPackaged(answer.data)
  return { status, outcome: isReady ? 'done' : outcomeOf(what, status), answer, fullRecord: true }
}

/**
 * Whether the service has deleted the files of a signed document, so that waiting for them is pointless. The files are
 * deleted if an event has reported the deletion, or if the retention time has passed and no file is left. `record` is
 * the whole document; `now` is in milliseconds since 1970.
 */
export function areFilesDeleted(RED: HostOwner, documentId: string, record: unknown, now: number): boolean {
  if (hasPackages(getPath(record, 'status'))) return false
  if (eventTime(RED, 'document_deleted', documentId) !== undefined) return true
  const deletion = deletionTime(record)
  return Number.isFinite(deletion) && now > deletion
}

/** Reads a share. With `auto`, the older path is tried if the newer path does not find the share. */
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

/** Reads the state of a share: it is done when every recipient has opened everything, or can no longer open it. */
function readShare(share: unknown): { status: string; outcome?: WaitOutcome } {
  if (getPath(share, 'deleted') === true) return { status: 'deleted', outcome: 'ended' }
  if (getPath(share, 'done') !== true) return { status: 'open' }
  const missed = listAt(share, 'recipients').some(hasUnopened)
  return missed ? { status: 'expired', outcome: 'expired' } : { status: 'received', outcome: 'done' }
}

/** Whether this recipient of a share has left something unopened. */
export function hasUnopened(recipient: unknown): boolean {
  return listAt(recipient, 'content').some((item) => getPath(item, 'opened') === false)
}
