/** Creates a v1 session: a page, or a request to the person's phone (`docs/interface.md` 4.8). */
import type { Answer } from '../../lib/api/call/call'
import { answerError, causeOf } from '../../lib/api/call/answer-error'
import { nodeError, type EidError } from '../../lib/api/errors/errors'
import { malformed } from '../../lib/api/call/failures'
import { operations } from '../../lib/api/operations/operations'
import { redact } from '../../lib/api/errors/mask'
import { sentence } from '../../lib/api/errors/texts'
import type { Patch } from '../../lib/runtime/node/message-call'
import type { PlainObject } from '../../lib/common/plain-object'
import { splitList } from '../../lib/common/split-list'
import { getPath } from '../../lib/runtime/values/read-text'
import type { SessionCall } from './session-call'
import { v1ProblemsOf } from './checks'
import { isForPhone, isV2Shaped, statusesOf, toV1 } from './versions'

/** Creates the session. `request` may use v2 names, as the form does; it is then converted to v1. */
export async function createV1(call: SessionCall, request: PlainObject): Promise<Patch> {
  const newer = isV2Shaped(request)
  const body = newer ? toV1(request) : request
  call.check(v1ProblemsOf(body))
  if (newer && request === call.msg.payload) call.warn('translatedBack')
  if (newer && (splitList(request.allowedProviders) ?? []).length > 1) call.warn('oneProvider')
  return isForPhone(body) ? startOnPhone(call, body) : openPage(call, body)
}

async function openPage(call: SessionCall, body: PlainObject): Promise<Patch> {
  const answer = await call.api.send('v1CreateSession', { body })
  const { data } = answer
  const url = getPath(data, 'Url')
  if (typeof url !== 'string' || url === '') throw answerError('v1CreateSession', answer, '@answers.incomplete')
  call.setStatus('created')
  const sessionId = getPath(data, 'RequestId')
  return { payload: data, sessionId, url, ...statusesOf('created') }
}

async function startOnPhone(call: SessionCall, body: PlainObject): Promise<Patch> {
  const answer = await call.api.send('v1StartMobile', { body })
  // The service responds with 200 even if it did nothing.
  if (getPath(answer.data, 'OK') === false) throw refusal(answer)
  const sessionId = getPath(answer.data, 'RequestId')
  if (typeof sessionId !== 'string' || sessionId === '') throw incomplete(answer)
  call.setStatus('started')
  return { payload: answer.data, sessionId, ...statusesOf('created') }
}

/**
 * The error for a response without an id: the phone may already be showing the request, but the result can't be looked
 * up.
 */
function incomplete({ status, headers }: Answer): EidError {
  const { method, path } = operations.v1StartMobile
  return malformed({ status, headers }, { method, path, attempts: 1, seconds: 0 }, 'incomplete').error
}

function refusal({ status, requestId, data }: Answer): EidError {
  const said = getPath(data, 'Error')
  const detail = typeof said === 'string' && said !== '' ? sentence(redact(said).replace(/^@+/, '')) : '@answers.none'
  const wrong = getPath(data, 'InvalidMobileNumberOrDateOfBirth') === true
  const errors = ['MobileNumber', 'DateOfBirth'].map((field) => ({
    field,
    message: typeof said === 'string' ? redact(said) : '',
  }))
  const cause = { ...causeOf('v1StartMobile', { status, requestId }), ...(wrong && { errors }) }
  return nodeError('EID_REFUSED', 'errors.EID_REFUSED', { status, detail }, cause)
}
