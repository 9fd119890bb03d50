/** The required parts of a session, in either version (`docs/interface.md` 2.5, 4.8, 9.3). */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { PlainObject } from '../../lib/common/plain-object'
import { getPath } from '../../lib/runtime/values/read-text'
import { day } from '../../lib/settings/rules'
import { isForPhone } from './versions'

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Returns all faults that are certain to make a v2 request fail. */
export function problemsOf(body: PlainObject): ProblemKey[] {
  const { flow } = body
  if (isEmpty(flow)) return [{ path: 'flow', key: 'missing' }]
  const known = flow === 'redirect' || flow === 'iframe' || flow === 'headless'
  if (!known) return [{ path: 'flow', key: 'choice', params: { choices: 'redirect, iframe, headless' } }]
  const missing = (needs[flow] ?? headlessNeeds(body))
    .filter((path) => isEmpty(getPath(body, path)))
    .map((path) => ({ path, key: lists.has(path) ? 'noneFor' : 'neededFor', params: { flow: `@words.flow.${flow}` } }))
  return [...missing, ...birthProblem(body)]
}

/** The fields that each flow with a page requires. */
const needs: Readonly<Record<string, readonly string[]>> = {
  redirect: ['redirectSettings.successUrl', 'redirectSettings.abortUrl', 'redirectSettings.errorUrl'],
  iframe: ['iframeSettings.parentDomains', 'iframeSettings.postMessageTargetOrigin'],
}

/** The settings that take several values; their labels are plurals. */
const lists: ReadonlySet<string> = new Set(['allowedProviders', 'iframeSettings.parentDomains'])

const providersOf = (body: PlainObject) =>
  (Array.isArray(body.allowedProviders) ? (body.allowedProviders as unknown[]) : []).map((one) =>
    String(one).toLowerCase(),
  )

/**
 * The fields that an identification without a page requires: for a Norwegian eID on the phone, the number and the birth
 * date; for a Swedish eID, the national id. If several providers are allowed, the fields of all of them are required,
 * because the person may use any of them.
 */
function headlessNeeds(body: PlainObject): readonly string[] {
  const providers = providersOf(body)
  if (providers.length === 0) return ['allowedProviders']
  return [
    ...(providers.includes('no_eid_mobile') ? ['prefilledInput.phoneNumber', 'prefilledInput.dateOfBirth'] : []),
    ...(providers.includes('se_eid') ? ['prefilledInput.nin'] : []),
  ]
}

function birthProblem(body: PlainObject): ProblemKey[] {
  const date = getPath(body, 'prefilledInput.dateOfBirth')
  const key = isEmpty(date) ? undefined : day(String(date))
  return key ? [{ path: 'prefilledInput.dateOfBirth', key }] : []
}

/** Returns the keys of warnings about a v2 request, which is sent anyway because it may still work. */
export function warningsFor(body: PlainObject): string[] {
  if (body.flow !== 'headless') return []
  // Providers may be added at any time, so suitable ones are recognized by a part of their name.
  const able = providersOf(body).some((one) => /mobile|^se_|^swe_/.test(one))
  const phone = getPath(body, 'prefilledInput.phoneNumber')
  return [
    ...(able ? [] : ['headlessProvider']),
    ...(isEmpty(phone) || /^(\+|00)/.test(String(phone)) ? [] : ['phonePrefix']),
  ]
}

/**
 * Returns the parts that are missing in a v1 request: a request to the phone needs the person's details, a frame its
 * domain, and a page its three return addresses.
 */
export function v1ProblemsOf(body: PlainObject): ProblemKey[] {
  const page = ['ReturnUrls.Success', 'ReturnUrls.Abort', 'ReturnUrls.Error']
  const framed = body.iFrame !== undefined ? ['iFrame.Domain'] : page
  const wanted = isForPhone(body) ? ['MobileNumber', 'DateOfBirth'] : framed
  return wanted.filter((path) => isEmpty(getPath(body, path))).map((path) => ({ path, key: 'missing' }))
}
