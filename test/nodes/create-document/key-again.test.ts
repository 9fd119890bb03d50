/** The key of "create document" when lists and earlier nodes set it, and responses about another key. */
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { until } from '../../support/time'
import { startFlow, stopFlow, type FlowOptions } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { json, startStreamServer, type Asked, type StreamServer } from '../../support/servers/stream-server'

const request = (more: object = {}) => ({
  title: 'Lease',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'contract.txt', base64Content: 'YWdyZWVk' },
  signers: [
    {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    },
  ],
  ...more,
})
const startAt = (baseUrl: string, settings: object = {}, more: Partial<FlowOptions> = {}) =>
  startFlow({ type: 'eid-create-document', module: node, settings, client: { baseUrl, retries: 0 }, ...more })

describe('the key of "create document", once more', () => {
  let service: Service
  const fromBody = { body: 'payload', bodyType: 'msg' }
  const documents = () => [...service.sandbox.world.signature.documents.values()]

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('is a number in a list that was read from a file: the same row makes no second document', async () => {
    const flow = await startAt(service.url)
    for (const existing of [false, true]) {
      flow.send({ payload: request({ externalId: 20311 }) })
      should(await flow.next()).have.properties({ externalId: '20311', existing })
    }
    should(documents()).have.length(1)
  })

  for (const externalId of [{ number: 1 }, ['lease-2031'], true]) {
    it(`is not generated in place of ${JSON.stringify(externalId)}, which can be none`, async () => {
      const flow = await startAt(service.url)
      flow.send({ payload: request({ externalId }) })
      const { error } = await flow.caught()
      should(error).match({ code: 'EID_INVALID_INPUT', message: /External id must be text\. Nothing was sent\./ })
      should(await service.requests()).have.length(0)
    })
  }

  for (const externalId of ['orderNumber', '']) {
    it(`is kept for a message that comes back, although the form looks for it at msg.${externalId || '…'}`, async () => {
      const flow = await startAt(service.url, { ...fromBody, externalId, externalIdType: 'msg' })
      await service.fault({ operation: 'createDocument', kind: 'close-after' })
      flow.send({ payload: request() })
      const { error, ...failed } = await flow.caught()
      should(error.cause.outcome).equal('unknown')
      flow.send(failed)
      should(await flow.next()).have.properties({ externalId: failed.externalId, existing: true })
      should(documents()).have.length(1)
    })
  }

  it('of the form overrides that of a body from the message', async () => {
    const flow = await startAt(service.url, { ...fromBody, externalId: 'orderNumber', externalIdType: 'msg' })
    flow.send({ payload: request({ externalId: 'lease-2031' }), orderNumber: 'order-1' })
    should((await flow.next()).externalId).equal('order-1')
  })

  it('does not show people named in the title of the older document', async () => {
    const flow = await startAt(service.url)
    const title = 'Lease of 01017012345, tel 99999999, ola.nordmann@example.com'
    flow.send({ payload: request({ title, externalId: 'lease-2031' }) })
    await flow.next()
    flow.send({ payload: request({ externalId: 'lease-2031' }) })
    const { error } = await flow.caught()
    should(error.message).match(/already belongs to .Lease of …/)
    should(error.message).not.match(/01017012345|99999999|@/)
  })

  for (const [key, shown] of [
    ['19900101-1234', false],
    ['010190-1234', false],
    ['131052-308T', false],
    ['+47 999 99 999', false],
    ['2026-1234', true],
  ] as const) {
    it(`${shown ? 'names' : 'does not name'} the key ${key} that belongs to another document`, async () => {
      const flow = await startAt(service.url)
      flow.send({ payload: request({ title: 'Lease 1', externalId: key }) })
      await flow.next()
      flow.send({ payload: request({ title: 'Lease 2', externalId: key }) })
      const { error } = await flow.caught()
      should(error.message.includes(key)).equal(shown)
      should(flow.statuses.some(({ text = '' }) => !shown && text.includes(key))).equal(false)
    })
  }

  it('does not show people named in the name of a file that is not a PDF', async () => {
    const flow = await startAt(service.url)
    const dataToSign = { fileName: 'slip 01017012345 ola.nordmann@example.com.pdf', base64Content: 'YWdyZWVk' }
    flow.send({ payload: request({ dataToSign }) })
    await flow.next()
    should(flow.warnings).have.length(1)
    should(flow.warnings[0])
      .match(/slip … /)
      .and.not.match(/01017012345|@/)
  })

  it('that may already be in use is not reported as new', async () => {
    const flow = await startAt(service.url)
    for (let times = 0; times < 2; times++) {
      await service.fault({ operation: 'listDocuments', kind: 'status', status: 500, count: 1 })
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      should((await flow.next()).existing).equal(undefined)
      should(flow.statuses.at(-1)).have.property('text', 'created, or existed already')
    }
    should(documents()).have.length(1)
  })
})

describe('an answer to "create document"', () => {
  let server: StreamServer
  let answer: (asked: Asked) => void
  const created = (more: object) => ({ documentId: 'd-1', title: 'Lease', signers: [{}], ...more })

  before(async () => {
    server = await startStreamServer((asked) =>
      asked.path.endsWith('/summary') ? json(asked, { data: [] }) : answer(asked),
    )
  })
  after(() => server.close())
  beforeEach(() => void server.asked.splice(0))
  afterEach(stopFlow)

  const wrong: readonly [string, object, object][] = [
    ['that names another key', { externalId: 'somebody-else' }, {}],
    ['that names another key than the given one', { externalId: 'somebody-else' }, { externalId: 'lease-2031' }],
    ['that was canceled before it was made', { status: { documentStatus: 'canceled' } }, {}],
  ]
  for (const [what, said, asked] of wrong) {
    it(`${what} is no success`, async () => {
      answer = (call) => json(call, created(said))
      const flow = await startAt(server.url)
      flow.send({ payload: request(asked) })
      const { error } = await flow.caught()
      should(error).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown', attempts: 1 } })
    })
  }

  for (const documentStatus of ['signed', 'PartialSigned']) {
    it(`that is ${documentStatus} is about an older document, although the list did not hold it`, async () => {
      answer = (call) => json(call, created({ status: { documentStatus } }))
      const flow = await startAt(server.url)
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      should(await flow.next()).have.property('existing', true)
      should(flow.statuses.at(-1)).have.property('text', 'existed already')
    })
  }

  it('that one node waits for holds no other node back when it is closed', async () => {
    const second = { id: 'second', z: 'f', type: 'eid-create-document', client: 'c', wires: [['out0']] }
    let first: Asked | undefined
    answer = (call) => void (first ??= call)
    const flow = await startAt(server.url, {}, { more: [second] })
    flow.send({ payload: request({ externalId: 'lease-2031' }) })
    await until(() => first !== undefined)
    flow.send({ payload: request({ externalId: 'lease-2031' }) }, 'second')
    flow.send({ payload: request({ externalId: 'lease-2032' }) }, 'second')
    // The message with the other key was sent, so the one before it is waiting.
    await until(() => server.asked.filter(({ method }) => method === 'POST').length === 2)
    await flow.node('second').close(false)
    should(server.asked.filter(({ method }) => method === 'POST')).have.length(2)
    if (first) json(first, created({}))
    should((await flow.next()).documentId).equal('d-1')
  })
})
