/** Creates a session: translates older requests, validates, sends (`docs/interface.md` 2.5, 4.7, 9). */
import { answerError } from '../../lib/api/call/answer-error'
import type { Patch } from '../../lib/runtime/node/message-call'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { frameSettingsFor } from '../../lib/runtime/service/embedding'
import { getPath } from '../../lib/runtime/values/read-text'
import type { SessionCall } from './session-call'
import { warningsFor, problemsOf } from './checks'
import { createV1 } from './create-v1'
import { toRequest } from './request'
import { isV1Shaped, statusesIn, toV2 } from './versions'

/** Fills in missing addresses of the frame from the "embed" nodes that use the same client. */
function withFrame({ client }: SessionCall, body: PlainObject): PlainObject {
  if (body.flow !== 'iframe') return body
  const known = frameSettingsFor(client)
  const said = isPlainObject(body.iframeSettings) ? body.iframeSettings : {}
  const filled = Object.entries(said).filter(([, value]) => value !== undefined && value !== '' && String(value) !== '')
  return known ? { ...body, iframeSettings: { ...known, ...Object.fromEntries(filled) } } : body
}

export async function create(call: SessionCall): Promise<Patch> {
  const request = toRequest(call)
  if (call.values.apiVersion === 'v1') return createV1(call, request)
  const older = isV1Shaped(request)
  const body = withFrame(call, older ? toV2(request) : request)
  if (older) call.warn('translated')
  call.check(problemsOf(body))
  for (const doubt of warningsFor(body)) call.warn(doubt)
  const answer = await call.api.send('createSession', { body })
  const { data } = answer
  const url = getPath(data, 'url')
  // A session without a page has no address, and an address from a previous node may still be on the message.
  const needsPage = body.flow === 'redirect' || body.flow === 'iframe'
  if (needsPage && (typeof url !== 'string' || url === ''))
    throw answerError('createSession', answer, '@answers.incomplete')
  call.setStatus(typeof url === 'string' ? 'created' : 'started')
  return { payload: data, sessionId: getPath(data, 'id'), ...(typeof url === 'string' && { url }), ...statusesIn(data) }
}
