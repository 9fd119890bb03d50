/** Who may use a route of the editor: people with the permission, from the editor's own pages. */
import type { HttpHandler, HttpRequest, Runtime } from '../node-red/node-red'

/** Where Express keeps which proxies it trusts, as a function. */
const trustSetting = ['trust', 'proxy', 'fn'].join(' ')

/**
 * What every route below `/eid/` of the editor begins with. Without a login, Node-RED lets any page ask: a page of
 * another site that is open in the operator's browser could read who signs what, and cancel it.
 */
export function editorOnly(RED: Runtime, permission: 'eid.read' | 'eid.write'): HttpHandler[] {
  return [refuseForeign, RED.auth.needsPermission(permission)]
}

const refuseForeign: HttpHandler = (request, response, next) => {
  if (isForeign(request)) response.status(403).end()
  else next()
}

/**
 * True for a call that a page of another origin makes. A browser says so itself where it can; otherwise the page's
 * origin is compared with the host that was asked for. Programs send neither.
 */
export function isForeign(request: HttpRequest): boolean {
  const { origin, host, 'sec-fetch-site': site, 'x-forwarded-host': forwarded } = request.headers
  // `none` is a call without a page, such as a typed address: it has no origin.
  if (site !== undefined && site !== 'none') return site !== 'same-origin'
  if (origin === undefined) return false
  // Without a proxy it is the page that says what was forwarded: Node-RED allows every page every header.
  const asked = isFromProxy(request) && forwarded !== undefined ? String(forwarded).split(',')[0]?.trim() : host
  return !URL.canParse(origin) || new URL(origin).host !== asked
}

/** Whether what has sent it is a proxy that the person trusts, by the setting `trust proxy` of Express. */
function isFromProxy({ app, socket }: HttpRequest): boolean {
  const isTrusted = app?.get(trustSetting) as ((address: string | undefined, hop: number) => boolean) | undefined
  return isTrusted?.(socket.remoteAddress, 0) === true
}
