/** Public addresses of nodes: one route for all of them, which looks up the live node that the path belongs to. */
import type { HttpHandler, HttpRequest, HttpResponse, Runtime } from './node-red'
import { guardRawBodies } from './raw-body-guard'

/** Takes a request to a node's path; `rest` are the segments after it. */
export type Visit = (request: HttpRequest, response: HttpResponse, rest: readonly string[]) => void

export interface PublicRoutes {
  /**
   * Makes a path live; gives the function that ends that, or undefined when another node has the path already. Requests over the limits are
   * answered with 429 before anything of them is read, and `limited` is told.
   */
  open(path: string, visit: Visit, limited: () => void): (() => void) | undefined
}

interface Live {
  readonly visit: Visit
  readonly limited: () => void
  readonly admits: (response: HttpResponse) => boolean
}

/**
 * Registers the route, once, when Node-RED loads the node: nothing has to be taken out of the router later. Requests to other paths go on
 * to other nodes. `httpNodeRoot` and `httpNodeAuth` are Node-RED's own; `httpNodeMiddleware` is applied as the core nodes do.
 */
export function createPublicRoutes(RED: Runtime, methods: readonly ('get' | 'post')[]): PublicRoutes {
  const live = new Map<string, Live>()
  const find = (path: string) => {
    const fitting = [...live.keys()].filter((one) => path === one || path.startsWith(`${one}/`))
    const own = fitting.sort((one, other) => other.length - one.length)[0]
    return own === undefined ? undefined : { to: live.get(own), rest: path.slice(own.length + 1).split('/') }
  }
  const guard: HttpHandler = (request, _response, next) => next(find(request.path) ? undefined : 'route')
  const answer: HttpHandler = (request, response, next) => {
    const found = find(request.path)
    if (!found?.to) return next()
    const { visit, limited, admits } = found.to
    if (admits(response)) return visit(request, response, found.rest[0] === '' ? [] : found.rest)
    response.status(429).set({ 'Cache-Control': 'no-store', 'Retry-After': '1' }).end()
    limited()
  }
  guardRawBodies(RED.httpNode, (path) => find(path) !== undefined)
  const middleware = [RED.settings.httpNodeMiddleware ?? []].flat()
  for (const method of methods) RED.httpNode[method](/.*/, guard, ...middleware, answer)
  return {
    open(path, visit, limited) {
      const own = normalPath(path)
      if (live.has(own)) return undefined
      live.set(own, { visit, limited, admits: createGate() })
      return () => void live.delete(own)
    },
  }
}

/** Requests of one path that are being answered at the same time; each may hold what it has read so far. */
const mostAtOnce = 500
/** Requests of one path in any one second. It is short, so that whoever floods a path keeps others out no longer than the flood lasts. */
const mostPerSecond = 1000

/** Says whether one more request may come in now, and counts it until its answer is out. */
function createGate(): Live['admits'] {
  let atOnce = 0
  let count = 0
  let since = 0
  return (response) => {
    const now = performance.now()
    if (now - since >= 1000) [since, count] = [now, 0]
    if (atOnce >= mostAtOnce || count >= mostPerSecond) return false
    count++
    atOnce++
    response.once('close', () => atOnce--)
    return true
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
