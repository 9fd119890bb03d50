/** Errors that "alerts" reports: each failure once, also when many happen at the same moment. */
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import createDocument from '../../../nodes/create-document/create-document'
import depositCancel from '../../../nodes/deposit-cancel/deposit-cancel'
import wait from '../../../nodes/wait/wait'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { startParties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

/** A tab without a Catch node. */
const tab = { id: 'g', type: 'tab', label: 'Leases' }
const document = {
  id: 'd',
  z: 'g',
  type: 'eid-create-document',
  client: 'c',
  wires: [[]],
  title: 'payload.title',
  titleType: 'msg',
  externalId: 'payload.key',
  externalIdType: 'msg',
  contactEmail: 'kari@example.com',
  file: '/not/there.pdf',
  fileType: 'path',
  signersType: 'form',
  signersRows: [{ firstName: 'Ola', email: 'ola@example.com' }],
}
const cancel = { id: 'd', z: 'g', type: 'eid-deposit-cancel', client: 'c', wires: [[]] }

describe('errors that alerts reports', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(removeFlow)

  const start = (more: object[], settings: object = {}) =>
    startFlow({
      type: 'eid-alerts',
      module: alerts,
      modules: [wait, createDocument, depositCancel],
      settings: { client: '', ...settings },
      client: { baseUrl: service.url },
      more: [tab, ...more],
    })
  const payloads = async (flow: Flow, count: number) => {
    const said: FlowMessage[] = []
    while (said.length < count) said.push((await flow.next()).payload as FlowMessage)
    return said
  }
  /** The last failure is reported last, so nothing else is pending. */
  const last = async (flow: Flow, node: string, msg: FlowMessage) => {
    flow.send(msg, node)
    return (await payloads(flow, 1))[0]
  }

  it('are each reported when twenty fail at the same moment', async () => {
    const flow = await start([cancel])
    const ids = Array.from({ length: 20 }, (_none, index) => `deposit-${index}`)
    for (const depositId of ids) flow.send({ depositId }, 'd')
    const said = await payloads(flow, 20)
    should(said.map(({ depositId }) => depositId).sort()).eql(ids.sort())
    should(flow.waiting().out).equal(0)
  })

  it('name their document when the whole request is the payload, without the names of people', async () => {
    const flow = await start([{ id: 'd', z: 'g', type: 'eid-create-document', client: 'c', wires: [[]] }])
    const signers = [{ externalSignerId: 'p1', signerInfo: { firstName: 'Ola', lastName: 'Nordmann' } }]
    flow.send({ payload: { title: 'Lease, Storgata 12, Ola Nordmann', signers } }, 'd')
    const [said] = await payloads(flow, 1)
    should(said?.title)
      .startWith('Lease, Storgata 12, ')
      .and.not.match(/Ola|Nordmann/)
  })

  it('are each reported when twelve nodes fail at the same moment', async () => {
    const nodes = Array.from({ length: 12 }, (_none, index) => ({ ...document, id: `d${index}` }))
    const flow = await start(nodes)
    for (const { id } of nodes) flow.send({ payload: { title: 'Lease' } }, id)
    const said = await payloads(flow, 12)
    should(said.map(({ node }) => (node as { id: string }).id).sort()).eql(nodes.map(({ id }) => id).sort())
  })

  it('are each reported by name when two contracts fail for the same reason, and the same contract once', async () => {
    const flow = await start([document])
    const send = (title: string, key: string) => flow.send({ payload: { title, key } }, 'd')
    for (const number of [1, 2, 1]) send(`Lease ${number}`, `lease-000${number}`)
    const said = await payloads(flow, 2)
    const names = said.map(({ title, externalId }) => `${String(title)} ${String(externalId)}`)
    should(names.sort()).eql(['Lease 1 lease-0001', 'Lease 2 lease-0002'])
    should(await last(flow, 'd', { payload: { title: 'Lease 3', key: 'lease-0003' } })).have.property(
      'title',
      'Lease 3',
    )
    should(flow.waiting().out).equal(0)
  })

  it('hold no personal key and no name of the request', async () => {
    const flow = await start([{ ...document, title: 'payload.title' }])
    flow.send({ payload: { title: 'Lease for Ola', key: 'ola@example.com' } }, 'd')
    const [said] = await payloads(flow, 1)
    should(JSON.stringify(said)).not.match(/Ola|ola@example/)
  })

  it('are not reported in addition to the end that was raised as an error, but alone if that kind is not wanted', async () => {
    const parties = await startParties(service)
    const raising = { raiseExpired: true, raiseFailed: true, pollInterval: '0.05', timeout: '' }
    const waiting = { id: 'd', z: 'g', type: 'eid-wait', client: 'c', wires: [[], [], []], ...raising }
    const ended = async (flow: Flow) => {
      const { documentId } = await parties.createDocument(`ended-${Math.random()}`)
      await parties.call('POST', `/signature/documents/${documentId}/cancel?reason=wrong`)
      flow.send({ documentId }, 'd')
      return documentId
    }
    const both = await start([waiting, { ...waiting, id: 'limited', timeout: '0.1' }, { ...cancel, id: 'last' }])
    const open = await parties.createDocument('never-signed')
    both.send({ documentId: open.documentId }, 'limited')
    await ended(both)
    const said = await payloads(both, 2)
    should(said.map(({ kind }) => kind).sort()).eql(['canceled', 'expired'])
    should(await last(both, 'last', { depositId: 'none' })).have.property('kind', 'failed')
    should(both.waiting().out).equal(0)
    await removeFlow()
    const one = await start([waiting], { kinds: 'failed' })
    const documentId = await ended(one)
    should(await payloads(one, 1)).containDeep([{ kind: 'failed', code: 'EID_FAILED', documentId }])
  })

  it('name a node that has no name by its type, in the language of the alerts', async () => {
    const said = async (language: string) => {
      const flow = await start([cancel], { language })
      flow.send({ depositId: 'none' }, 'd')
      const { subject, text, payload } = await flow.next()
      should((payload as FlowMessage).node).deepEqual({ id: 'd', name: '', flow: 'Leases' })
      await removeFlow()
      return [subject, /^Node: .*$/m.exec(String(text))?.[0]]
    }
    should(await said('en')).deepEqual(['Failed: cancel deposit', 'Node: cancel deposit, Leases'])
    should(await said('nb')).deepEqual(['Feilet: avbryt depositum', 'Node: avbryt depositum, Leases'])
  })

  it('are each reported of waits that cannot begin', async () => {
    const waiting = { id: 'd', z: 'g', type: 'eid-wait', client: 'c', wires: [[], [], []] }
    const flow = await start([waiting])
    for (const number of [1, 2]) flow.send({ payload: { lease: number } }, 'd')
    const said = await payloads(flow, 2)
    should(said.map(({ code }) => code)).eql(['EID_INVALID_INPUT', 'EID_INVALID_INPUT'])
  })

  it('are reported of a node whose settings cannot be used, without a message', async () => {
    const flow = await start([{ id: 'other', z: 'g', type: 'eid-alerts', kinds: 'late', wires: [[]] }])
    const [said] = await payloads(flow, 1)
    should(said).containDeep({ code: 'EID_INVALID_INPUT', node: { id: 'other' } })
    await until(() => flow.statuses.some(({ fill }) => fill === 'green'))
  })
  it('are those of the client also when a variable or the place of a subflow chooses it', async () => {
    process.env.EID_TEST_CHOSEN = 'c'
    const other = { id: 'o', type: 'eid-client', retries: 0, baseUrl: service.url }
    const subflow = { id: 's', type: 'subflow', name: 'Sends', in: [{ wires: [{ id: 'inner' }] }], out: [] }
    const chosen = (id: string, value: string) => ({
      id,
      z: 'g',
      type: 'subflow:s',
      env: [{ name: 'CLIENT', type: 'conf-type', value }],
      wires: [],
    })
    const flow = await start(
      [
        other,
        { ...document, client: '${EID_TEST_CHOSEN}' },
        { ...document, id: 'p', client: 'o' },
        subflow,
        { ...document, id: 'inner', z: 's', client: '${CLIENT}' },
        chosen('i', 'c'),
        chosen('j', 'o'),
      ],
      { client: 'c' },
    )
    // The errors of the other client come first, so they would be reported first.
    for (const id of ['p', 'j', 'd', 'i']) flow.send({ payload: { title: 'Lease', key: `key-of-${id}` } }, id)
    const said = await payloads(flow, 2)
    should(said.map(({ client, externalId }) => `${String(client)} ${String(externalId)}`).sort()).eql([
      'c key-of-d',
      'c key-of-i',
    ])
    should(flow.waiting().out).equal(0)
    delete process.env.EID_TEST_CHOSEN
  })
})
