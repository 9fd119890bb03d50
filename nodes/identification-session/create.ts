/** Creates a session: translates older requests, checks, sends (`docs/interface.md` 2.5, 4.7, 9). */
import { answerError } from '../../lib/api/call/answer-error'
import type { Patch } from '../../lib/runtime/node/api-node'
import { getPath } from '../../lib/runtime/values/read-text'
import type { SessionCall } from './session-call'
import { warningsFor, problemsOf } from './checks'
import { createV1 } from './create-v1'
import { toRequest } from './request'
import { isV1Shaped, statusesIn, toV2 } from './versions'

export async function create(call: SessionCall): Promise<Patch> {
  const request = toRequest(call)
  if (call.values.apiVersion === 'v1') return createV1(call, request)
  const older = isV1Shaped(request)
  const body = older ? toV2(request) : request
  if (older) call.warn('translated')
  call.check(problemsOf(body))
  for (const doubt of warningsFor(body)) call.warn(doubt)
  const answer = await call.api.send('createSession', { body })
  const { data } = answer
  const url = getPath(data, 'url')
  // Without a page nobody can identify; one of an earlier node may still be on the message.
  const needsPage = body.flow === 'redirect' || body.flow === 'iframe'
  if (needsPage && (typeof url !== 'string' || url === ''))
    throw answerError('createSession', answer, '@answers.incomplete')
  call.setStatus(typeof url === 'string' ? 'created' : 'started')
  return { payload: data, sessionId: getPath(data, 'id'), ...(typeof url === 'string' && { url }), ...statusesIn(data) }
}
