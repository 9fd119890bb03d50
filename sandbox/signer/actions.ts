/** A signer's actions in the app. Each returns the resulting web messages, and where the browser goes next. */
import { errorAnswer } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, objectsIn, textIn, textsIn, type JsonObject } from '../server/json'
import { methods } from '../signature/account-lists'
import type { DocumentSignature, Signer } from '../signature/state'
import { addSignature, obstacle, tell } from '../signature/transitions'
import type { World } from '../world'
import { refuseUnknown } from './identify'
import { about, failure, receiverOf, type SignError, type WebMessage } from './messages'
import { returnAddress, type ReturnState } from './redirect'
import { findSignerContext, originOfCall, renewSession, type SignerContext } from './session'

type Action = (context: SignerContext, call: Call) => Answer

const sessionEnded: SignError = { errorCode: 'SA-1008', errorMessage: 'The session has ended.' }
const unknownMethod: SignError = { errorCode: 'SA-1001', errorMessage: 'There is no such signature method.' }
const simulated: SignError = {
  errorCode: 'SA-1020',
  errorMessage: 'Starting the signature method failed.',
  eidErrorCode: 'SIMULATED',
  eidErrorMessage: 'The sandbox was told to fail.',
}

/** A handler that finds the signer by the token in the path and renews the session before it acts. */
export function within(action: Action): (call: Call, world: World) => Answer {
  return (call, world) => {
    const context = findSignerContext(call.param('token'), world)
    refuseUnknown(context.signer)
    return renewSession(context) ? action(context, call) : stop(401, sessionEnded, context)
  }
}

/** `POST /sign/{token}/sign`: signs with the `method` in the body, otherwise with the first method offered. */
export function signDocument(context: SignerContext, call: Call): Answer {
  const { document, signer, world } = context
  const refused = whyNot(context)
  if (refused) return refused
  const offered = methodsOf(signer)
  const method = valueIn(call, 'method') || (offered[0] ?? 'unknown')
  if (offered.length > 0 && !offered.includes(method)) return stop(422, unknownMethod, context)
  const missing = missingField(signer, call)
  if (missing)
    return stop(422, { errorCode: 'SA-1006', errorMessage: `The field ${missing} is not filled in.` }, context)
  signer.formFields = formFieldsOf(signer).length > 0 ? objectIn(bodyOf(call).formFields) : undefined
  const signature = createSignature(context, method, call)
  addSignature(signer, document, signature, world)
  return reply(context, call, [about('sign_success', document)], { signature })
}

/** The questions to the signer before signing. */
function formFieldsOf(signer: Signer): readonly JsonObject[] {
  return objectsIn(objectIn(objectIn(objectIn(signer.requested.ui).dialogs).before).formFields)
}

/**
 * The key of the first required field that is empty. Only the page checks whether a value matches the field's pattern.
 */
function missingField(signer: Signer, call: Call): string | undefined {
  const filled = objectIn(bodyOf(call).formFields)
  const isEmpty = (value: unknown) => (typeof value === 'boolean' ? !value : textIn(value) === '')
  const missing = formFieldsOf(signer).find(({ key, required }) => required === true && isEmpty(filled[textIn(key)]))
  return missing && textIn(missing.key)
}

/** `POST /sign/{token}/cancel`: the signer leaves; the document stays open. */
export function cancelSigning(context: SignerContext, call: Call): Answer {
  context.signer.lastAct = 'left'
  return reply(context, call, [about('user_canceled', context.document)], { aborted: true })
}

/** `POST /sign/{token}/fail`: as if the signature method had failed; `errorCode` in the body sets the code. */
export function failSigning(context: SignerContext, call: Call): Answer {
  const errorCode = valueIn(call, 'errorCode') || simulated.errorCode
  const error = { ...simulated, errorCode }
  context.signer.lastAct = 'failed'
  return reply(context, call, [failure(error, context.document)], { error })
}

/** `POST /sign/{token}/read`: the app's viewer has shown the document. */
export function readDocument(context: SignerContext, call: Call): Answer {
  const { document, signer, world } = context
  const { id, externalSignerId } = signer
  signer.lastAct = 'read'
  tell('document_read', document, world, { ...originOfCall(call), signer: { id, externalSignerId } })
  return reply(context, call, [about('document_read', document)])
}

