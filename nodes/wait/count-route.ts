/**
 * The "waiting" route: returns how many pending waits use a client, for a person who is about to change that client.
 */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { listPending } from '../../lib/runtime/monitor/pending'

/**
 * Registers `GET eid/waiting/:client`, which returns `{count, nodes}`: how many pending waits use this client, and in
 * how many nodes. These waits are paused when the client uses another service.
 */
export function registerCountRoute(RED: Runtime): void {
  RED.httpAdmin.get('/eid/waiting/:client', ...editorOnly(RED, 'eid.read'), (request, response) => {
    const count = async () => {
      const { items, failures } = await listPending(RED)
      if (failures.length > 0) throw failures[0]
      const own = items.filter(({ client }) => client === request.params.client)
      return { count: own.length, nodes: new Set(own.map(({ node }) => node.id)).size }
    }
    count().then(
      (found) => response.json(found),
      () => response.status(503).json({}),
    )
  })
}
