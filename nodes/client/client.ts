/** The client: address, credentials and scopes of the service, shared by all nodes that use it. */
import type { ApiClient } from '../../lib/api/client'
import { watchDeploys } from '../../lib/runtime/node-red/held-messages'
import { startJournal } from '../../lib/runtime/journal/journal'
import { openMetrics } from '../../lib/runtime/monitor/client-metrics'
import type { ClientNode } from '../../lib/runtime/node-red/client-node'
import type { NodeConfig, Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import { registerTestRoute } from '../../lib/runtime/service/test-route'
import { credentials, fields } from './client.fields'
import { buildClient, readSettings } from './settings'
import { registerFileRoute } from './chosen-file'
import { registerLookRoute } from './look-for-file'
import { registerSourceRoutes } from './read-source'
import { registerControlRoomRoute } from './control-room'
import { registerSendTestRoute } from './send-test'
import { registerSuggestionsRoute } from './suggestions'
import { places, test } from './test-connection'

export = (RED: Runtime): void => {
  RED.nodes.registerType(
    'eid-client',
    function (this: RuntimeNode, config: NodeConfig) {
      RED.nodes.createNode(this, config)
      start(RED, this, config)
    },
    { credentials },
  )
  startJournal(RED)
  watchDeploys(RED)
  registerTestRoute(RED, { set: 'client', fields, places, test })
  registerSuggestionsRoute(RED)
  registerControlRoomRoute(RED)
  registerFileRoute(RED)
  registerLookRoute(RED)
  registerSourceRoutes(RED)
  registerSendTestRoute(RED)
}

function start(RED: Runtime, node: RuntimeNode, config: NodeConfig): void {
  let client: Promise<ApiClient> | undefined
  const settings = readSettings(config)
  const { environment } = settings
  const activity = openMetrics(RED, { id: node.id, name: node.name ?? '', environment })
  const own: Pick<ClientNode, 'settings' | 'connect'> = {
    settings,
    // A failed connection is not cached, so the next message tries again: by then, an environment variable or a port
    // may be available.
    connect: () => (client ??= buildClient(RED, config, node.credentials ?? {}).then(activity.instrument, forget)),
  }
  const forget = (error: unknown) => {
    client = undefined
    throw error
  }
  Object.assign(node, own)
  node.on('close', (removed, done) => {
    activity.close(removed)
    const closed = client?.then((one) => one.close())
    // A client that was never created has nothing to close.
    void Promise.resolve(closed).then(done, () => done())
  })
}
