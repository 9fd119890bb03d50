/**
 * Which document a key belongs to: a key belongs to one request, and an older document is never reported as a new one.
 */
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { startFlow, stopFlow, type FlowOptions } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import type { FlowMessage } from '../../support/node-types'
import { saying } from '../../support/wording'

const file = (text: string) => ({ fileName: 'contract.txt', base64Content: Buffer.from(text).toString('base64') })
const signer = (externalSignerId: string, firstName = 'Ola') => ({
  externalSignerId,
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
  signerInfo: { firstName, lastName: 'Nordmann' },
})
const request = (more: object = {}) => ({
  title: 'Lease',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: file('agreed'),
  signers: [signer('ola-1')],
  ...more,
})
const houseRules = request({ title: 'House rules', dataToSign: file('be quiet') })

describe('the key of "create document"', () => {
  let service: Service
  const start = (settings: object = {}, more: Partial<FlowOptions> = {}) =>
    startFlow({
      type: 'eid-create-document',
      module: node,
      settings,
      client: { baseUrl: service.url },
      ...more,
    })
  const documents = () => [...service.sandbox.world.signature.documents.values()]
  const titles = () => documents().map((one) => one.title)
  const keys = async () =>
    (await service.requests('createDocument')).map((one) => (one.body as { externalId: string }).externalId)
  /** The message that a user's flow sends next: without the error, and with the next request. */
  const next = ({ error: _error, ...msg }: FlowMessage & { error?: unknown }, payload: object): FlowMessage => ({
    ...msg,
    payload,
  })
  const second = { id: 'second', z: 'f', type: 'eid-create-document', client: 'c', wires: [['out0']] }
  const cancel = async (id: unknown) => {
    const grant = { method: 'POST', body: 'grant_type=client_credentials&scope=document_write' }
    const headers = {
      Authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const token = await fetch(`${service.url}/oauth/connect/token`, { ...grant, headers })
    const { access_token } = (await token.json()) as { access_token: string }
    const answer = await fetch(`${service.url}/signature/documents/${String(id)}/cancel`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access_token}` },
    })
    should(answer.ok).be.true()
  }

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  describe('that was generated', () => {
    it('is not carried into another request: two documents one after the other are two', async () => {
      const flow = await start({}, { more: [second] })
      flow.send({ payload: request() })
      const first = await flow.next()
      flow.send(next(first, houseRules), 'second')
      const other = await flow.next()
      should(titles()).deepEqual(['Lease', 'House rules'])
      should(other.externalId).not.equal(first.externalId)
      should(other).have.properties({ existing: false })
    })

    const others: readonly [string, object][] = [
      ['title', { title: 'House rules' }],
      ['file', { dataToSign: file('agreed, too') }],
      ['file name', { dataToSign: { ...file('agreed'), fileName: 'annex.txt' } }],
      ['signer', { signers: [signer('kari-2', 'Kari')] }],
      ['name of a signer', { signers: [signer('ola-1', 'Kari')] }],
      ['second signer', { signers: [signer('ola-1'), signer('kari-2')] }],
      ['description', { description: 'The flat on the first floor' }],
      ['list of tags', { advanced: { tags: ['oslo'] } }],
      ['title of the file', { dataToSign: { ...file('agreed'), title: 'Annex' } }],
      ['way to identify', { signers: [{ ...signer('ola-1'), authentication: { mechanism: 'eid' } }] }],
    ]
    for (const [what, more] of others) {
      it(`is a new one for another ${what}: a loop over rows with one message creates them all`, async () => {
        const flow = await start()
        flow.send({ payload: request() })
        flow.send(next(await flow.next(), request(more)))
        const second = await flow.next()
        should(documents()).have.length(2)
        should(second.payload).have.property('documentId', documents()[1]?.id)
        should(second.existing).be.false()
      })
    }

    it('is a new one for a corrected title after the first document was canceled', async () => {
      const flow = await start()
      flow.send({ payload: request() })
      const first = await flow.next()
      await cancel(first.documentId)
      flow.send(next(first, request({ title: 'Lease, corrected' })))
      const second = await flow.next()
      should(second.documentId).not.equal(first.documentId)
      should(documents().map(({ title, status }) => [title, status])).deepEqual([
        ['Lease', 'canceled'],
        ['Lease, corrected', 'unsigned'],
      ])
    })

    it('is kept for the same request: a message from a Catch node creates no second document, and says so', async () => {
      const flow = await start({}, { client: { baseUrl: service.url, retries: 0 } })
      // A deadline in days and the return address of a visit differ each time.
      const visit = (days: number) => {
        const back = `https://example.com/?visit=${days}`
        const redirectSettings = { redirectMode: 'redirect', success: back, cancel: back, error: back }
        const advanced = { timeToLive: { deadline: new Date(Date.now() + days * 86_400_000).toISOString() } }
        return request({ advanced, signers: [{ ...signer('ola-1'), redirectSettings }] })
      }
      await service.fault({ operation: 'createDocument', kind: 'close-after' })
      flow.send({ payload: visit(1) })
      const failed = await flow.caught()
      should(failed.error.cause.outcome).equal('unknown')
      should(failed.externalId).match(/^eid-[\da-f]{16}-/)
      flow.send(next(failed, visit(2)))
      const msg = await flow.next()
      should(msg).have.properties({ externalId: failed.externalId, existing: true, documentId: documents()[0]?.id })
      should(documents()).have.length(1)
      should(flow.statuses.at(-1)).have.property('text', 'existed already')
    })

    it('is kept over a failure that did nothing, and then the document is no older one', async () => {
      const flow = await start({}, { client: { baseUrl: service.url, retries: 0 } })
      await service.fault({ operation: 'createDocument', kind: 'status', status: 400 })
      flow.send({ payload: request() })
      const failed = await flow.caught()
      flow.send(next(failed, request()))
      const msg = await flow.next()
      should(msg).have.properties({ externalId: failed.externalId, existing: false })
      should(flow.statuses.at(-1)).have.property('text', 'document created')
    })

    it('does not depend on the order of properties', async () => {
      const flow = await start()
      flow.send({ payload: request() })
      const first = await flow.next()
      const turned = Object.fromEntries(Object.entries(signer('ola-1')).reverse())
      flow.send(next(first, request({ signers: [turned] })))
      should((await flow.next()).externalId).equal(first.externalId)
    })

    it('leads to a canceled document: refused, and not made again', async () => {
      const flow = await start()
      flow.send({ payload: request() })
      const first = await flow.next()
      await cancel(first.documentId)
      flow.send(next(first, request()))
      const { error } = await flow.caught()
      should(error.code).equal('EID_REFUSED')
      should(error.cause).have.properties({ documentId: first.documentId, outcome: 'not-done' })
      should(error.message).match(/, canceled on \d{1,2} \w+/)
      should(error.message).match(saying('create-document', 'errors.keyTaken', { title: 'Lease' }))
      should(documents()).have.length(1)
    })

    it('is one for each of two messages at once', async () => {
      const flow = await start()
      flow.send({ payload: request() })
      flow.send({ payload: request() })
      const both = [await flow.next(), await flow.next()]
      should(new Set(both.map((msg) => msg.externalId)).size).equal(2)
      should(documents()).have.length(2)
    })

    it('needs no look-up before the call, because no one else can know it', async () => {
      const flow = await start()
      flow.send({ payload: request() })
      await flow.next()
      const calls = (await service.requests()).map((one) => one.operation).filter((one) => one !== 'token')
      should(calls).deepEqual(['createDocument'])
    })

    it('is distinguished from a key that a person put into the message', async () => {
      const flow = await start()
      for (const externalId of ['eid-our-own-0001', 'lease-2031', 'eid-0123456789abcdef']) {
        flow.send({ payload: request(), externalId })
        should((await flow.next()).externalId).equal(externalId)
      }
    })
  })

  describe('that a person gave', () => {
    const ways: readonly [string, object, (payload: object) => FlowMessage][] = [
      [
        'in the form',
        { externalId: 'lease-2031', externalIdType: 'str', body: 'payload', bodyType: 'msg' },
        (payload) => ({ payload }),
      ],
      ['in the body', {}, (payload) => ({ payload: { ...payload, externalId: 'lease-2031' } })],
      ['in the message', {}, (payload) => ({ payload, externalId: 'lease-2031' })],
    ]
    for (const [where, settings, message] of ways) {
      it(`${where} is always used, and leads to no success of another document`, async () => {
        const flow = await start(settings)
        flow.send(message(request()))
        const first = await flow.next()
        should(first).have.properties({ externalId: 'lease-2031', existing: false })
        flow.send(message(houseRules))
        const caught = await flow.caught()
        should(caught.error.code).equal('EID_REFUSED')
        const taken = where === 'in the form' ? 'typedKeyTaken' : 'keyTaken'
        should(caught.error.message).match(
          saying('create-document', `errors.${taken}`, { key: 'lease-2031', title: 'Lease' }),
        )
        should(caught.error.message).match(/, created on \d{1,2} \w+/)
        should(caught.error.cause).have.properties({ documentId: first.documentId, outcome: 'not-done' })
        should(flow.statuses.at(-1)).have.property('text', 'key lease-2031 is taken')
        should(await keys()).matchEach('lease-2031')
        should(titles()).deepEqual(['Lease'])
      })
    }

    it('and that one node left for the next is refused there, with what to do about it', async () => {
      const flow = await start({}, { more: [second] })
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      const first = await flow.next()
      flow.send(next(first, houseRules), 'second')
      const caught = await flow.caught()
      should(caught.error.message).match(saying('create-document', 'errors.keyTaken', { key: 'lease-2031' }))
      const { externalId: _gone, ...again } = next(caught, houseRules)
      flow.send(again, 'second')
      await flow.next()
      should(titles()).deepEqual(['Lease', 'House rules'])
    })

    it('is refused for other signers', async () => {
      const flow = await start()
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      await flow.next()
      for (const signers of [[signer('kari-2')], [signer('ola-1'), signer('kari-2')]]) {
        flow.send({ payload: request({ externalId: 'lease-2031', signers }) })
        should((await flow.caught()).error.code).equal('EID_REFUSED')
      }
    })

    it('finds the same document on the next day, when the same list is run again', async () => {
      const flow = await start()
      const list = ['lease-2031', 'lease-2032', 'lease-2033'].map((externalId) => request({ externalId }))
      for (const payload of list) flow.send({ payload })
      for (const _one of list) should((await flow.next()).existing).be.false()
      await service.sandbox.world.clock.advance(24 * 3600_000)
      for (const payload of [...list, request({ externalId: 'lease-2034' })]) flow.send({ payload })
      const found = [await flow.next(), await flow.next(), await flow.next(), await flow.next()]
      should(found.map((msg) => [msg.externalId, msg.existing]).sort()).deepEqual([
        ['lease-2031', true],
        ['lease-2032', true],
        ['lease-2033', true],
        ['lease-2034', false],
      ])
      should(documents()).have.length(4)
    })

    it('is refused once its document has expired, and says since when', async () => {
      const flow = await start()
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      await flow.next()
      await service.sandbox.world.clock.advance(46 * 24 * 3600_000)
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      should((await flow.caught()).error.message).match(/belongs to .Lease., expired on \d{1,2} \w+/)
    })

    it('is reported correctly when two messages bring it at once', async () => {
      const flow = await start()
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      flow.send({ payload: request({ externalId: 'lease-2031' }) })
      should([(await flow.next()).existing, (await flow.next()).existing]).deepEqual([false, true])
      flow.send({ payload: request({ externalId: 'lease-2035' }) })
      flow.send({ payload: { ...houseRules, externalId: 'lease-2035' } })
      should((await flow.next()).existing).be.false()
      should((await flow.caught()).error.code).equal('EID_REFUSED')
    })
  })
})
