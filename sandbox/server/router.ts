/** Finds the route of a request. */
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Route } from './call'

export interface Found {
  readonly route: Route
  /** Name of the operation, `token`, or empty for pages and calls of the control room. */
  readonly operation: string
  readonly params: Readonly<Record<string, string | undefined>>
}

export type FindRoute = (method: string, path: string) => Found | undefined

/**
 * Creates the function that finds a route. For an operation, this function returns the name with the route. For pages
 * and calls of the control room, the name is empty.
 */
export function createRouter(operations: Readonly<Record<string, Route>>, others: readonly Route[]): FindRoute {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 8000 })
  const add = (route: Route, operation: string) => {
    router.on(route.method, route.path, () => undefined, { route, operation })
  }
  for (const [name, route] of Object.entries(operations)) add(route, name)
  for (const route of others) add(route, '')
  return (method, path) => {
    const found = router.find(method as HTTPMethod, path)
    if (!found) return undefined
    const { route, operation } = found.store as Pick<Found, 'route' | 'operation'>
    return { route, operation, params: found.params }
  }
}
