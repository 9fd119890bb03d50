/**
 * "create document" against the sandbox: the form, the rule for the request body, the checks, the look-up, and many
 * messages at once.
 */
import should from 'should'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import node from '../../nodes/create-document/create-document'
import { dismissError, listErrors } from '../support/errors'
import { startFlow, stopFlow, type FlowOptions } from '../support/flow'
import { startService, type Service } from '../support/service'
import { untilCount } from '../support/time'

const pdf = join(__dirname, '../fixtures/contract.pdf')
const signer = {
  externalSignerId: 'ola-1',
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
}
const request = (more: object = {}) => ({
  title: 'Rental agreement',
  externalId: 'rent-0001',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'contract.txt', base64Content: Buffer.from('agreed').toString('base64') },
  signers: [signer],
  ...more,
})

describe('create document', () => {
  let service: Service
  const start = (settings: object = {}, more: Partial<FlowOptions> = {}) =>
    startFlow({
      type: 'eid-create-document',
      module: node,
      settings,
      client: { baseUrl: service.url, retries: 2 },
      ...more,
    })
  const sent = async () => (await service.requests('createDocument')).map((one) => one.body as Record<string, unknown>)

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('sends a plain object in the payload unchanged, unknown fields included', async () => {
    const flow = await start()
    const payload = request({ title: "O'Brien & Sønn <AS> 🖊", somethingNew: { deep: [1, null, '007'] } })
    flow.send({ payload, other: { kept: true } })
    const msg = await flow.next()
    should((await sent())[0]).deepEqual(payload)
    should(msg).have.properties({ other: { kept: true }, statusCode: 200, externalId: 'rent-0001' })
    should(msg.documentId).be.a.String()
    should(msg.requestId).be.a.String()
    should(msg.signers).have.length(1)
    should(msg.signers).matchEach({ externalSignerId: 'ola-1' })
    await flow.completed()
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('makes the request from the form: file, look for every signer, and nothing that was left empty', async () => {
    const flow = await start({
      title: 'From the form',
      file: pdf,
      fileType: 'path',
      contactEmail: 'email',
      contactEmailType: 'msg',
      signersRows: [
        { externalSignerId: 'ola-1', externalSignerIdType: 'str', order: '1', orderType: 'num' },
        { externalSignerId: 'who', externalSignerIdType: 'msg', methods: 'no_eid, sms_otp', methodsType: 'str' },
      ],
      colorTheme: 'Black',
      themeMode: 'Dark',
      beforeTitle: 'Before you sign',
      beforeUseCheckBox: 'true',
    })
    flow.send({ payload: { title: 'never mixed in' }, email: 'kari.nordmann@example.com', who: 'kari-2' })
    const msg = await flow.next()
    const [body] = await sent()
    should(body).not.have.property('description')
    const common = {
      redirectSettings: { redirectMode: 'donot_redirect' },
      ui: {
        styling: { colorTheme: 'Black', themeMode: 'Dark' },
        dialogs: { before: { useCheckBox: true, title: 'Before you sign' } },
      },
    }
    should(body).deepEqual({
      title: 'From the form',
      externalId: msg.externalId,
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'contract.pdf', base64Content: readFileSync(pdf).toString('base64') },
      signers: [
        { externalSignerId: 'ola-1', order: 1, signatureType: { mechanism: 'pkisignature' }, ...common },
        {
          externalSignerId: 'kari-2',
          signatureType: { mechanism: 'pkisignature', signatureMethods: ['no_eid', 'sms_otp'] },
          ...common,
        },
      ],
    })
  })

  it('takes the file from a Buffer in the payload and its name from msg.filename', async () => {
    const flow = await start({ title: 'Buffer', signers: 'signers', signersType: 'msg', contactEmail: 'a@example.com' })
    flow.send({ payload: Buffer.from('text'), filename: '/data/in/contract.txt', signers: [signer] })
    await flow.next()
    should((await sent())[0]).have.property('dataToSign', {
      base64Content: Buffer.from('text').toString('base64'),
      fileName: 'contract.txt',
    })
  })

  it('merges the filled-in form over the chosen body, and replaces arrays as a whole', async () => {
    const flow = await start({ title: 'Over', body: 'base', bodyType: 'msg', tags: 'a, b' })
    flow.send({ base: request({ description: 'stays', advanced: { tags: ['x', 'y', 'z'], requiredSignatures: 1 } }) })
    await flow.next()
    const [body] = await sent()
    should(body).have.properties({ title: 'Over', description: 'stays' })
    should(body).have.property('advanced', { tags: ['a', 'b'], requiredSignatures: 1 })
  })

  it('lists every problem at once and sends nothing', async () => {
    const flow = await start()
    const bad = {
      ...signer,
      externalSignerId: 'kari-2',
      ui: { styling: { themeMode: 'dark', backgroundColor: '#12' } },
      redirectSettings: { redirectMode: 'iframe_with_webmessaging' },
    }
    flow.send({
      payload: request({
        dataToSign: { fileName: 'contract.exe', base64Content: 'QQ==' },
        signers: [signer, bad],
        advanced: { timeToLive: { deadline: '2001-01-01T00:00:00Z' } },
      }),
      kept: 1,
    })
    const msg = await flow.caught()
    should(msg.error.code).equal('EID_INVALID_INPUT')
    should((msg.error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual([
      'signers[1].ui.styling.themeMode',
      'signers[1].ui.styling.backgroundColor',
      'signers[1].redirectSettings.domain',
      'dataToSign.fileName',
      'advanced.timeToLive.deadline',
    ])
    should(msg.error.message).match(/Signer 2: host domain is missing/)
    should(msg.error.cause).have.properties({ outcome: 'not-done', attempts: 0 })
    should(msg.kept).equal(1)
    should(await service.requests()).have.length(0)
  })

  it('requires at least one signer, and the URLs of each redirect mode', async () => {
    const flow = await start()
    flow.send({ payload: request({ signers: [] }) })
    should((await flow.caught()).error.message).match(/^Signers: at least one is needed. Nothing was sent.$/)
    for (const redirectMode of ['redirect', 'iframe_with_redirect', 'iframe_with_redirect_and_webmessaging']) {
      flow.send({ payload: request({ signers: [{ ...signer, redirectSettings: { redirectMode } }] }) })
      const { cause } = (await flow.caught()).error
      const expected = redirectMode.endsWith('webmessaging') ? 4 : 3
      should(cause.problems).have.length(expected)
    }
  })

  it('generates an externalId before the call, and a Catch loop creates no second document', async () => {
    dismissError()
    const flow = await start({}, { client: { baseUrl: service.url, retries: 0 } })
    await service.fault({ operation: 'createDocument', kind: 'close-after' })
    const { externalId: _none, ...payload } = request()
    flow.send({ payload })
    const failed = await flow.caught()
    should(failed.error.cause.outcome).equal('unknown')
    should(failed.externalId).be.a.String()
    should(listErrors()).have.length(1)
    const { error: _error, ...again } = failed
    flow.send(again)
    const msg = await flow.next()
    // The error is removed, because the document exists now.
    should(listErrors()).be.empty()
    should(msg.externalId).equal(failed.externalId)
    const ids = (await sent()).map((body) => body['externalId'])
    should(ids).deepEqual([failed.externalId, failed.externalId])
  })

  it('looks a document up before it creates it again', async () => {
    const flow = await start()
    await service.fault({ operation: 'createDocument', kind: 'close-after' })
    const { externalId: _none, ...payload } = request()
    flow.send({ payload })
    const msg = await flow.next()
    should(msg.payload).have.property('externalId', msg.externalId)
    should(msg.existing).be.false()
    should(await sent()).have.length(1)
    should(await service.requests('listDocuments')).have.length(1)
  })

  it('creates again when the first try certainly did nothing', async () => {
    const flow = await start()
    await service.fault({ operation: 'createDocument', kind: 'close-before' })
    flow.send({ payload: request() })
    await flow.next()
    should(await sent()).have.length(2)
    const all = (await service.requests('createDocument')).filter((one) => one.status === 200)
    should(all).have.length(1)
  })

  it('sends a large file whole, also after a connection broke, whatever surrounds it', async () => {
    const flow = await start()
    const file = randomBytes(2_000_001)
    const odd = { title: 'O\'Brien & Sønn 🖊 "base64Content"', somethingNew: 'at the end\n' }
    const payload = request({ dataToSign: { base64Content: file.toString('base64'), fileName: 'sønn 🖊.pdf' }, ...odd })
    await service.fault({ operation: 'createDocument', kind: 'close-before' })
    flow.send({ payload })
    const msg = await flow.next()
    const document = service.sandbox.world.signature.documents.get(String(msg.documentId))
    should(document?.requested).have.properties({ ...odd, signers: [signer] })
    should(document?.fileName).equal('sønn 🖊.pdf')
    should((await document?.content?.read())?.equals(file)).be.true()
  })

  it('says unknown when the look-up is not possible', async () => {
    const flow = await start()
    await service.fault({ operation: 'createDocument', kind: 'close-after' })
    await service.fault({ operation: 'listDocuments', kind: 'status', status: 403, count: 9 })
    flow.send({ payload: request() })
    should((await flow.caught()).error.cause.outcome).equal('unknown')
  })

  it('takes 100 messages at once with one token request, and every message gets its own answer', async () => {
    // Another set of scopes needs another token.
    const flow = await start({}, { client: { baseUrl: service.url, scopes: 'document_write document_read' } })
    for (let n = 0; n < 100; n++)
      flow.send({ payload: request({ externalId: `batch-${n}`, title: `Contract ${n}` }), n })
    for (let n = 0; n < 100; n++) {
      const msg = await flow.next()
      should(msg.payload).have.properties({ externalId: `batch-${String(msg.n)}`, title: `Contract ${String(msg.n)}` })
    }
    should(await service.requests('token')).have.length(1)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 100 })
  })

  it('counts the messages that are on their way, and shows how the last one ended', async () => {
    const flow = await start()
    await service.fault({ operation: 'createDocument', kind: 'slow', delay: 300, count: 3 })
    for (let n = 0; n < 3; n++) flow.send({ payload: request({ externalId: `count-${n}` }) })
    for (let n = 0; n < 3; n++) await flow.next()
    should(flow.statuses.map((one) => one.text)).containDeepOrdered([
      'requesting',
      'requesting (3)',
      'document created',
    ])
    should(flow.statuses.at(-1)).deepEqual({ fill: 'green', shape: 'dot', text: 'document created' })
  })

  it('aborts a slow call when it is deployed again, ends its message and leaves nothing behind', async () => {
    const flow = await start()
    await service.fault({ operation: 'createDocument', kind: 'slow', delay: 600_000 })
    flow.send({ payload: request(), kept: true })
    await untilCount(async () => (await service.requests('createDocument')).length, 1)
    await flow.redeploy({ name: 'changed' })
    const msg = await flow.caught()
    should(msg.error.code).equal('EID_NETWORK')
    should(msg.error.cause.outcome).equal('unknown')
    should(msg.kept).equal(true)
    flow.send({ payload: request({ externalId: 'after-deploy' }) })
    should((await flow.next()).externalId).equal('after-deploy')
  })
})
