/**
 * Compares the document returned by the service with the requested one, because a key may belong to an older document.
 */
import type { Answer } from '../../lib/api/call/call'
import { answerError, causeOf } from '../../lib/api/call/answer-error'
import { EidError, nodeError, type Cause } from '../../lib/api/errors/errors'
import { operations } from '../../lib/api/operations/operations'
import { maskKey, redact } from '../../lib/api/errors/mask'
import { dateParam, type TextParams } from '../../lib/api/errors/texts'
import { createKeyedQueue, type KeyedQueue } from '../../lib/common/keyed-queue'
import type { Call } from '../../lib/runtime/node/message-call'
import type { PlainObject } from '../../lib/common/plain-object'
import type { ClientSettings } from '../../lib/runtime/node-red/client-node'
import { getPath } from '../../lib/runtime/values/read-text'
import type { fields } from './create-document.fields'
import type { Key } from './key'
import { differenceBetween, type Difference } from './same-document'

type CreateCall = Call<typeof fields>
type Summary = Readonly<Record<string, unknown>>

/** The documents that already have the key; undefined if they are unknown. */
type EarlierDocuments = readonly Summary[] | undefined

/**
 * Clients that may not read documents. For these clients, `findKnown` skips its look-up, because the look-up would
 * waste a call for every message.
 */
const forbidden = new WeakSet<ClientSettings>()

/**
 * Looks for documents with this key before a document is created, because after the creation, an older document looks
 * like a new one. A newly generated key needs no look-up. Never rejects: if the result is unknown, the document is
 * created anyway.
 */
export async function findKnown(call: CreateCall, { externalId, origin }: Key): Promise<EarlierDocuments> {
  if (origin === 'new') return []
  if (forbidden.has(call.client)) return undefined
  try {
    // The look-up is not retried: if the service has problems, it is the creation that must be retried.
    const answer = await call.api.request({ ...operations.listDocuments, repeat: 'never' }, { query: { externalId } })
    const list = getPath(answer.data, 'data')
    if (!Array.isArray(list)) return undefined
    const known = (list as Summary[]).filter((one) => getPath(one, 'externalId') === externalId)
    // If the list contains only documents with other keys, the service has ignored the filter, so nothing is known.
    return known.length > 0 || list.length === 0 ? known : undefined
  } catch (error) {
    if (error instanceof EidError && error.code === 'EID_FORBIDDEN') forbidden.add(call.client)
    return undefined
  }
}

const ends = ['canceled', 'expired', 'deleted']

/**
 * Returns true if the document is an older one that matches the request; undefined if this is unknown. Throws
 * EID_REFUSED if the document differs from the request or has ended, and EID_SERVICE if the response is about another
 * key.
 */
export function checkExisting(
  call: CreateCall,
  body: PlainObject,
  key: Key,
  known: EarlierDocuments,
  answer: Answer,
): boolean | undefined {
  const documentId = getPath(answer.data, 'documentId')
  const older = known?.find((one) => one.documentId === documentId)
  const state = String(getPath(answer.data, 'status.documentStatus') ?? '').toLowerCase()
  // A newly generated key can't be in use already.
  const another = isOfAnotherKey(key, answer.data) || (key.origin === 'new' && ends.includes(state))
  if (another) throw answerError('createDocument', answer, '@answers.incomplete')
  if (key.origin === 'new') return false
  // A kept key was generated for this very request, so the document can't differ from the request. Only the document's
  // state matters.
  const difference = key.origin === 'given' ? differenceBetween(body, answer.data) : undefined
  if (difference || ends.includes(state)) throw keyTaken(call, key, answer, { state, older, difference })
  // A document with signatures is not new, whatever the look-up returned. For a document without signatures, only the
  // look-up shows whether it is new.
  if (older || state === 'signed' || state === 'partialsigned') return true
  return known ? false : undefined
}

/** Whether the response names a key other than the requested one. */
function isOfAnotherKey({ externalId }: Key, data: unknown): boolean {
  const found = getPath(data, 'externalId')
  return typeof found === 'string' && found !== '' && found.trim() !== externalId.trim()
}

function keyTaken(
  call: CreateCall,
  { externalId }: Key,
  answer: Answer,
  { state, older, difference }: { state: string; older: Summary | undefined; difference: Difference | undefined },
): EidError {
  const documentId = getPath(answer.data, 'documentId')
  const cause: Cause = {
    ...causeOf('createDocument', answer),
    ...(typeof documentId === 'string' && { documentId }),
    // If there was no such document before, this very request may have created it.
    outcome: older ? 'not-done' : 'unknown',
  }
  const title = redact(String(getPath(answer.data, 'title') ?? '')).slice(0, 80)
  // A parameter that begins with `@` would be mistaken for a text key, so a space is put before it.
  const named = { key: maskKey(externalId), title: title.replace(/^@/, ' @') }
  const params = { ...named, ...sinceWhen(state, older), whose: difference === 'signers' ? '@since.otherSigners' : '' }
  return nodeError('EID_REFUSED', isTyped(call) ? 'errors.typedKeyTaken' : 'errors.keyTaken', params, cause)
}

/**
 * Whether the key is typed in the form and not taken from the message. The error must then not advise people to delete
 * the key from the message.
 */
function isTyped({ origin }: CreateCall): boolean {
  const { isChosen, typed } = origin('externalId')
  return isChosen && typed !== ''
}

/** Returns what happened to the older document, and when: ", canceled on 3 May". */
function sinceWhen(state: string, older: Summary | undefined): TextParams {
  const ended = ends.includes(state)
  const time = Date.parse(String(ended ? older?.lastUpdated : older?.created))
  if (Number.isNaN(time)) return { since: ended ? `@since.${state}` : '' }
  return { since: `@since.${ended ? state : 'created'}On`, date: dateParam(time) }
}

const queues = new WeakMap<ClientSettings, KeyedQueue>()

/**
 * Runs `create` when no other call of this client with the same key is in flight. If two calls ran at once, they could
 * not determine which of them created the document.
 */
export function withLock<T>(
  { client, signal }: CreateCall,
  { externalId, origin }: Key,
  create: () => Promise<T>,
): Promise<T> {
  if (origin === 'new') return create()
  const queue = queues.get(client) ?? createKeyedQueue()
  queues.set(client, queue)
  return queue.run(externalId, create, signal)
}
