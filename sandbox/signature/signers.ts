/** The signers of a document: their links, whose turn it is, and who has to wait. */
import { createHmac, randomUUID } from 'node:crypto'
import { objectIn, textIn, type JsonObject } from '../server/json'
import { ACCOUNT_ID } from '../state/account'
import type { World } from '../world'
import type { SignatureDocument, Signer } from './state'

/** The settings that decide a signer's place in the order. */
export function placeOf(requested: JsonObject): Pick<Signer, 'externalSignerId' | 'order' | 'required'> {
  return {
    externalSignerId: textIn(requested.externalSignerId),
    order: Number(requested.order) || 0,
    required: requested.required === true,
  }
}

/** Creates a signer as described in the request, with a link of their own. */
export function createSigner(requested: JsonObject, documentId: string, world: World): Signer {
  const id = randomUUID()
  const redirect = objectIn(requested.redirectSettings)
  const language = textIn(objectIn(requested.ui).language)
  const claims = { docid: documentId, aid: ACCOUNT_ID, sfid: id, lg: language, rdir: textIn(redirect.redirectMode) }
  const token = sign(claims, world.signature.key)
  return {
    id,
    token,
    url: `${world.url}/sign/start?jwt=${token}`,
    ...placeOf(requested),
    requested,
    signature: undefined,
    session: undefined,
    asked: false,
    lastAct: undefined,
    mail: 'none',
    formFields: undefined,
    identified: false,
    code: '',
  }
}

/** A signed token in the form the service gives out. Anyone who has it can read `claims`. */
export function sign(claims: JsonObject, key: Buffer): string {
  const encode = (part: JsonObject) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const content = `${encode({ alg: 'HS384', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${createHmac('sha384', key).update(content).digest('base64url')}`
}

/** Whether the signer can sign without waiting for others. */
export function isTurn(signer: Signer, document: SignatureDocument): boolean {
  return !document.signers.some((other) => other !== signer && !other.signature && goesBefore(other, signer))
}

/** Whether `other` signs before `signer`: a lower order goes first; with the same order, required signers go first. */
function goesBefore(other: Signer, signer: Signer): boolean {
  return other.order < signer.order || (other.order === signer.order && other.required && !signer.required)
}

/** The number of signatures collected. */
export function signatureCount(document: SignatureDocument): number {
  return document.signers.filter((signer) => signer.signature !== undefined).length
}

/** How many signatures complete the document: the requested number, otherwise one per signer. */
export function requiredSignaturesOf({ requested, signers }: SignatureDocument): number {
  const wanted = Number(objectIn(requested.advanced).requiredSignatures) || signers.length
  return Math.min(wanted, signers.length)
}

/** Whether all required signatures have been collected. */
export function isComplete(document: SignatureDocument): boolean {
  const missing = document.signers.some((signer) => signer.required && !signer.signature)
  return !missing && signatureCount(document) >= requiredSignaturesOf(document)
}

/** The signer's name; for a signer without a name, the external id. */
export function nameOf({ requested, externalSignerId }: Signer): string {
  const { firstName, lastName } = objectIn(requested.signerInfo)
  return [firstName, lastName].map(textIn).filter(Boolean).join(' ') || externalSignerId
}
