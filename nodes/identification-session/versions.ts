/** Translates between the two versions of identification (`docs/interface.md` 3.1, 9). */
import { renamedProviders, v1Status, v2Provider, v2Status } from '../../lib/api/sessions'
import { compact, overlay } from '../../lib/runtime/values/body'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { splitList } from '../../lib/common/split-list'
import { getPath } from '../../lib/runtime/values/read-text'

/**
 * Returns the status in a response of either version under both names: the v2 name, and the v1 name for flows that
 * still use it.
 */
export function statusesIn(data: unknown): { status: string | undefined; statusV1: string | undefined } {
  const said = getPath(data, 'status') ?? getPath(data, 'Status')
  return statusesOf(typeof said === 'string' ? v2Status(said) : undefined)
}

/** Returns a v2 status under its v2 name and under its v1 name. */
export function statusesOf(status: string | undefined) {
  return { status, statusV1: status === undefined ? undefined : v1Status(status) }
}

/** Field names that only v1 has: they begin with a capital letter, except `iFrame`. */
const v1Names = [
  'IdentityProvider',
  'ReturnUrls',
  'Language',
  'GetSocialSecurityNumber',
  'ExternalReference',
  'iFrame',
  'MobileNumber',
  'DateOfBirth',
]

/** The fields of v2 that have a counterpart in v1. */
const v2Names = [
  'flow',
  'allowedProviders',
  'language',
  'include',
  'redirectSettings',
  'iframeSettings',
  'externalReference',
  'prefilledInput',
]

const hasAny = (body: PlainObject, names: readonly string[]) => names.some((name) => Object.hasOwn(body, name))
const without = (body: PlainObject, names: readonly string[]): PlainObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

export const isV1Shaped = (body: PlainObject): boolean => hasAny(body, v1Names)
export const isV2Shaped = (body: PlainObject): boolean => hasAny(body, v2Names)

/** Whether the request is a v1 request to a phone, which has no page (`POST /no/eid/mobile`). */
export const isForPhone = (body: PlainObject): boolean => hasAny(body, ['MobileNumber', 'DateOfBirth'])

/**
 * Converts a v1 request to v2 by the table in `docs/interface.md` 9.5. If the request also contains v2 fields, these
 * take precedence. Fields that are not in the table stay unchanged.
 */
export function toV2(body: PlainObject): PlainObject {
  const rest = without(body, v1Names)
  const domain = getPath(body, 'iFrame.Domain')
  const translated = compact({
    flow: flowOf(body),
    allowedProviders: providersOf(body),
    language: typeof body.Language === 'string' ? body.Language.toLowerCase() : undefined,
    redirectSettings: {
      successUrl: getPath(body, 'ReturnUrls.Success'),
      abortUrl: getPath(body, 'ReturnUrls.Abort'),
      errorUrl: getPath(body, 'ReturnUrls.Error'),
    },
    iframeSettings: domain === undefined ? undefined : iframeOf(String(domain)),
    externalReference: body.ExternalReference,
    prefilledInput: { phoneNumber: withPrefix(body.MobileNumber), dateOfBirth: longDay(body.DateOfBirth) },
  })
  // Both the v1 fields and the v2 fields may say which data to request, so the data from both are requested.
  const include = body.GetSocialSecurityNumber === true ? [...new Set([...(splitList(rest.include) ?? []), 'nin'])] : []
  return overlay(translated, { ...rest, ...(include.length > 0 && { include }) })
}

/**
 * Converts a v2 request to v1 by the table in `docs/interface.md` 9.5, read from right to left. Fields that are not in
 * the table stay unchanged.
 */
export function toV1(body: PlainObject): PlainObject {
  const [provider] = splitList(body.allowedProviders) ?? []
  const [domain] = splitList(getPath(body, 'iframeSettings.parentDomains')) ?? []
  const translated = compact({
    IdentityProvider: provider === undefined ? undefined : v1Provider(String(provider)),
    ReturnUrls: {
      Success: getPath(body, 'redirectSettings.successUrl'),
      Abort: getPath(body, 'redirectSettings.abortUrl'),
      Error: getPath(body, 'redirectSettings.errorUrl'),
    },
    Language: typeof body.language === 'string' ? body.language.toUpperCase() : undefined,
    GetSocialSecurityNumber: (splitList(body.include) ?? []).includes('nin') ? true : undefined,
    ExternalReference: body.externalReference,
    iFrame: domain === undefined ? undefined : v1Frame(String(domain), body),
    MobileNumber: withoutPrefix(getPath(body, 'prefilledInput.phoneNumber')),
    DateOfBirth: shortDay(getPath(body, 'prefilledInput.dateOfBirth')),
  })
  return overlay(without(body, v2Names), translated)
}

function providersOf(body: PlainObject): string[] | undefined {
  const providers = (splitList(body.IdentityProvider) ?? []).map((one) => String(one).toUpperCase())
  // UNKNOWN leaves the choice of provider to the person, and so does a request without a provider.
  const named = providers.filter((one) => one !== 'UNKNOWN').map(v2Provider)
  if (named.length > 0) return named
  return isForPhone(body) ? ['no_eid_mobile'] : undefined
}

function v1Provider(provider: string): string {
  return Object.entries(renamedProviders).find(([, v2]) => v2 === provider.toLowerCase())?.[0] ?? provider.toUpperCase()
}

function flowOf(body: PlainObject): string {
  if (isPlainObject(body.iFrame)) return 'iframe'
  return isForPhone(body) ? 'headless' : 'redirect'
}

/** Converts the domain of a v1 frame to v2, which needs the origins of the pages. */
function iframeOf(domain: string): PlainObject {
  const origin = /^https?:\/\//.test(domain) ? domain : `https://${domain}`
  return { parentDomains: [origin], postMessageTargetOrigin: origin }
}

function v1Frame(domain: string, body: PlainObject): PlainObject {
  const WebMessaging = getPath(body, 'iframeSettings.postMessageTargetOrigin') !== undefined
  return { Domain: domain.replace(/^https?:\/\//, ''), WebMessaging }
}

/** Adds the prefix +47 to eight digits, because v1 sends requests only to Norwegian phones. */
function withPrefix(phone: unknown): unknown {
  return /^\d{8}$/.test(String(phone)) ? `+47${String(phone)}` : phone
}

function withoutPrefix(phone: unknown): unknown {
  return typeof phone === 'string' ? phone.replace(/^\+47(?=\d{8}$)/, '') : phone
}

/** Converts ddMMyy to YYYY-MM-DD, assuming that the person is at most 100 years old; anything else stays as it is. */
function longDay(date: unknown): unknown {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(String(date)) ?? []
  if (day === undefined || month === undefined || year === undefined) return date
  return `${Number(year) > new Date().getFullYear() % 100 ? '19' : '20'}${year}-${month}-${day}`
}

function shortDay(date: unknown): unknown {
  return typeof date === 'string' ? date.replace(/^\d\d(\d\d)-(\d\d)-(\d\d)$/, '$3$2$1') : date
}
