/** The calls for the signers of a document: an added signer can sign, a removed signer can't. */
import { invalid, notAllowed } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, overlay, textIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { checkSigner, MAX_SIGNERS } from './check'
import { findDocument, findSigner } from './find'
import { signerRecord } from './record'
import { createSigner, placeOf } from './signers'
import type { Signer } from './state'
import { proceed, refuseEnded } from './transitions'

/** `GET …/signers` */
export function listSigners(call: Call, world: World): Answer {
  return { json: findDocument(call, world).signers.map(signerRecord) }
}

/** `GET …/signers/{signerId}` */
export function getSigner(call: Call, world: World): Answer {
  return { json: signerRecord(findSigner(call, findDocument(call, world))) }
}

/** `POST …/signers` with a signer, who is notified at once if it is their turn. */
export function addSigner(call: Call, world: World): Answer {
  const document = findDocument(call, world)
  const requested = call.json()
  refuseWrong(requested)
  refuseEnded(document)
  if (document.signers.length >= MAX_SIGNERS) throw notAllowed(`A document has at most ${MAX_SIGNERS} signers.`)
  const signer = createSigner(requested, document.id, world)
  document.signers = [...document.signers, signer]
  world.signature.bySigner.set(signer.token, { document, signer })
  proceed(document, world)
  return { json: signerRecord(signer) }
}

/**
 * `PATCH …/signers/{signerId}` with the changes. The signer is notified again if the address for notices has changed.
 */
export function changeSigner(call: Call, world: World): Answer {
  const document = findDocument(call, world)
  const signer = findSigner(call, document)
  const requested = overlay(signer.requested, call.json())
  refuseWrong(requested)
  refuseEnded(document)
  refuseSigned(signer)
  if (addressOf(requested) !== addressOf(signer.requested)) signer.asked = false
  Object.assign(signer, placeOf(requested), { requested })
  proceed(document, world)
  return { json: signerRecord(signer) }
}

/** `DELETE …/signers/{signerId}`: the link stops working. */
export function removeSigner(call: Call, world: World): Answer {
  const document = findDocument(call, world)
  const signer = findSigner(call, document)
  refuseEnded(document)
  refuseSigned(signer)
  if (document.signers.length === 1) throw notAllowed('The last signer cannot be removed; cancel the document.')
  document.signers = document.signers.filter((one) => one !== signer)
  world.signature.bySigner.delete(signer.token)
  proceed(document, world)
  return { json: {} }
}

function refuseWrong(requested: JsonObject): void {
  const errors = checkSigner(requested, '')
  if (errors.length > 0) throw invalid(errors)
}

function refuseSigned({ signature }: Signer): void {
  if (signature) throw notAllowed('The signer has signed already.', 'ALREADY_SIGNED')
}

function addressOf({ signerInfo }: JsonObject): string {
  const { email, mobile } = objectIn(signerInfo)
  const { countryCode, number } = objectIn(mobile)
  return [email, countryCode, number].map(textIn).join('\n')
}
