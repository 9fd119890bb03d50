/** Who may use a route of the editor: people with the permission, from the editor's own pages. */
import type { HttpHandler, HttpRequest, Runtime } from '../node-red/node-red'

/**
 * What every route below `/eid/` of the editor begins with. Without a login, Node-RED lets any page ask: a page of
 * somebody else that is open in the operator's browser could read who signs what, and cancel it.
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
 * origin is held against the host that was asked for. Programs send neither.
 */
function isForeign({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = headers
  if (origin === undefined) return false
  const asked = [
    host,
    String(headers['x-forwarded-host'] ?? '')
      .split(',')[0]
      ?.trim(),
  ]
  return !URL.canParse(origin) || !asked.includes(new URL(origin).host)
}
