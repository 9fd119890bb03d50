/**
 * Keeps the bytes of calls to our public addresses: with the editor at the same root, its parsers come first and would
 * take them.
 */
import type { HttpHandler, HttpRequest, Router } from '../node-red/node-red'

/** The part of an Express application that its own typings leave out. */
interface App extends Router {
  readonly parent?: App
  readonly _router?: { readonly stack: { readonly handle: unknown }[] }
  path?(): string
  use?(handler: HttpHandler): void
}

/**
 * Makes every parser of Node-RED pass by requests whose path, below `httpNode`, `isOurs`. Called once, when Node-RED
 * loads the node. If nothing is mounted above `httpNode`, nothing comes before us either.
 */
export function guardRawBodies(httpNode: Router, isOurs: (path: string) => boolean): void {
  const node = httpNode as App
  const root = rootOf(node)
  if (root === node || !root.use) return
  const guard: HttpHandler = (request, _response, next) => {
    const below = node.path?.().replace(/\/$/, '') ?? ''
    // Express has not worked out `request.path` yet.
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

/** The mark by which body parsers tell one another that a body has been dealt with. */
function leaveUnparsed(request: HttpRequest): void {
  Object.assign(request, { _body: true })
}
