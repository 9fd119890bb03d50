/** Public addresses of nodes: one route for all of them, which looks up the live node that the path belongs to. */
import type { HttpHandler, HttpRequest, HttpResponse, Runtime } from './node-red'
import { guardRawBodies } from './raw-body-guard'

/** Takes a request to a node's path; `rest` are the segments after it. */
export type Visit = (request: HttpRequest, response: HttpResponse, rest: readonly string[]) => void

export interface PublicRoutes {
  /** Makes a path live; gives the function that ends that, or undefined when another node has the path already. */
  open(path: string, visit: Visit): (() => void) | undefined
}

/**
 * Registers the route, once, when Node-RED loads the node: nothing has to be taken out of the router later. Requests to other paths go on
 * to other nodes. `httpNodeRoot` and `httpNodeAuth` are Node-RED's own; `httpNodeMiddleware` is applied as the core nodes do.
 */
export function createPublicRoutes(RED: Runtime, methods: readonly ('get' | 'post')[]): PublicRoutes {
  const live = new Map<string, Visit>()
  const find = (path: string) => {
    const fitting = [...live.keys()].filter((one) => path === one || path.startsWith(`${one}/`))
    const own = fitting.sort((one, other) => other.length - one.length)[0]
    return own === undefined ? undefined : { visit: live.get(own), rest: path.slice(own.length + 1).split('/') }
  }
  const guard: HttpHandler = (request, _response, next) => next(find(request.path) ? undefined : 'route')
  const answer: HttpHandler = (request, response, next) => {
    const found = find(request.path)
    if (!found?.visit) return next()
    found.visit(request, response, found.rest[0] === '' ? [] : found.rest)
  }
  guardRawBodies(RED.httpNode, (path) => find(path) !== undefined)
  const middleware = [RED.settings.httpNodeMiddleware ?? []].flat()
  for (const method of methods) RED.httpNode[method](/.*/, guard, ...middleware, answer)
  return {
    open(path, visit) {
      const own = normalPath(path)
      if (live.has(own)) return undefined
      live.set(own, visit)
      return () => void live.delete(own)
    },
  }
}

/** `/hooks/one` for `hooks/one/`. */
export function normalPath(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`
}

/**
 * The address under which others reach `path`: `publicUrl` as it is when it has a path of its own, otherwise with `httpNodeRoot` put in. Without
 * a public address, the path from the root of whatever host the page was reached at.
 */
export function publicAddress(RED: Runtime, publicUrl: string, path: string): string {
  const root = normalPath(RED.settings.httpNodeRoot || '/').replace(/\/$/, '')
  if (publicUrl === '') return root + normalPath(path)
  const base = publicUrl.replace(/\/+$/, '')
  const bare = URL.canParse(base) && new URL(base).pathname === '/'
  return base + (bare ? root : '') + normalPath(path)
}
