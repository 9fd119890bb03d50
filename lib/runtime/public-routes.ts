/** Public addresses of nodes: one route for all of them, which looks up the live node that the path belongs to. */
import type { HttpHandler, HttpRequest, HttpResponse, Router, Runtime } from './node-red'
import { guardRawBodies } from './raw-body-guard'

export type Method = 'get' | 'post'

/** Takes a request to a node's path; `rest` are the segments after it. */
export type Visit = (request: HttpRequest, response: HttpResponse, rest: readonly string[]) => void

export interface PublicRoutes {
  /**
   * Makes a path live; gives the function that ends that, or undefined when another node has the path already. Requests over the limits are
   * answered with 429 before anything of them is read, and `limited` is told.
   */
  open(path: string, visit: Visit, limited: () => void): (() => void) | undefined
}

/** What is being answered, as far as the limits are concerned. */
interface Closing {
  once(event: 'close', listener: () => void): unknown
}

interface Place {
  readonly path: string
  readonly methods: readonly Method[]
  readonly visit: Visit
  readonly limited: () => void
  readonly admits: (response: Closing) => boolean
}

/** The live paths of every kind of node: one kind may lie below another's, and the longest path wins. */
const shared = new WeakMap<Router, Set<Place>>()

/**
 * The addresses of one kind of node, called when Node-RED loads it. The routes are registered once for all kinds: nothing has to be taken
 * out of the router later. Requests to other paths go on to other nodes. `httpNodeRoot` and `httpNodeAuth` are Node-RED's own;
 * `httpNodeMiddleware` is applied as the core nodes do.
 */
export function createPublicRoutes(RED: Runtime, methods: readonly Method[]): PublicRoutes {
  const places = placesOf(RED)
  return {
    open(path, visit, limited) {
      const place: Place = { path: normalPath(path), methods, visit, limited, admits: createGate() }
      const taken = [...places].some(
        (one) => one.path === place.path && methods.some((own) => one.methods.includes(own)),
      )
      // The root itself belongs to whatever else Node-RED serves.
      if (taken || place.path === '/') return undefined
      places.add(place)
      return () => void places.delete(place)
    },
  }
}

function placesOf(RED: Runtime): Set<Place> {
  const known = shared.get(RED.httpNode)
  if (known) return known
  const places = new Set<Place>()
  shared.set(RED.httpNode, places)
  guardRawBodies(RED.httpNode, (path) => find(places, 'post', path) !== undefined)
  const middleware = [RED.settings.httpNodeMiddleware ?? []].flat()
  for (const method of ['get', 'post'] as const) {
    const guard: HttpHandler = (request, _response, next) => {
      next(find(places, method, request.path) ? undefined : 'route')
    }
    const answer: HttpHandler = (request, response, next) => {
      const place = find(places, method, request.path)
      if (!place) return next()
      const rest = request.path.slice(place.path.length + 1).split('/')
      if (place.admits(response)) return place.visit(request, response, rest[0] === '' ? [] : rest)
      response.status(429).set({ 'Cache-Control': 'no-store', 'Retry-After': '1' }).end()
      place.limited()
    }
    RED.httpNode[method](/.*/, guard, ...middleware, answer)
  }
  return places
}

function find(places: ReadonlySet<Place>, method: Method, path: string): Place | undefined {
  const fitting = [...places].filter((one) => path === one.path || path.startsWith(`${one.path}/`))
  const served = fitting.filter(({ methods }) => methods.includes(method))
  return served.sort((one, other) => other.path.length - one.path.length)[0]
}

/** Requests of one path that are being answered at the same time; each may hold what it has read so far. */
const mostAtOnce = 500
/** Requests of one path in any one second. It is short, so that whoever floods a path keeps others out no longer than the flood lasts. */
const mostPerSecond = 1000

/** Makes what says whether one more request may come in now, and counts it until its answer is out; `clock` gives milliseconds. */
export function createGate(clock: () => number = () => performance.now()): Place['admits'] {
  let atOnce = 0
  let count = 0
  let since = -Infinity
  return (response) => {
    const now = clock()
    if (now - since >= 1000) [since, count] = [now, 0]
    if (atOnce >= mostAtOnce || count >= mostPerSecond) return false
    count++
    atOnce++
    response.once('close', () => atOnce--)
    return true
  }
}

/** `/hooks/one` for `hooks/one/`, in the spelling in which requests come in: `/sign%C3%A9` for `/signé`. */
export function normalPath(path: string): string {
  return new URL(`http://any/${path.split('/').filter(Boolean).join('/')}`).pathname
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
