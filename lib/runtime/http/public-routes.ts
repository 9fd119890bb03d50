/** The public addresses of nodes. All nodes share one route for each method, which finds the live node of a path. */
import { inputError } from '../../api/errors/errors'
import { adminRouteAt } from './admin-routes'
import { onFlowsStarted } from '../node-red/flows-started'
import type { HttpHandler, HttpRequest, HttpResponse, Router, Runtime } from '../node-red/node-red'
import { normalPath } from '../../common/public-path'
import { keepsPath, ownerParams, type PathOwner } from './path-owner'
import { pausedPaths, type PublicType } from './paused-paths'
import { createRateLimiter, type RateLimiter } from './rate-limiter'
import { guardRawBodies } from './raw-body-guard'

type Method = 'get' | 'post'

/** Handles a request to a node's path; `rest` contains the segments of the request's path after the node's path. */
export type RequestHandler = (request: HttpRequest, response: HttpResponse, rest: readonly string[]) => void

export interface PublicRoutes {
  /**
   * Makes a path live; returns the function that removes it. A request over the limits gets a 429 before any of its
   * content is read, and `limited` is called. `owns` are the segments below the path that only this node may answer.
   * Throws EID_INVALID_INPUT if the path is the root, conflicts with the editor, or belongs to another node. The node
   * that had the path before a deploy keeps it, even if `node` starts first.
   */
  mount(
    node: PathOwner,
    path: string,
    handler: RequestHandler,
    limited: () => void,
    owns?: readonly string[],
  ): () => void
}

/** A path and the node to which it belongs. */
interface Claim {
  readonly node: PathOwner
  readonly path: string
  readonly owns: readonly string[]
  readonly methods: readonly Method[]
}

interface Mount extends Claim {
  readonly handler: RequestHandler
  readonly limited: () => void
  readonly admits: RateLimiter
}

/** The paths of every kind of node. */
interface Paths {
  /** Paths of different kinds may be nested; the longest matching path handles the request. */
  readonly live: Set<Mount>
  /** The paths of the nodes that this deploy has stopped and not yet started again, by the id of the node. */
  readonly stopped: Map<string, Claim>
  /** The types of nodes with a public path. */
  readonly types: PublicType[]
}

const pathsByRouter = new WeakMap<Router, Paths>()

/**
 * The addresses of one kind of node, created when Node-RED loads that kind. The routes are registered once for all
 * kinds, so that nothing has to be removed from the router later. Requests to other paths are passed on. Node-RED
 * itself applies `httpNodeRoot` and `httpNodeAuth`; `httpNodeMiddleware` is applied here, as in the core nodes. If
 * `paused` is given, the path of a node of this type that is in the flows but does not answer now gets a 503.
 */
export function createPublicRoutes(
  RED: Runtime,
  methods: readonly Method[],
  paused?: Omit<PublicType, 'methods'>,
): PublicRoutes {
  const { live, stopped, types } = pathsOf(RED)
  if (paused) types.push({ ...paused, methods })
  return {
    mount(node, address, handler, limited, owns = []) {
      const path = normalPath(address)
      // The root is refused, because Node-RED may serve other things there.
      if (path === '/') throw inputError([{ path: 'path', key: 'pathTaken' }])
      const isRival = (one: Claim) =>
        (one.path === path && methods.some((own) => one.methods.includes(own))) ||
        isOwned(path, one) ||
        isOwned(one.path, { path, owns })
      const returns = (one: Claim) => one.node.id !== node.id && isRival(one) && keepsPath(RED, one.node, one.path)
      const rival = [...live].find(isRival) ?? [...stopped.values()].find(returns)
      if (rival) {
        const params = { address: path, ...ownerParams(RED, rival.node) }
        throw inputError([{ path: 'path', key: 'pathOfNode', params }])
      }
      const route = adminRouteAt(RED, path)
      if (route) throw inputError([{ path: 'path', key: 'pathReserved', params: { address, route } }])
      const { id, name, z } = node
      const claim: Claim = {
        node: { id, type: node.type, ...(name && { name }), ...(z && { z }) },
        path,
        owns,
        methods,
      }
      const mount: Mount = { ...claim, handler, limited, admits: createRateLimiter() }
      live.add(mount)
      stopped.delete(id)
      return () => {
        live.delete(mount)
        if (stopped.size === 0) onFlowsStarted(RED, () => stopped.clear())
        stopped.set(id, claim)
      }
    },
  }
}

function pathsOf(RED: Runtime): Paths {
  const known = pathsByRouter.get(RED.httpNode)
  if (known) return known
  const paths: Paths = { live: new Set(), stopped: new Map(), types: [] }
  const { live, types } = paths
  const answerPaused = pausedPaths(RED, types)
  pathsByRouter.set(RED.httpNode, paths)
  guardRawBodies(RED.httpNode, (path) => find(live, 'post', path) !== undefined)
  const middleware = [RED.settings.httpNodeMiddleware ?? []].flat()
  for (const method of ['get', 'post'] as const) {
    const guard: HttpHandler = (request, response, next) => {
      const isLive = find(live, method, request.path) !== undefined
      if (isLive || !answerPaused(method, request, response)) next(isLive ? undefined : 'route')
    }
    const answer: HttpHandler = (request, response, next) => {
      const mount = find(live, method, request.path)
      if (!mount) return next()
      const rest = request.path.slice(mount.path.length + 1).split('/')
      const admitted = mount.admits(response, request.ip ?? request.socket.remoteAddress ?? '')
      if (admitted) return mount.handler(request, response, rest[0] === '' ? [] : rest)
      response.status(429).set({ 'Cache-Control': 'no-store', 'Retry-After': '1' }).end()
      mount.limited()
    }
    RED.httpNode[method](/.*/, guard, ...middleware, answer)
  }
  return paths
}

/** True for a path that only the node at this mount may answer. */
function isOwned(path: string, { path: base, owns }: Pick<Mount, 'path' | 'owns'>): boolean {
  return owns.some((segment) => `${path}/`.startsWith(`${base}/${segment}/`))
}

function find(mounts: ReadonlySet<Mount>, method: Method, path: string): Mount | undefined {
  const fitting = [...mounts].filter((one) => path === one.path || path.startsWith(`${one.path}/`))
  const served = fitting.filter(({ methods }) => methods.includes(method))
  return served.sort((one, other) => other.path.length - one.path.length)[0]
}
