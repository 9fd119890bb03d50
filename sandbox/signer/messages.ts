/** The web messages of the signer app (`docs/interface.md` 6.1), who receives them, and who may frame the app. */
import { objectIn, textIn } from '../server/json'
import { parseUrl } from '../server/urls'
import type { SignatureDocument, Signer } from '../signature/state'

type MessageType =
  | 'outdated_browser'
  | 'app_started'
  | 'document_expired'
  | 'eid_selected'
  | 'document_read'
  | 'language_changed'
  | 'spinner_on'
  | 'spinner_off'
  | 'user_canceled'
  | 'sign_success'
  | 'sign_error'
  | 'already_signed'

export interface WebMessage {
  readonly type: MessageType
  readonly payload?: unknown
}

export interface SignError {
  readonly errorCode: string
  readonly errorMessage: string
  readonly eidErrorCode?: string
  readonly eidErrorMessage?: string
}

/** Who may receive messages. */
export interface Receiver {
  readonly origin: string
  /** A host on this machine or in a private network, of which every port matches; empty for any other host. */
  readonly host: string
}

/** A message about the document as a whole. */
export function about(type: MessageType, document: SignatureDocument): WebMessage {
  return { type, payload: { documentId: document.id } }
}

export function failure(error: SignError, document: SignatureDocument): WebMessage {
  return { type: 'sign_error', payload: { ...error, documentId: document.id } }
}

export function redirectMode(signer: Signer): string {
  return textIn(objectIn(signer.requested.redirectSettings).redirectMode)
}

/**
 * Who may receive messages; undefined if no messages are to be sent. `origin` is the origin of the last domain in the
 * settings. If this domain has no port, and is on this machine or in a private network, `host` is its name.
 */
export function receiverOf(signer: Signer): Receiver | undefined {
  const last = domainsOf(signer).at(-1)
  if (!last || !redirectMode(signer).includes('webmessaging')) return undefined
  const url = originOf(last)
  return url && { origin: url.origin, host: isNear(url.hostname) && url.port === '' ? url.hostname : '' }
}

/**
 * The sources of `frame-ancestors`: the domains in the settings. If there are no domains, `*` in the modes that use a
 * frame and `'none'` in all others.
 */
export function frameAncestors(signer: Signer): string {
  const sources = domainsOf(signer).flatMap((domain) => {
    const url = originOf(domain)
    if (!url) return []
    return isNear(url.hostname) && url.port === '' ? [url.origin, `${url.origin}:*`] : [url.origin]
  })
  if (sources.length > 0) return sources.join(' ')
  return redirectMode(signer).startsWith('iframe') ? '*' : "'none'"
}

function domainsOf(signer: Signer): string[] {
  return textIn(objectIn(signer.requested.redirectSettings).domain).split(/\s+/).filter(Boolean)
}

/**
 * The origin of a domain. If the domain has no scheme, it gets https; on this machine and private networks, where
 * certificates are rare, it gets http.
 */
function originOf(domain: string): URL | undefined {
  if (/^https?:\/\//i.test(domain)) return parseUrl(domain)
  const secure = parseUrl(`https://${domain}`)
  return secure && isNear(secure.hostname) ? parseUrl(`http://${domain}`) : secure
}

function isNear(host: string): boolean {
  return !host.includes('.') || /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)
}
