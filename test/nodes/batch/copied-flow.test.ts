/** A flow that was copied: what the first one has sent, the second one does not send without being told to. */
import { randomUUID } from 'node:crypto'
import should from 'should'
import { batchesOf, listRefusedBatches } from '../../../lib/runtime/monitor/batches'
import createDocument from '../../../nodes/create-document/create-document'
import { contractNode, startBatch, type BatchFlow } from '../../support/batch-flow'
import { RED } from '../../support/errors'
import { removeFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { saying } from '../../support/wording'

describe('a copied flow with a list', () => {
  let service: Service
  let flow: BatchFlow
  before(async () => void (service = await startService()))
  beforeEach(() => service.reset())
  after(() => service.close())
  afterEach(removeFlow)

  /** The employees of one test, whom no other test has. */
  const staff = (count = 15) => {
    const own = randomUUID()
    return Array.from({ length: count }, (_none, at) => ({ Name: `Ola Nordmann ${at + 1}`, Unit: `${own}-${at}` }))
  }
  const contract = {
    z: 'f',
    ...contractNode,
    signersRows: [{ firstName: 'Ola', email: 'ola.nordmann@example.com', notification: 'off' }],
  }
  const byUnit = { key: '{Unit}', keyType: 'tpl' }
  /** Starts a flow with the node `n` and its copy, each with a node that creates the documents. */
  const start = async (settings: object = {}, ofCopy: object = {}, wayOfCopy: object = {}, ...others: object[]) => {
    const copy = {
      id: 'copy',
      z: 'f',
      type: 'eid-batch',
      wires: [['way-copy'], ['out1']],
      ...byUnit,
      ...settings,
      ...ofCopy,
    }
    flow = await startBatch(
      { ...byUnit, ...settings, wires: [['way'], ['out1']] },
      {
        client: { baseUrl: service.url },
        moreSecrets: { c2: { clientId: 'sandbox', clientSecret: 'sandbox' } },
        modules: [createDocument],
        more: [
          { ...contract, id: 'way', wires: [['n']] },
          copy,
          { ...contract, id: 'way-copy', wires: [['copy']], ...wayOfCopy },
          ...others,
        ],
      },
    )
  }
  const made = async () => (await service.requests('createDocument')).length
  const sends = async (msg: Record<string, unknown>, node: string, done = 15) => {
    flow.send(msg, node)
    should((await flow.report()).payload).have.properties({ done, failed: 0 })
  }
  const refuses = async (msg: Record<string, unknown>, node: string) => {
    const before = await made()
    flow.send(msg, node)
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).startWith('Rows: the node ').and.endWith('Nothing was sent.')
    should(await made()).equal(before)
    return error
  }

  it('sends nothing a second time, and says which node has sent it, and when', async () => {
    await start({ name: 'Contracts' }, { name: 'Contracts again' })
    const payload = staff()
    await sends({ payload: structuredClone(payload) }, 'n')
    const error = await refuses({ payload: structuredClone(payload) }, 'copy')
    should(error.cause.sentBy).match({ node: 'Contracts', flow: 'test', at: /^\d{4}-\d\d-\d\dT/ })
    should(error.message).match(
      saying('batch', 'problems.sentBefore', { path: 'Rows', node: 'Contracts', flow: 'test' }),
    )
    should(await made()).equal(15)
    // The first node works as before.
    await sends({ payload: structuredClone(payload) }, 'n')
    should(await made()).equal(15)
  })

  it('is refused for a single row that the other node has sent, under whatever name', async () => {
    await start()
    const payload = staff(3)
    await sends({ payload: structuredClone(payload), batchId: 'May' }, 'n', 3)
    await refuses({ payload: [...staff(2), structuredClone(payload[1])] }, 'copy')
  })

  for (const way of ['List name', 'msg.batchId'] as const) {
    const name = (value: string) => (way === 'msg.batchId' ? { batchId: value } : { of: value })
    it(`sends a list with a name of its own (${way}), and refuses one with a name that the other node has used`, async () => {
      await start({ listName: way === 'msg.batchId' ? '' : 'of', listNameType: 'msg' })
      const payload = staff()
      await sends({ payload: structuredClone(payload), ...name('contract') }, 'n')
      await sends({ payload: structuredClone(payload), ...name('house rules') }, 'copy')
      should(await made()).equal(30)
      await refuses({ payload: structuredClone(payload), ...name('contract') }, 'copy')
    })
  }

  it('sends the list with msg.sendAnyway, and its failed rows again without it', async () => {
    await start({ attempts: 1 })
    const payload = staff(2)
    await sends({ payload: structuredClone(payload) }, 'n', 2)
    await service.fault({ operation: 'createDocument', kind: 'status', status: 400, count: 1 })
    flow.send({ payload: structuredClone(payload), sendAnyway: true }, 'copy')
    flow.send(await flow.caught(), 'copy')
    should((await flow.report()).payload).have.properties({ done: 1, failed: 1 })
    await sends({ payload: structuredClone(payload) }, 'copy', 2)
  })

  it('offers in the sidebar to send the list anyway, once', async () => {
    await start()
    const payload = staff()
    await sends({ payload: structuredClone(payload) }, 'n')
    await refuses({ payload: structuredClone(payload) }, 'copy')
    const refused = () => listRefusedBatches(RED).find(({ id }) => id === 'unnamed')
    should(refused()).match({ id: 'unnamed', total: 15, why: 'sentBefore', node: { id: 'copy' } })
    const press = () => batchesOf(RED, 'copy')?.sendAnyway?.('unnamed')
    should((await Promise.all([press(), press()])).sort()).deepEqual([false, true])
    should((await flow.report()).payload).have.properties({ done: 15, failed: 0 })
    should(await made()).equal(30)
    should(refused()).equal(undefined)
  })

  it('offers in the sidebar to forget the earlier list of a refused one', async () => {
    await start()
    const payload = staff(2)
    await sends({ payload: structuredClone(payload) }, 'n', 2)
    const other = payload.map((row) => ({ ...row, Rent: 9000 }))
    flow.send({ payload: structuredClone(other) })
    should((await flow.caught()).error.message).match(saying('batch', 'problems.otherShape'))
    const refused = () => listRefusedBatches(RED).find(({ node }) => node.id === 'n')
    should(refused()).match({ id: 'unnamed', total: 2, why: 'otherShape' })
    should(await batchesOf(RED, 'n')?.forget?.('unnamed')).be.true()
    should(refused()).equal(undefined)
    await sends({ payload: structuredClone(other) }, 'n', 2)
  })

  it('sends once when both are started at the same moment', async () => {
    await start()
    const payload = staff()
    for (const node of ['n', 'copy']) flow.send({ payload: structuredClone(payload) }, node)
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    should((await flow.report()).payload).have.properties({ done: 15, failed: 0 })
    should(await made()).equal(15)
  })

  it('sends to another service what was sent to the first one', async () => {
    const other = await startService()
    try {
      const second = { id: 'c2', type: 'eid-client', environment: 'live', retries: 0, baseUrl: other.url }
      await start({}, {}, { client: 'c2' }, second)
      const payload = staff(2)
      await sends({ payload: structuredClone(payload) }, 'n', 2)
      await sends({ payload: structuredClone(payload) }, 'copy', 2)
      should(await made()).equal(2)
      should(await other.requests('createDocument')).have.length(2)
    } finally {
      await other.close()
    }
  })
})
