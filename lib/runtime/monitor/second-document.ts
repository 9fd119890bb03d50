/**
 * Errors after which a document with a generated key may exist. A flow that is started again generates another key, so
 * it adds a second document if the first request still arrives at the service.
 */
import type { Cause, EidError } from '../../api/errors/errors'
import { operations } from '../../api/operations/operations'
import { fingerprintIn } from '../../common/generated-key'
import { propertyOf } from '../../common/plain-object'
import type { Asked } from '../node-red/client-node'
import type { FlowMessage } from '../node-red/node-red'
import type { Found } from './error-sentence'
import { keptMessage, takeMessage } from './kept-messages'

/**
 * How long a request may still arrive at the service after its error, in milliseconds. Servers in between hold a request
 * for a few minutes at most.
 */
const arrivalMs = 600_000

interface Doubtful {
  readonly id: string
  readonly at: number
  readonly said?: { readonly cause: Pick<Cause, 'externalId'> }
  readonly found?: Found | undefined
  readonly foundAt?: number | undefined
  readonly remade?: boolean | undefined
}

/** True if a document may have been created. Other objects don't count, because they can't be found by a key. */
export function isDoubtfulCreation({ cause: { outcome, method, path } }: EidError): boolean {
  const { createDocument } = operations
  return outcome === 'unknown' && method === createDocument.method && path === createDocument.path
}

/**
 * True if the request may have arrived after `when`, and would then add a second document: the flow has created one
 * since, or would do so with another key because the message with the generated key is no longer available.
 */
export function wouldBeSecond(one: Doubtful, when = NaN): boolean {
  const isAnother = one.remade === true || keptMessage(one.id) === undefined
  return isAnother && fingerprintOf(one) !== undefined && !isLate(one, when)
}

/**
 * True if the document of this error may exist at a service other than `asked`, or under another client. A flow that is
 * tried out in the sandbox makes no document at the live service.
 */
export function isForeign(one: { readonly asked?: Asked | undefined }, asked: Asked | undefined): boolean {
  return one.asked !== undefined && (one.asked.client !== asked?.client || one.asked.service !== asked.service)
}

/**
 * True if the flow has created the document of this error since, with another key, and `mark` is a hash of the first
 * key. A message that fails once more with the first key would add a second document too, whatever its sentence is.
 */
export function isRemade(
  one: { readonly mark?: string; readonly remade?: boolean; readonly asked?: Asked },
  mark: string | undefined,
  asked: Asked | undefined,
): boolean {
  return mark !== undefined && one.mark === mark && one.remade === true && !isForeign(one, asked)
}

/** Withdraws the result "absent" of a look after which the request may still have arrived. */
export function withoutEarlyLook<E extends Doubtful>(one: E): E {
  return one.found === 'absent' && wouldBeSecond(one, one.foundAt) ? { ...one, found: undefined } : one
}

/**
 * Called when a message has passed the node of this error. Returns undefined if this settles the error. If the message
 * made the same request with a new key, and the first request may still have made a document, the error stays, but its
 * message is dropped: sent again, it would add a second document.
 */
export function afterMade<E extends Doubtful>(one: E, msg: FlowMessage): E | undefined {
  const key = propertyOf(msg, 'externalId')
  const fingerprint = fingerprintOf(one)
  if (fingerprint === undefined || fingerprint !== fingerprintIn(key)) return one
  if (key === one.said?.cause.externalId) return undefined
  takeMessage(one.id)
  if (one.found === 'absent' && isLate(one, one.foundAt)) return undefined
  return one.remade ? one : { ...one, remade: true }
}

const fingerprintOf = ({ said }: Doubtful) => fingerprintIn(said?.cause.externalId)

const isLate = ({ at }: Doubtful, when = NaN) => Math.abs(when - at) >= arrivalMs
