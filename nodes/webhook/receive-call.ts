/**
 * Receives one call from the service: reads its bytes, checks its signature, and returns its event (`docs/interface.md`
 * 4.9).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import type { FlowMessage, HttpRequest } from '../../lib/runtime/node-red/node-red'
import { readBytes } from '../../lib/runtime/http/raw-body'
import { resourceIds } from '../../lib/runtime/monitor/resource-ids'

export interface Trust {
  /** Name of the header with the signature. */
  readonly header: string
  /** The secrets, one of which must match; without any secret, no call is trusted. */
  readonly secrets: readonly string[]
}

/**
 * The code of the response. With code 204, the event may enter the flow, and `knownBy` is its key. With any other code,
 * `reason` is a text key.
 */
type Received =
  | { readonly code: 204; readonly event: PlainObject; readonly knownBy: string }
  | { readonly code: 400 | 401 | 408 | 413 | 500; readonly reason: string }

/** Maximum size of a call; events are a few kilobytes. */
const maxBytes = 1024 * 1024

/** Receives a call. The signature is checked before the bytes are parsed. Never rejects. */
export async function receiveCall(request: HttpRequest, { header, secrets }: Trust): Promise<Received> {
  if (secrets.length === 0) return { code: 401, reason: 'noSecret' }
  const bytes = await readBytes(request, maxBytes)
  if (bytes === 'too-large') return { code: 413, reason: 'tooLarge' }
  if (bytes === 'too-slow') return { code: 408, reason: 'tooSlow' }
  if (bytes === 'taken') return { code: 500, reason: 'taken' }
  if (bytes === 'broken') return { code: 400, reason: 'broken' }
  if (!isSigned(bytes, String(request.headers[header.toLowerCase()] ?? ''), secrets)) {
    return { code: 401, reason: 'notSigned' }
  }
  const event = parse(bytes)
  if (!event) return { code: 400, reason: 'notAnEvent' }
  return { code: 204, event, knownBy: idOf(event) ?? createHash('sha256').update(bytes).digest('hex') }
}

/**
 * Whether the signature was made with one of the secrets. The check of a wrong signature takes as long as the check of
 * a correct signature.
 */
function isSigned(bytes: Buffer, signature: string, secrets: readonly string[]): boolean {
  // All secrets are tried, even if one already fits, so that the duration reveals nothing.
  return secrets.map((secret) => same(signatureOf(bytes, secret), signature)).includes(true)
}

function same(expected: string, signature: string): boolean {
  const one = Buffer.from(expected)
  const other = Buffer.from(signature)
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Returns the HMAC-SHA256 of the bytes in lower-case hexadecimal. */
function signatureOf(bytes: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(bytes).digest('hex')
}

/** Returns the id of an event. A number is a valid id too, as long as no digit was lost. */
function idOf({ id }: PlainObject): string | undefined {
  if (Number.isSafeInteger(id)) return String(id)
  return typeof id === 'string' && id !== '' ? id : undefined
}

function parse(bytes: Buffer): PlainObject | undefined {
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'))
    // An event that is nested too deeply to be stored can't be accepted, however often it comes.
    JSON.stringify(parsed)
    return isPlainObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the message for an event. It contains the ids in the event, such as `documentId`, under the names that other
 * nodes expect.
 */
export function callMessage(event: PlainObject): FlowMessage {
  return { payload: event, topic: event.type, eventId: idOf(event), ...resourceIds(event.type, event.payload) }
}
