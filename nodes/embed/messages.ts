/** Reads the web messages of the signer app and of the identification UI (`interface.md` 6.1, 6.2). */
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import type { PageKind } from './origins'

/** A message as the flow gets it. `payload` is absent for types without one. */
export interface WebMessage {
  readonly kind: PageKind
  readonly type: string
  readonly payload?: unknown
  /**
   * The id of the document or session that the message claims to be about. This proves nothing, because any browser can
   * send any id.
   */
  readonly claimed?: unknown
}

/** Maximum length of a message in characters. */
export const maxMessageLength = 16_384

const finals: Record<PageKind, readonly string[]> = {
  document: ['document_expired', 'user_canceled', 'sign_success', 'sign_error', 'already_signed'],
  session: ['success', 'aborted', 'error'],
}

/** Reads a message from its JSON text or from the parsed object; undefined if it is not a web message. */
export function readWebMessage(data: unknown): WebMessage | undefined {
  const message = typeof data === 'string' ? parse(data) : data
  if (!isPlainObject(message) || isTooLong(data)) return undefined
  const { type, payload, sessionId, status } = message
  if (typeof sessionId === 'string' && typeof status === 'string' && type === undefined) {
    return { kind: 'session', type: status, payload: message, claimed: sessionId }
  }
  if (typeof type !== 'string' || type === '') return undefined
  const claimed = isPlainObject(payload) ? (payload.documentId ?? undefined) : undefined
  return { kind: 'document', type, ...(payload !== undefined && { payload }), claimed }
}

/** Whether the message says that signing or identification is over. */
export function isFinal({ kind, type }: WebMessage): boolean {
  return finals[kind].includes(type)
}

function parse(text: string): unknown {
  if (text.length > maxMessageLength) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTooLong(data: unknown): boolean {
  return typeof data !== 'string' && JSON.stringify(data as PlainObject).length > maxMessageLength
}
