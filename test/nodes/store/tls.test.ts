/** The shared store over TLS: a server with its own certificate, trusted or not, and a server that is restarted. @rest */
import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime, RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import type { StoreNode } from '../../../lib/runtime/node-red/store-node'
import type { Store } from '../../../lib/store/store'
import node from '../../../nodes/request/request'
import storeNode from '../../../nodes/store/store'
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server'
import { until } from '../../support/time'
import { startFlow, stopFlow } from '../../support/flow'

const fixture = (name: string) => join(__dirname, '../../fixtures/certificates', name)
const tls = { cert: fixture('localhost.crt'), key: fixture('localhost.key') }

/** Replaces the config node that comes with Node-RED. */
function registerTls(RED: Runtime): void {
  RED.nodes.registerType('tls-config', function (this: RuntimeNode, config) {
    RED.nodes.createNode(this, config)
    const ca = config.trusts === true ? { ca: readFileSync(tls.cert) } : {}
    const addTLSOptions = (options: object) => Object.assign(options, ca, { rejectUnauthorized: true })
    Object.assign(this, { addTLSOptions })
  })
}

describe('store, over TLS', () => {
  let server: PostgresServer
  let store: Store | undefined
  const told: string[] = []

  before(async () => (server = await startPostgres(tls)))
  after(() => server.stop())
  afterEach(async () => {
    await store?.close()
    await stopFlow()
  })

  const open = async (settings: object) => {
    let RED: Runtime | undefined
    const more = [
      { id: 'trusting', type: 'tls-config', trusts: true },
      { id: 'strict', type: 'tls-config', trusts: false },
      { id: 's', type: 'eid-store', address: server.url.replace('127.0.0.1', 'localhost'), ...settings },
    ]
    const modules = [registerTls, storeNode, (runtime: Runtime) => void (RED = runtime)]
    await startFlow({ type: 'eid-request', module: node, more, modules })
    told.length = 0
    const shared = RED?.nodes.getNode('s') as StoreNode
    return (store = shared.openStore('n', { kind: 'waits', onStoreEvent: (trouble) => void told.push(trouble) }))
  }

  it('stores when the certificate is trusted, and continues after the server has restarted', async () => {
    const kept = await open({ tls: 'trusting' })
    await kept.put('one', { body: { n: 1 }, dueMs: 3_600_000 })
    should((await kept.get('one'))?.body).deepEqual({ n: 1 })
    await server.crash()
    await should(kept.get('one')).be.rejectedWith({ code: 'EID_NETWORK' })
    await server.start()
    await until(() => told.includes('back'))
    should(told).deepEqual(['away', 'back'])
    should((await kept.get('one'))?.body).deepEqual({ n: 1 })
  })

  it('says that it can not be reached when the certificate is not trusted, or nothing is encrypted', async () => {
    for (const settings of [{ tls: 'strict' }, {}]) {
      const refused = await open(settings)
      const error = await refused.get('one').then(
        () => undefined,
        (thrown: { code: string; cause: object }) => thrown,
      )
      should(['EID_NETWORK', 'EID_CONFIG']).containEql(error?.code)
      await refused.close()
      await stopFlow()
    }
  })

  it('is refused if the chosen TLS settings are missing', async () => {
    await should(open({ tls: 'gone' })).be.rejectedWith({ code: 'EID_CONFIG' })
  })
})
