/** Translates between the two versions of identification (`docs/interface.md` 3.1, 9). */
import { compact, isPlainObject, type PlainObject } from '../../lib/runtime/body'
import { at } from '../../lib/runtime/words'

/** Status names: v2 on the left, v1 on the right. */
const statuses: readonly (readonly [string, string])[] = [
  ['created', 'CREATED'],
  ['user_initiated', 'USERINITIATED'],
  ['success', 'SUCCESS'],
  ['failed', 'ERROR'],
  ['user_aborted', 'USERABORTED'],
  ['invalidated', 'INVALIDATED'],
  ['timed_out', 'TIMEOUT'],
]

/** The v2 name of a status of either version; an unknown one stays as it is. */
export function v2Status(status: string): string {
  return statuses.find(([, v1]) => v1 === status.toUpperCase())?.[0] ?? status
}

/** The v1 name of a status of either version; an unknown one stays as it is. */
export function v1Status(status: string): string {
  return statuses.find(([v2]) => v2 === status)?.[1] ?? status
}

/** Field names that only v1 has: their first letter is upper case, but for `iFrame`. */
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

export function isV1Shaped(body: PlainObject): boolean {
  return v1Names.some((name) => Object.hasOwn(body, name))
}

/** A v1 request as v2 wants it, by the table of 9.5. Fields of neither table stay as they are. */
export function toV2(body: PlainObject): PlainObject {
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !v1Names.includes(name)))
  const domain = at(body, 'iFrame.Domain')
  const translated = compact({
    flow: flowOf(body),
    allowedProviders: typeof body.IdentityProvider === 'string' ? [providerOf(body.IdentityProvider)] : undefined,
    language: typeof body.Language === 'string' ? body.Language.toLowerCase() : undefined,
    include: body.GetSocialSecurityNumber === true ? ['nin'] : undefined,
    redirectSettings: {
      successUrl: at(body, 'ReturnUrls.Success'),
      abortUrl: at(body, 'ReturnUrls.Abort'),
      errorUrl: at(body, 'ReturnUrls.Error'),
    },
    iframeSettings: domain === undefined ? undefined : iframeOf(String(domain)),
    externalReference: body.ExternalReference,
    prefilledInput: { phoneNumber: body.MobileNumber, dateOfBirth: body.DateOfBirth },
  })
  return { ...translated, ...rest }
}

/** The older name of the browser-based Norwegian provider has another one in v2. */
function providerOf(provider: string): string {
  const small = provider.toLowerCase()
  return small === 'no_eid_web' ? 'no_eid_netcentric' : small
}

function flowOf(body: PlainObject): string {
  if (isPlainObject(body.iFrame)) return 'iframe'
  return body.MobileNumber !== undefined ? 'headless' : 'redirect'
}

/** v1 names a domain, v2 the origins of pages. */
function iframeOf(domain: string): PlainObject {
  const origin = /^https?:\/\//.test(domain) ? domain : `https://${domain}`
  return { parentDomains: [origin], postMessageTargetOrigin: origin }
}
