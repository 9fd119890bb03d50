/** The way that the client's calls take: never a proxy to the sandbox of this Node-RED, and never another way than chosen. */
import { createRequire } from 'node:module'
import { createServer, type AddressInfo, type Server } from 'node:net'
import should from 'should'
import node from '../../../nodes/document/document'
import { startFlow, stopFlow, type Caught } from '../../support/flow'
import type { NodeModuleLike } from '../../support/node-types'

const require = createRequire(__filename)
const core = ['05-tls', '06-httpproxy'].map(
  (file) => require(`@node-red/nodes/core/network/${file}.js`) as NodeModuleLike,
)
const variables = ['http_proxy', 'npm_config_http_proxy', 'npm_config_proxy', 'all_proxy']

describe('the way to the service', () => {
  let proxy: Server
  let address: string
  let asked: number
  let before: NodeJS.ProcessEnv
  beforeEach(async () => {
    before = process.env
    process.env = { ...before }
    for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name]
    asked = 0
    proxy = createServer((socket) => {
      asked += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    process.env = before
    await stopFlow()
    proxy.close()
  })
  const start = (client: object, more: object[] = []) =>
    startFlow({ type: 'eid-document', module: node, modules: core, settings: { operation: 'list' }, client, more })

  it('is direct to the sandbox of this Node-RED, whatever proxies are set', async () => {
    for (const name of variables.flatMap((one) => [one, one.toUpperCase()])) {
      process.env[name] = address
      const flow = await start({})
      flow.send({})
      should(await Promise.race([flow.next(), flow.caught()])).have.property('statusCode', 200)
      await stopFlow()
      delete process.env[name]
    }
    const flow = await start({ proxy: 'p' }, [{ id: 'p', type: 'http proxy', url: address }])
    flow.send({})
    should(await Promise.race([flow.next(), flow.caught()])).have.property('statusCode', 200)
    should(asked).equal(0)
  })

  for (const [setting, type, more] of [
    ['proxy', 'http proxy', { url: 'http://127.0.0.1:9' }],
    ['tls', 'tls-config', {}],
  ] as const) {
    for (const [what, nodes, name] of [
      ['missing', [], 'p'],
      ['disabled', [{ id: 'p', type, name: 'Office', d: true, ...more }], 'Office'],
    ] as const) {
      it(`is refused if the chosen ${type} is ${what}`, async () => {
        for (const client of [{}, { baseUrl: address, tokenUrl: address }]) {
          const flow = await start({ ...client, [setting]: 'p' }, [...nodes])
          flow.send({})
          const { error } = (await Promise.race([flow.next(), flow.caught()])) as Caught
          should(error.code).equal('EID_CONFIG')
          should(error.message)
            .containEql(name)
            .and.match(/missing or disabled\. Nothing was sent\./)
          await stopFlow()
        }
        should(asked).equal(0)
      })
    }
  }
})
