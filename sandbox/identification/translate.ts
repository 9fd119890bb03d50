/** Turns v1 requests into v2 requests (`docs/interface.md` 9.5). */
import { objectIn, textIn, type JsonObject } from '../server/json'
import { fromV1Provider } from './providers'
import { isoDate } from './person'

/**
 * Converts a request of `POST /identification/session`. The converted request always includes names and birth dates,
 * because every v1 response contains them.
 */
export function fromV1Body(body: JsonObject): JsonObject {
  const { Success, Abort, Error } = objectIn(body.ReturnUrls)
  return {
    flow: body.iFrame === undefined ? 'redirect' : 'iframe',
    ...common(body),
    redirectSettings: { successUrl: Success, abortUrl: Abort, errorUrl: Error },
    ...(body.iFrame !== undefined && { iframeSettings: fromIframe(objectIn(body.iFrame)) }),
    prefilledInput: { nin: body.PreFilledSocialSecurityNumber },
  }
}

/** Converts a request of `POST /identification/no/eid/mobile`; a number without a prefix is Norwegian. */
export function fromV1Mobile(body: JsonObject): JsonObject & {
  readonly prefilledInput: { readonly phoneNumber: string; readonly dateOfBirth: string }
} {
  const number = textIn(body.MobileNumber).replace(/ /g, '')
  const phoneNumber = number.startsWith('+') ? number : number.length > 8 ? `+${number}` : `+47${number}`
  const dateOfBirth = isoDate(textIn(body.DateOfBirth))
  return {
    flow: 'headless',
    ...common({ ...body, IdentityProvider: 'NO_EID_MOBILE' }),
    prefilledInput: { phoneNumber, dateOfBirth },
  }
}

function common(body: JsonObject): JsonObject {
  const provider = textIn(body.IdentityProvider)
  return {
    allowedProviders: provider && provider !== 'UNKNOWN' ? [fromV1Provider(provider)] : [],
    language: textIn(body.Language).toLowerCase(),
    include: ['name', 'date_of_birth', ...(body.GetSocialSecurityNumber === true ? ['nin'] : [])],
    externalReference: body.ExternalReference,
  }
}

/** Converts the settings for an iframe; the domain in a v1 request may lack a scheme. */
function fromIframe({ Domain, WebMessaging }: JsonObject): JsonObject {
  const domain = textIn(Domain)
  const isLocal = /^(localhost|127\.)/.test(domain)
  const origin = domain.includes('://') ? new URL(domain).origin : `${isLocal ? 'http' : 'https'}://${domain}`
  return { parentDomains: [domain], ...(WebMessaging === true && { postMessageTargetOrigin: origin }) }
}
