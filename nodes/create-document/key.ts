/**
 * The key under which the service makes one document only, and how to tell a person's key from one that
 * this node generated.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Call } from '../../lib/runtime/node/api-node'
import { nextTurn } from '../../lib/common/event-loop'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { getPath } from '../../lib/runtime/values/read-text'
import { fields } from './create-document.fields'

export interface Key {
  readonly externalId: string
  /**
   * - `new`: generated just now, so unknown to everyone else.
   * - `kept`: generated earlier for this very request, which comes once more.
   * - `given`: a person's own.
   */
  readonly origin: 'new' | 'kept' | 'given'
}

/**
 * The key of this request: the form's, else the body's, else the one that the message brings. A message that brings a
 * key which was generated for another request, or none, gets a new one. Refuses a body that holds what can be no key.
 */
export async function chooseKey({ values, origin, msg, check }: Call<typeof fields>, body: PlainObject): Promise<Key> {
  const { isChosen, typed } = origin('externalId')
  const ofMessage = !isChosen
  const inForm = isChosen || typed !== fields.externalId.initial
  const brought = values.externalId
  const isGiven = brought !== undefined && brought !== '' && !(ofMessage && fingerprintIn(brought))
  if (inForm && isGiven) return { externalId: brought, origin: 'given' }
  const inBody = keyIn(body)
  if (inBody === undefined) check([{ path: 'externalId', key: 'text' }])
  if (inBody) return { externalId: inBody, origin: 'given' }
  if (isGiven) return { externalId: brought, origin: 'given' }
  const fingerprint = await fingerprintOf(body)
  // Where the form looks elsewhere and finds none, a message that comes back still has the key here.
  const matching = [brought, msg.externalId].find((one) => fingerprintIn(one) === fingerprint)
  if (typeof matching === 'string') return { externalId: matching, origin: 'kept' }
  return { externalId: `eid-${fingerprint}-${randomUUID()}`, origin: 'new' }
}

/** Where a key was expected but is missing: often the key itself was typed in place of the name of a property. */
export function emptySource({ values, origin }: Call<typeof fields>): string | undefined {
  const { type, typed, isChosen } = origin('externalId')
  const isUsual = !isChosen && typed === fields.externalId.initial
  const isLookedUp = ['msg', 'flow', 'global', 'env'].includes(type) && typed !== ''
  return isUsual || !isLookedUp || values.externalId ? undefined : `${type}.${String(typed)}`
}

/** The fingerprint in a key that was generated here; undefined for any other value. */
function fingerprintIn(key: unknown): string | undefined {
  const made = /^eid-([\da-f]{16})-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
  return typeof key === 'string' ? made.exec(key)?.[1] : undefined
}

/** The key in the body, also a number as lists have it; empty without one, undefined when it can be none. */
function keyIn({ externalId }: PlainObject): string | undefined {
  if (externalId === undefined || externalId === null) return ''
  if (typeof externalId === 'number' && Number.isFinite(externalId)) return String(externalId)
  return typeof externalId === 'string' ? externalId : undefined
}

/** Letters of the file that are looked at before other messages have their turn. */
const yieldEvery = 4 * 1024 * 1024
/** Letters per piece: a longer text would be copied as a whole. */
const chunkSize = 256 * 1024

/**
 * Distinguishes requests by everything in them, but for what differs although the request is the same: a deadline so
 * many days from now, a return address of this visit.
 */
async function fingerprintOf(body: PlainObject): Promise<string> {
  const { content, text } = describe(body)
  const hash = createHash('sha256').update(text)
  for (let from = 0; from < content.length; from += chunkSize) {
    if (from > 0 && from % yieldEvery === 0) await nextTurn()
    hash.update(content.slice(from, from + chunkSize))
  }
  return hash.digest('hex').slice(0, 16)
}

function describe(body: PlainObject): { content: string; text: string } {
  const content = getPath(body, 'dataToSign.base64Content')
  const isText = typeof content === 'string'
  const rest = isText ? { ...body, dataToSign: without(body.dataToSign, ['base64Content']) } : body
  try {
    return { content: isText ? content : '', text: JSON.stringify(lasting(rest), inOrder) }
  } catch {
    return { content: '', text: randomUUID() } // What has no text is refused by the call itself.
  }
}

/** The request without the parts that may differ each time it is built. */
function lasting({ externalId: _key, ...body }: PlainObject): PlainObject {
  const { advanced, signers } = body
  const life = without(getPath(advanced, 'timeToLive'), ['deadline'])
  return {
    ...body,
    ...(isPlainObject(advanced) && { advanced: { ...advanced, timeToLive: life } }),
    ...(Array.isArray(signers) && { signers: signers.map(lastingSigner) }),
  }
}

const returnAddresses = ['success', 'cancel', 'error']

function lastingSigner(signer: unknown): unknown {
  if (!isPlainObject(signer)) return signer
  const redirectSettings = without(signer.redirectSettings, returnAddresses)
  return { ...signer, redirectSettings, signUrlExpires: undefined }
}

function without(from: unknown, names: readonly string[]): unknown {
  if (!isPlainObject(from)) return from
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)))
}

/** Objects that say the same are the same, in whatever order their properties were written. */
function inOrder(_name: string, value: unknown): unknown {
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
}
