/** The older v1 calls, for sessions created through v1 (`docs/interface.md` 4.8, 9). */
import { invalid, type FieldError } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn, type JsonObject } from '../server/json'
import { parseUrl } from '../server/urls'
import type { World } from '../world'
import { isDate, isPhone } from './check'
import { startHeadless } from './headless'
import { sessionUrl } from './record'
import { openSession } from './lifecycle'
import { isActive } from './session'
import { fromV1Body, fromV1Mobile } from './translate'
import { v1Session } from './v1-record'
import { findSession, invalidate } from './v2'

/** `POST /identification/session` → {Url, RequestId} */
export function v1CreateSession(call: Call, world: World): Answer {
  const body = call.json()
  const errors = problemsOf(body)
  if (errors.length > 0) throw invalid(errors)
  const session = openSession(world, fromV1Body(body), 'v1')
  return { json: { Url: sessionUrl(session, world), RequestId: session.id } }
}

/** `GET /identification/session?requestId={id}` */
export function v1GetSession(call: Call, world: World): Answer {
  return { json: v1Session(findSession(call.query.get('requestId') ?? '', world, 'v1')) }
}

/** `GET /identification/session/status?requestId={id}` → {Done} */
export function v1GetStatus(call: Call, world: World): Answer {
  return { json: { Done: !isActive(findSession(call.query.get('requestId') ?? '', world, 'v1')) } }
}

/** `PUT …/invalidate`: the id is in the query, in one of two spellings, or in the body as {RequestId}. */
export function v1InvalidateSession(call: Call, world: World): Answer {
  const { query } = call
  const id = query.get('requetsId') ?? query.get('requestId') ?? textIn(call.json().RequestId)
  invalidate(findSession(id, world, 'v1'))
  return {}
}

/** `POST /identification/no/eid/mobile` → {RequestId, MerchantRef, Error, OK, InvalidMobileNumberOrDateOfBirth} */
export function v1StartMobile(call: Call, world: World): Answer {
  const requested = fromV1Mobile(call.json())
  const { phoneNumber, dateOfBirth } = requested.prefilledInput
  if (!isPhone(phoneNumber) || !isDate(dateOfBirth)) {
    const Error = 'The mobile number or the date of birth is invalid.'
    return { json: { RequestId: null, MerchantRef: null, Error, OK: false, InvalidMobileNumberOrDateOfBirth: true } }
  }
  const session = openSession(world, requested, 'v1')
  startHeadless(session, world)
  const { id, securityReference } = session
  const answer = { RequestId: id, MerchantRef: securityReference, Error: null, OK: true }
  return { json: { ...answer, InvalidMobileNumberOrDateOfBirth: false } }
}

function problemsOf(body: JsonObject): FieldError[] {
  const urls = objectIn(body.ReturnUrls)
  const wrong = ['Success', 'Abort', 'Error'].filter((name) => !parseUrl(textIn(urls[name])))
  const errors = wrong.map((name) => ({ field: `ReturnUrls.${name}`, message: `${name} must be a whole address.` }))
  const { Domain } = objectIn(body.iFrame)
  if (body.iFrame !== undefined && textIn(Domain) === '') {
    errors.push({ field: 'iFrame.Domain', message: 'The field Domain is required.' })
  }
  return errors
}
