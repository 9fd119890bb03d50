/** The sandbox of the soak. It records every call that took effect, to compare with how the messages ended. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operationRoutes, otherRoutes } from '../../sandbox/routes'
import type { Answer, Call, Route } from '../../sandbox/server/call'
import { createListener } from '../../sandbox/server/listener'
import { createRouter } from '../../sandbox/server/router'
import { createWorld } from '../../sandbox/create-world'
import type { World } from '../../sandbox/world'

export const clientId = 'soak-client'
export const clientSecret = 'soak-secret-4c1b9f'

export interface CountedService {
  readonly url: string
  readonly world: World
  /** How often an operation took effect for a subject: an id in the path, or the name in a request. */
  acts(operation: string, subject: string): number
  close(): void
}

export async function startCountedService(): Promise<CountedService> {
  const acts: Acts = new Map()
  const counted = Object.entries(operationRoutes).map(([operation, route]) => [
    operation,
    count(operation, route, acts),
  ])
  const routes = Object.fromEntries(counted) as Record<string, Route>
  const world = createWorld()
  const server = createServer(createListener(world, createRouter(routes, otherRoutes)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const scopes = world.clients.get('sandbox')?.scopes ?? []
  world.clients.set(clientId, { id: clientId, secret: clientSecret, scopes })
  return {
    url: world.url,
    world,
    acts: (operation, subject) => acts.get(`${operation} ${subject}`)?.size ?? 0,
    close: () => {
      server.close(() => world.reset())
      server.closeAllConnections()
    },
  }
}

/** What the calls brought about, by operation and subject. */
type Acts = Map<string, Set<unknown>>

/** If one address does not accept a file, the file goes to the next address, but must still exist exactly once. */
const elsewhere: Readonly<Record<string, string>> = {
  uploadToShare: 'uploadToBucket',
  uploadFileToShare: 'uploadToBucket',
}

/**
 * A document's externalId makes its creation idempotent, so documents are counted; for everything else, calls are
 * counted.
 */
function effectOf(operation: string, { json }: Answer): unknown {
  return operation === 'createDocument' ? (json as { documentId?: unknown }).documentId : {}
}

function count(operation: string, route: Route, acts: Acts): Route {
  return {
    ...route,
    async handle(call, world) {
      const answer = await route.handle(call, world)
      const place = `${elsewhere[operation] ?? operation} ${subjectOf(call)}`
      const effects = acts.get(place) ?? new Set()
      acts.set(place, effects.add(effectOf(operation, answer)))
      return answer
    },
  }
}

function subjectOf(call: Call): string {
  return call.param('id') || (/soak-\d+-\d+-x/.exec(call.body.toString('utf8'))?.[0] ?? '')
}
