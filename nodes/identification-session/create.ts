/** Creates a session: words the request, checks it, translates older ones (`docs/interface.md` 2.5, 4.7, 4.8). */
import type { ProblemKey } from '../../lib/api/errors'
import type { Patch } from '../../lib/runtime/api-node'
import { compact, overlay, type PlainObject } from '../../lib/runtime/body'
import { at, listOf } from '../../lib/runtime/words'
import type { SessionCall } from './call'
import { isV1Shaped, toV2, v2Status } from './versions'

export async function create(call: SessionCall): Promise<Patch> {
  const given = call.body(formOf(call))
  if (call.values.apiVersion === 'v1') return createV1(call, given)
  const older = isV1Shaped(given)
  if (older) call.warn('translated')
  const body = older ? toV2(given) : given
  call.check(problemsOf(body))
  if (body.flow === 'headless' && !supportsHeadless(body)) call.warn('headlessProvider')
  const { data } = await call.api.send('createSession', { body })
  const url = at(data, 'url')
  call.say(typeof url === 'string' ? 'created' : 'started')
  return { payload: data, sessionId: at(data, 'id'), status: statusIn(data) }
}

/** The older version has two calls: one for pages, one for the phone. */
async function createV1(call: SessionCall, body: PlainObject): Promise<Patch> {
  const phone = body.MobileNumber !== undefined
  const missing = phone
    ? [] // Which fields the phone needs, the service says.
    : ['Success', 'Abort', 'Error']
        .filter((name) => !at(body, `ReturnUrls.${name}`))
        .map((name) => `ReturnUrls.${name}`)
  call.check(missing.map((path) => ({ path, key: 'missing' })))
  const { data } = await call.api.send(phone ? 'v1StartMobile' : 'v1CreateSession', { body })
  call.say(phone ? 'started' : 'created')
  return { payload: data, sessionId: at(data, 'RequestId') }
}

function formOf({ values }: SessionCall): PlainObject {
  const form = {
    flow: values.flow,
    allowedProviders: listOf(values.allowedProviders),
    language: values.language,
    include: listOf(values.include),
    redirectSettings: { successUrl: values.successUrl, abortUrl: values.abortUrl, errorUrl: values.errorUrl },
    iframeSettings: {
      parentDomains: listOf(values.parentDomains),
      postMessageTargetOrigin: values.postMessageTargetOrigin,
    },
    externalReference: values.externalReference,
    prefilledInput: { phoneNumber: values.phoneNumber, dateOfBirth: values.dateOfBirth, nin: values.nin },
  }
  return overlay(compact(values.more ?? {}), compact(form))
}

/** What each flow cannot do without. */
const needs: Readonly<Record<string, readonly string[]>> = {
  redirect: ['redirectSettings.successUrl', 'redirectSettings.abortUrl', 'redirectSettings.errorUrl'],
  iframe: ['iframeSettings.parentDomains', 'iframeSettings.postMessageTargetOrigin'],
}

function problemsOf(body: PlainObject): ProblemKey[] {
  const { flow } = body
  if (flow === undefined || flow === '') return [{ path: 'flow', key: 'missing' }]
  const known = flow === 'redirect' || flow === 'iframe' || flow === 'headless'
  if (!known) return [{ path: 'flow', key: 'choice', params: { choices: 'redirect, iframe, headless' } }]
  const wanted = needs[flow] ?? headlessNeeds(body)
  const missing = wanted
    .filter((path) => isEmpty(at(body, path)))
    .map((path) => ({ path, key: 'neededFor', params: { flow } }))
  return [...missing, ...birthProblem(body)]
}

const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const providersOf = (body: PlainObject) =>
  (Array.isArray(body.allowedProviders) ? (body.allowedProviders as unknown[]) : []).map((one) =>
    String(one).toLowerCase(),
  )

/** The phone of the national id needs number and birth date, the Swedish one the national id. */
function headlessNeeds(body: PlainObject): readonly string[] {
  const providers = providersOf(body)
  if (providers.length === 0) return ['allowedProviders']
  if (providers.includes('no_eid_mobile')) return ['prefilledInput.phoneNumber', 'prefilledInput.dateOfBirth']
  return providers.includes('se_eid') ? ['prefilledInput.nin'] : []
}

/** Provider names are open words: those of the two kinds that can do it are known by what they end or begin with. */
const supportsHeadless = (body: PlainObject) => providersOf(body).some((one) => /mobile|^se_|^swe_/.test(one))

function birthProblem(body: PlainObject): ProblemKey[] {
  const date = at(body, 'prefilledInput.dateOfBirth')
  const good = isEmpty(date) || /^\d{4}-\d\d-\d\d$/.test(String(date))
  return good ? [] : [{ path: 'prefilledInput.dateOfBirth', key: 'day' }]
}

/** The v2 name of the status in an answer of either version. */
export function statusIn(data: unknown): string | undefined {
  const status = at(data, 'status') ?? at(data, 'Status')
  return typeof status === 'string' ? v2Status(status) : undefined
}
