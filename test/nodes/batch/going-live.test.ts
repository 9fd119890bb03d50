/**
 * A list that was tried out in the sandbox: at the live service, its rows are new, and rows that are done there stay
 * done.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import should from 'should'
import create from '../../../nodes/create-document/create-document'
import { startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { root } from '../../support/house'
import { startService, type Service } from '../../support/service'
import type { NodeModuleLike } from '../../support/node-types'
import { sentence } from '../../support/wording'

const links = createRequire(__filename)('@node-red/nodes/core/common/60-link.js') as NodeModuleLike
const credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
const contract = {
  z: 'f',
  type: 'eid-create-document',
  wires: [['n']],
  title: 'Lease {Name}',
  contactEmail: 'kari@example.com',
  file: join(root, 'test/fixtures/contract.pdf'),
  fileType: 'path',
  signersType: 'form',
  signersRows: [{ firstName: '{Name}', email: 'ola.nordmann@example.com', notification: 'off' }],
}

describe('a list that was tried out in the sandbox', () => {
  let sandbox: Service
  let live: Service
  let flow: BatchFlow
  before(async () => {
    sandbox = await startService()
    live = await startService()
  })
  after(async () => {
    await sandbox.close()
    await live.close()
  })
  afterEach(removeFlow)

  beforeEach(async () => {
    await sandbox.reset()
    await live.reset()
  })

  const start = async (...nodes: object[]) => {
    flow = await startBatch(
      { key: '{Name}', keyType: 'tpl', wires: [['create'], ['out1']] },
      {
        modules: [create, links],
        client: { environment: 'sandbox', baseUrl: sandbox.url },
        credentials,
        more: [
          { id: 'c2', type: 'eid-client', environment: 'live', baseUrl: live.url, retries: 0 },
          ...(nodes.length > 0 ? nodes : [{ id: 'create', client: 'c', ...contract }]),
        ],
        moreSecrets: { c2: credentials },
      },
    )
  }
  const made = async (service: Service) => (await service.requests('createDocument')).length
  const send = async () => {
    flow.send({ batchId: 'May', payload: [{ Name: 'Ola' }, { Name: 'Kari' }] })
    return (await flow.report()).payload
  }

  it('is sent again to the live service, once, and not sent again when the sandbox comes back', async () => {
    await start()
    should(await send()).have.properties({ done: 2, failed: 0 })
    await send()
    should(await made(sandbox)).equal(2)
    await flow.redeploy({ client: 'c2' }, 'create')
    should(await send()).have.properties({ done: 2, failed: 0 })
    should(await made(live)).equal(2)
    should(flow.warnings.join()).containEql(sentence('batch', 'warnings.otherService', { count: 2, id: 'May' }))
    await send()
    should(await made(live)).equal(2)
    // Back in the sandbox, and then live again: rows that are done at the live service stay done.
    await flow.redeploy({ client: 'c' }, 'create')
    should(await send()).have.properties({ done: 2, failed: 0 })
    await flow.redeploy({ client: 'c2' }, 'create')
    await send()
    should([await made(sandbox), await made(live)]).deepEqual([2, 2])
  })

  it('is not sent again in the sandbox when the node on its way is deleted and another one takes its place', async () => {
    await start()
    await send()
    await flow.redeploy({ id: 'create-new' }, 'create')
    await flow.redeploy({ wires: [['create-new'], ['out1']] })
    should(await send()).have.properties({ done: 2, failed: 0 })
    should(await made(sandbox)).equal(2)
    should(flow.warnings.join()).not.containEql('May')
  })

  it('is sent again to another service, and not to the first one when that comes back', async () => {
    const other = await startService()
    try {
      await start({ id: 'create', client: 'c2', ...contract })
      await send()
      await flow.redeploy({ baseUrl: other.url }, 'c2')
      should(await send()).have.properties({ done: 2, failed: 0 })
      await flow.redeploy({ baseUrl: live.url }, 'c2')
      should(await send()).have.properties({ done: 2, failed: 0 })
      should([await made(live), await made(other)]).deepEqual([2, 2])
    } finally {
      await other.close()
    }
  })

  const subflow = { id: 's', type: 'subflow', name: 'Creates', in: [{ wires: [{ id: 'inner' }] }] }
  const out = { out: [{ wires: [{ id: 'inner', port: 0 }] }] }
  const inner = { id: 'inner', ...contract, z: 's', client: '${CLIENT}', wires: [[]] }
  const chosen = (value: string) => ({ env: [{ name: 'CLIENT', type: 'conf-type', value }] })
  const second = {
    title: 'Rules of the house',
    externalId: 'rules',
    externalIdType: 'str',
    signersRows: [{ firstName: 'Ola', email: 'ola.nordmann@example.com', notification: 'off' }],
  }
  const ways: readonly [string, object[], () => Promise<void>][] = [
    [
      'the client of the node comes from a variable',
      [{ id: 'create', ...contract, client: '${EID_TEST_LIST}' }],
      () => {
        process.env.EID_TEST_LIST = 'c2'
        return flow.redeploy({ name: 'deployed once more' }, 'create')
      },
    ],
    [
      'the client is chosen where a subflow is used',
      [{ ...subflow, ...out }, { id: 'create', z: 'f', type: 'subflow:s', wires: [['n']], ...chosen('c') }, inner],
      () => flow.redeploy(chosen('c2'), 'create'),
    ],
    [
      'another node has taken the place of the one that asked the sandbox',
      [
        { id: 'create', ...contract, client: 'c' },
        { id: 'in', z: 'f', type: 'link in', wires: [['other']] },
        { id: 'other', ...contract, client: 'c2' },
      ],
      () => flow.redeploy({ type: 'link out', mode: 'link', links: ['in'], wires: [] }, 'create'),
    ],
    [
      'the wire leads to another node, and the one that asked the sandbox is still there',
      [
        { id: 'create', ...contract, client: 'c' },
        { ...subflow, ...out },
        { id: 'other', z: 'f', type: 'subflow:s', wires: [['n']], ...chosen('c2') },
        inner,
      ],
      () => flow.redeploy({ wires: [['other'], ['out1']] }),
    ],
    [
      'the second of two nodes goes live',
      [
        { id: 'create', ...contract, client: 'c', wires: [['other']] },
        { id: 'other', ...contract, ...second, client: 'c' },
      ],
      () => flow.redeploy({ client: 'c2' }, 'other'),
    ],
  ]
  for (const [what, nodes, goLive] of ways) {
    it(`is sent again when ${what}`, async () => {
      process.env.EID_TEST_LIST = 'c'
      await start(...nodes)
      const list = () => ({ batchId: what, payload: [{ Name: 'Ola' }] })
      flow.send(list())
      should((await flow.report()).payload).have.properties({ done: 1, failed: 0 })
      should(await made(live)).equal(0)
      await goLive()
      flow.send(list())
      should((await flow.report()).payload).have.properties({ done: 1, failed: 0 })
      should(await made(live)).equal(1)
      flow.send(list())
      await flow.report()
      should(await made(live)).equal(1)
      delete process.env.EID_TEST_LIST
    })
  }

  it('is sent again when the document was there already, and the sandbox was only asked for it', async () => {
    await start()
    const list = () => ({ batchId: 'June', payload: [{ Name: 'Ola' }] })
    flow.send(list())
    await flow.report()
    flow.send({ batchId: 'June', reset: true })
    flow.send(list())
    should((await flow.report()).payload).have.properties({ done: 1 })
    await flow.redeploy({ client: 'c2' }, 'create')
    flow.send(list())
    await flow.report()
    should(await made(live)).equal(1)
  })
})
