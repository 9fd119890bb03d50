/** Decides who may use an editor route: people with the permission, from the editor's own pages. */
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import type { HttpHandler, HttpRequest, Runtime } from '../node-red/node-red'

/** The name of the setting in which Express keeps its function that recognizes trusted proxies. */
const trustSetting = ['trust', 'proxy', 'fn'].join(' ')

/** What a person may do: read and press what is ours, or deploy flows. */
type Permission = 'eid.read' | 'eid.write' | 'flows.write'

/**
 * The first handlers of every route below `/eid/` of the editor. They refuse foreign pages, because without a login,
 * Node-RED accepts calls from any page. A page of another site that is open in the operator's browser could read who
 * signs what, and cancel documents.
 */
export function editorOnly(RED: Runtime, permission: Permission): HttpHandler[] {
  return [refuseForeign, RED.auth.needsPermission(permission)]
}

/**
 * The first handlers of a route that people with the permission send JSON to. Any other type is refused, because a
 * form on a foreign page could send it with the login stored in the browser.
 */
export function editorJson(RED: Runtime, permission: Permission = 'eid.write'): HttpHandler[] {
  return [...editorOnly(RED, permission), refuseOthers]
}

/** The object in the body of a request; empty if the body is no object. */
export const objectIn = ({ body }: HttpRequest): PlainObject => (isPlainObject(body) ? body : {})

const refuseOthers: HttpHandler = ({ headers }, response, next) => {
  if (/^application\/json\b/i.test(headers['content-type'] ?? '')) next()
  else response.status(415).end()
}

const refuseForeign: HttpHandler = (request, response, next) => {
  if (isForeign(request)) response.status(403).end()
  else next()
}

/**
 * True for a call from a page of another origin. Browsers state this in a header if they can; otherwise the page's
 * origin is compared with the requested host. Programs send neither header.
 */
export function isForeign(request: HttpRequest): boolean {
  const { origin, host, 'sec-fetch-site': site, 'x-forwarded-host': forwarded } = request.headers
  // `none` is a call without a page, such as a typed address: it has no origin.
  if (site !== undefined && site !== 'none') return site !== 'same-origin'
  if (origin === undefined) return false
  // The forwarded host counts only from a trusted proxy. Without a proxy, the foreign page itself could set this
  // header, because Node-RED lets every page set every header.
  const asked = isFromProxy(request) && forwarded !== undefined ? String(forwarded).split(',')[0]?.trim() : host
  return !URL.canParse(origin) || new URL(origin).host !== asked
}

/** Whether the sender is a trusted proxy according to Express's setting `trust proxy`. */
function isFromProxy({ app, socket }: HttpRequest): boolean {
  const isTrusted = app?.get(trustSetting) as ((address: string | undefined, hop: number) => boolean) | undefined
  return isTrusted?.(socket.remoteAddress, 0) === true
}
