/**
 * Preserves the raw bytes of calls to our public addresses: if the editor has the same root, its parsers run first and
 * would consume them.
 */
import type { HttpHandler, HttpRequest, Router } from '../node-red/node-red'

/** The part of an Express application that its typings omit. */
interface App extends Router {
  readonly parent?: App
  readonly _router?: { readonly stack: { readonly handle: unknown }[] }
  path?(): string
  use?(handler: HttpHandler): void
}

/**
 * Makes every parser of Node-RED skip requests whose path, below `httpNode`, `isOurs`. Called once, when Node-RED loads
 * the node. If nothing is mounted above `httpNode`, nothing runs before us either.
 */
export function guardRawBodies(httpNode: Router, isOurs: (path: string) => boolean): void {
  const node = httpNode as App
  const root = rootOf(node)
  if (root === node || !root.use) return
  const guard: HttpHandler = (request, _response, next) => {
    const below = node.path?.().replace(/\/$/, '') ?? ''
    // Express has not set `request.path` yet.
    const [path = ''] = (request.url ?? '').split('?')
    if (path.startsWith(`${below}/`) && isOurs(path.slice(below.length))) leaveUnparsed(request)
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

/** Sets the flag by which body parsers know that a body has already been handled. */
function leaveUnparsed(request: HttpRequest): void {
  Object.assign(request, { _body: true })
}