/** `POST /sign/{token}/method`: the signer has chosen the method in `value`. */
export function chooseMethod(context: SignerContext, call: Call): Answer {
  const value = valueIn(call, 'value')
  if (!methodsOf(context.signer).includes(value)) return stop(422, unknownMethod, context)
  return reply(context, call, [{ type: 'eid_selected', payload: value }])
}

/** `POST /sign/{token}/language`: the signer has chosen the language in `value`. */
export function chooseLanguage(context: SignerContext, call: Call): Answer {
  return reply(context, call, [{ type: 'language_changed', payload: valueIn(call, 'value') }])
}

/** `POST /sign/{token}/renew`: the signer is still active. */
export function renew(context: SignerContext, call: Call): Answer {
  return reply(context, call, [])
}

/** The methods the signer may choose from: the methods in the settings, otherwise the account's methods. */
export function methodsOf(signer: Signer): string[] {
  const { signatureMethods, mechanism } = objectIn(signer.requested.signatureType)
  const wished = textsIn(signatureMethods).filter(Boolean)
  if (wished.length > 0) return wished
  return mechanism === 'handwritten' ? [] : methods.map((method) => method.type)
}

/**
 * The message that the app posts if the signer can't sign: when the app opens, and when the signer tries to sign.
 * Undefined if the signer can sign.
 */
export function messageOf({ document, signer }: SignerContext): WebMessage | undefined {
  const reason = obstacle(signer, document)
  if (reason === undefined) return undefined
  if (document.status === 'expired') return about('document_expired', document)
  if (document.status === 'signed' || signer.signature) return about('already_signed', document)
  const errorCode = document.status === 'canceled' ? 'SA-1028' : 'SA-1013'
  return failure({ errorCode, errorMessage: reason }, document)
}

function whyNot(context: SignerContext): Answer | undefined {
  const message = messageOf(context)
  return message && refusal(422, obstacle(context.signer, context.document) ?? '', [message], context)
}

function stop(status: number, error: SignError, context: SignerContext): Answer {
  return refusal(status, error.errorMessage, [failure(error, context.document)], context, error.errorCode)
}

function refusal(
  status: number,
  message: string,
  said: readonly WebMessage[],
  context: SignerContext,
  code = 'CANNOT_SIGN',
) {
  const messages = receiverOf(context.signer) ? said : []
  return { status, json: { ...objectIn(errorAnswer(status, code, message).json), messages } }
}

/** The response to an action: JSON for scripts; a browser without scripts is redirected. */
function reply(context: SignerContext, call: Call, said: readonly WebMessage[], state?: ReturnState): Answer {
  const redirect = state && returnAddress(context, state)
  const page = /\btext\/html\b/.test(call.headers.accept ?? '')
  if (page) return { status: 303, headers: { Location: redirect ?? context.signer.url } }
  return { json: { messages: receiverOf(context.signer) ? said : [], ...(redirect && { redirect }) } }
}

function bodyOf(call: Call): JsonObject {
  return /x-www-form-urlencoded/.test(call.headers['content-type'] ?? '') ? {} : call.json()
}

/** A value from the body, which may be JSON, a form, or absent. */
function valueIn(call: Call, name: string): string {
  const isForm = /x-www-form-urlencoded/.test(call.headers['content-type'] ?? '')
  return isForm ? (call.form().get(name) ?? '') : textIn(call.json()[name])
}

function createSignature({ document, signer, world }: SignerContext, method: string, call: Call): DocumentSignature {
  const { firstName, lastName, socialSecurityNumber } = objectIn(signer.requested.signerInfo)
  const first = textIn(firstName) || 'Ola'
  const last = textIn(lastName) || 'Nordmann'
  const wantsNumber = objectIn(document.requested.advanced).getSocialSecurityNumber === true
  const number = { value: textIn(socialSecurityNumber) || '00000000000', countryCode: 'NO' }
  return {
    signatureMethod: method,
    fullName: `${first} ${last}`,
    firstName: first,
    lastName: last,
    signedTime: world.clock.iso(),
    dateOfBirth: '1990-01-01',
    signatureMethodUniqueId: `sandbox-${signer.externalSignerId}`,
    mechanism: textIn(objectIn(signer.requested.signatureType).mechanism),
    clientIp: originOfCall(call).ipAddress,
    ...(signer.formFields && { attributes: signer.formFields }),
    ...((wantsNumber || signer.requested.getSocialSecurityNumber === true) && { socialSecurityNumber: number }),
  }
}
