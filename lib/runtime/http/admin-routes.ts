/** Finds the addresses of the editor and of Node-RED itself, which a node must not take over. */
import { joinPaths, normalPath } from '../../common/public-path'
import type { Router, Runtime } from '../node-red/node-red'

/**
 * Paths that Node-RED 4 and 5 serve below `httpAdminRoot`. They are listed here, because the editor mounts them in
 * routers that can't be inspected from outside.
 */
const editorRoutes = [
  '/auth',
  '/comms',
  '/context',
  '/core',
  '/credentials',
  '/debug',
  '/diagnostics',
  '/favicon.ico',
  '/flow',
  '/flows',
  '/icons',
  '/inject',
  '/library',
  '/locales',
  '/nodes',
  '/plugins',
  '/projects',
  '/red',
  '/resources',
  '/settings',
  '/theme',
  '/types',
  '/vendor',
]

interface Layer {
  readonly route?: { readonly path: unknown }
}

/** The part of an Express 4 or 5 application that concerns its routes. */
interface App extends Router {
  readonly _router?: { readonly stack: readonly Layer[] }
  readonly router?: { readonly stack?: readonly Layer[] }
}

/**
 * The address of the editor, or of another node's editor route, that conflicts with `path`; undefined if the path is
 * free. Two addresses conflict if they are the same, or if one of them is above the other. `path` is below
 * `httpNodeRoot`. Routes at or above `httpNodeRoot` don't count, because the operator has given that root to all nodes.
 */
export function adminRouteAt(RED: Runtime, path: string): string | undefined {
  const { httpAdminRoot = '/', httpNodeRoot } = RED.settings
  if (httpAdminRoot === false) return undefined
  const adminRoot = normalPath(httpAdminRoot)
  const nodeRoot = normalPath(httpNodeRoot || '/')
  const ours = joinPaths(nodeRoot, path)
  const known = adminRoot === '/' ? [...editorRoutes, ...routesOf(RED.httpAdmin)] : ['/']
  const reserved = known.map((route) => joinPaths(adminRoot, route)).filter((route) => !isAtOrBelow(nodeRoot, route))
  return reserved.find((route) => isAtOrBelow(ours, route) || isAtOrBelow(route, ours))
}

/** The routes that nodes have registered on the editor's server, up to their first parameter. */
function routesOf(httpAdmin: Router): string[] {
  const app = httpAdmin as App
  const stack = app._router?.stack ?? app.router?.stack ?? []
  const paths = stack.flatMap(({ route }) => [route?.path].flat())
  return paths.flatMap((path) => (typeof path === 'string' ? (fixedPart(path) ?? []) : []))
}

function fixedPart(path: string): string | undefined {
  const segments = path.split('/').filter(Boolean)
  const open = segments.findIndex((segment) => /[:*(){}?+]/.test(segment))
  const fixed = open < 0 ? segments : segments.slice(0, open)
  return fixed.length > 0 ? normalPath(fixed.join('/')) : undefined
}

const isAtOrBelow = (path: string, above: string) => path === above || above === '/' || path.startsWith(`${above}/`)
