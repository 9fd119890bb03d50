/** The shared store: a PostgreSQL database that contains the data shared by several Node-REDs. */
import type { NodeConfig, Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import type { StoreNode } from '../../lib/runtime/node-red/store-node'
import type { Store } from '../../lib/store/store'
import { errorsOf } from '../../lib/runtime/journal/errors'
import { registerEnded } from '../../lib/runtime/monitor/ended'
import { registerPending } from '../../lib/runtime/monitor/pending'
import { registerReminders } from '../../lib/runtime/monitor/reminder-notes'
import { registerTestRoute } from '../../lib/runtime/service/test-route'
import { joinReplicas } from '../../lib/runtime/monitor/replicas'
import { createSqlStore } from '../../lib/store/sql-store'
import { createCipher } from '../../lib/store/sql/cipher'
import { createSharedEnded, createSharedSource, type Opened } from './pending-source'
import { leaseMsOf, limitsOf, openDatabase, resolved } from './settings'
import { credentials, fields } from './store.fields'
import { test } from './test-connection'

export = (RED: Runtime): void => {
  RED.nodes.registerType(
    'eid-store',
    function (this: RuntimeNode, config: NodeConfig) {
      RED.nodes.createNode(this, config)
      start(RED, this, config)
    },
    { credentials },
  )
  registerTestRoute(RED, { set: 'store', fields, places: ['address', 'tls'], test })
}

/** Milliseconds that the nodes using the store may take to return their claims. */
const patienceMs = 5_000

function start(RED: Runtime, node: RuntimeNode, config: NodeConfig): void {
  let opened: Opened | undefined
  const users = new Set<Store>()
  let left = () => {}
  let leave: (() => Promise<void>) | undefined
  const open = () =>
    (opened ??= {
      cipher: createCipher(resolved('key', node.credentials?.key ?? '')),
      database: openDatabase(RED, config, node.credentials ?? {}),
    })
  // The database is not queried until a node stores something in it.
  const shared = createSharedSource(RED, () => opened)
  const sources = [
    registerPending(RED, node.id, shared),
    registerReminders(RED, shared),
    registerEnded(
      RED,
      node.id,
      createSharedEnded(() => opened),
    ),
  ]
  const own: Pick<StoreNode, 'openStore'> = {
    openStore(nodeId, options) {
      const { database, cipher } = open()
      const about = { kind: 'replicas' }
      leave ??= joinReplicas(RED, node.id, createSqlStore(database, cipher, 'replicas', about), () =>
        errorsOf(RED).list(),
      )
      // If a node has a lower limit, its own limit applies.
      const all = { ...limitsOf(config), ...options, leaseMs: leaseMsOf(config) }
      const store = createSqlStore(database, cipher, nodeId, all)
      users.add(store)
      const close = async () => {
        await store.close()
        users.delete(store)
        left()
      }
      return { ...store, close }
    },
  }
  Object.assign(node, own)
  node.on('close', (_removed, done) => {
    for (const unregister of sources) unregister()
    // The nodes using the store are closed at the same moment, and return their claims before the connection ends.
    const empty = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      left = () => {
        if (users.size > 0) return
        clearTimeout(timer)
        resolve()
      }
      left()
    })
    void Promise.all([empty, leave?.()])
      .then(() => opened?.database.close())
      .then(() => done())
  })
}
