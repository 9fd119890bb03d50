/** Verifies a browser's report with the service, because anyone can post a message in a browser. */
import type { Answer, CallOptions } from '../../lib/api/call/call'
import type { OperationName } from '../../lib/api/operations/operations'
import { sleep } from '../../lib/api/call/retry'
import { getSessionState } from '../../lib/api/sessions'
import { getPath } from '../../lib/runtime/values/read-text'
import { hasSigned } from '../../lib/runtime/service/signers'
import type { WebMessage } from './messages'

export interface ConfirmedSubject {
  readonly documentId?: string
  readonly sessionId?: string
  /** The address shown in the frame. It identifies the signer if the document has several signers. */
  readonly url?: string
}

export interface Verdict {
  readonly confirmed: boolean
  /** The status at the service; for a v1 session, the v2 name of that status. */
  readonly status: string
  readonly answer?: Answer
}

type Ask = (operation: OperationName, options: CallOptions) => Promise<Answer>

/** Milliseconds before the service is asked again: a message can arrive before the service has updated its record. */
const pausesMs = [300, 900]

/**
 * Asks the service whether the message is true, several times if necessary. Rejects with an EidError if the service
 * can't be asked.
 */
export async function confirm(
  ask: Ask,
  message: WebMessage,
  subject: ConfirmedSubject,
  signal: AbortSignal,
): Promise<Verdict> {
  // Only the id that the flow gave is asked about: a browser can name a session that someone else has finished.
  const id = message.kind === 'session' ? subject.sessionId : subject.documentId
  if (id === undefined || (message.claimed !== undefined && message.claimed !== id)) {
    return { confirmed: false, status: '' }
  }
  for (let tries = 0; ; tries++) {
    const verdict =
      message.kind === 'session' ? await askSession(ask, message, id) : await askDocument(ask, message, id, subject.url)
    const pause = pausesMs[tries]
    if (verdict.confirmed || pause === undefined) return verdict
    await sleep(pause, signal)
  }
}

async function askDocument(ask: Ask, { type }: WebMessage, id: string, url: string | undefined): Promise<Verdict> {
  const answer = await ask('getDocument', { id })
  const found = getPath(answer.data, 'status.documentStatus')
  const status = typeof found === 'string' ? found : ''
  return { confirmed: isSo(type, status, ownSigned(answer.data, url, status)), status, answer }
}

async function askSession(ask: Ask, { type }: WebMessage, id: string): Promise<Verdict> {
  const { status, answer } = await getSessionState(ask, id)
  return { confirmed: (sessionStatuses[type] ?? []).includes(status), status, answer }
}

const sessionStatuses: Record<string, readonly string[]> = {
  success: ['success'],
  aborted: ['user_aborted'],
  error: ['failed', 'timed_out', 'invalidated'],
}

/** Whether the message is true according to the service; if that is unknown, false. */
function isSo(type: string, status: string, signed: boolean | undefined): boolean {
  if (type === 'document_expired') return status === 'expired'
  return type === 'sign_success' || type === 'already_signed' ? signed === true : signed === false
}

/** Whether the signer with this link has signed; undefined if the response does not show that. */
function ownSigned(document: unknown, url: string | undefined, status: string): boolean | undefined {
  if (status === 'signed') return true
  const found = getPath(document, 'signers')
  const signers = Array.isArray(found) ? (found as unknown[]) : []
  const own = signers.find((one) => url && getPath(one, 'url') === url)
  if (own !== undefined && hasSigned(own)) return true
  // If the signer with this link is not in the response, any of the signers who have signed may be this signer.
  const isOpen = own !== undefined || (status !== 'partialsigned' && !signers.some(hasSigned))
  return status !== '' && isOpen ? false : undefined
}
