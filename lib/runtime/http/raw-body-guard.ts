/**
 * Preserves the raw bytes of calls to our public addresses. If the editor has the same root, the editor's parsers run
 * first and would consume these bytes.
 */
import type { HttpHandler, HttpRequest, Router } from '../node-red/node-red'

/** The properties of an Express application that its type definitions omit. */
interface App extends Router {
  readonly parent?: App
  readonly _router?: { readonly stack: { readonly handle: unknown }[] }
  path?(): string
  use?(handler: HttpHandler): void
}

/**
 * Makes Node-RED's parsers skip each request for which `isOurs` returns true; `path` is its path below `httpNode`.
 * Called once, when Node-RED loads the node. If `httpNode` is not mounted in another application, no parser runs before
 * it, and nothing is changed.
 */
export function guardRawBodies(httpNode: Router, isOurs: (path: string) => boolean): void {
  const node = httpNode as App
  const root = rootOf(node)
  if (root === node || !root.use) return
  const guard: HttpHandler = (request, _response, next) => {
    const below = node.path?.().replace(/\/$/, '') ?? ''
    // At this point, Express has not set `request.path` yet.
    const [path = ''] = (request.url ?? '').split('?')
    // Express takes two slashes, as after an address that ends in one, for one.
    const own = path.slice(below.length).replace(/^\/+/, '/')
    if (path.startsWith(`${below}/`) && isOurs(own)) leaveUnparsed(request)
    next()
  }
  root.use(guard)
  const stack = root._router?.stack
  const added = stack?.findIndex(({ handle }) => handle === guard) ?? -1
  if (added > 0) stack?.unshift(...stack.splice(added, 1))
}

function rootOf(app: App): App {
  return app.parent ? rootOf(app.parent) : app
}

/** Sets the flag by which body parsers recognize that a body has already been handled. */
function leaveUnparsed(request: HttpRequest): void {
  Object.assign(request, { _body: true })
}
