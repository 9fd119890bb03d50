/** "document" against the sandbox: every operation, and messages that cannot work. */
import should from 'should'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../nodes/document/document'
import { startFlow, stopFlow } from '../support/flow'
import { startService, type Service } from '../support/service'
import { untilCount } from '../support/time'
import { sentence } from '../support/wording'

const text = 'agreed between Ola and Kari'

describe('document', () => {
  let service: Service
  let folder: string
  const start = (settings: object) =>
    startFlow({ type: 'eid-document', module: node, settings, client: { baseUrl: service.url, retries: 0 } })

  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-test-'))
  })
  after(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('gets a document and its status', async () => {
    const { documentId } = await create(service, 'rent-1')
    let flow = await start({ operation: 'get' })
    flow.send({ documentId, payload: 'replaced', kept: 1 })
    let msg = await flow.next()
    should(msg.payload).have.properties({ documentId, externalId: 'rent-1' })
    should(msg).have.properties({ documentId, kept: 1, statusCode: 200 })
    await stopFlow()
    flow = await start({ operation: 'status', documentId: 'other.place' })
    flow.send({ other: { place: documentId } })
    msg = await flow.next()
    should(msg.payload).have.property('documentStatus', 'unsigned')
    should(flow.statuses.at(-1)?.text).equal('unsigned')
  })

  for (const operation of ['archive', 'checkArchive']) {
    it(`refuses the stored operation ${operation}, which has a node of its own`, async () => {
      const flow = await start({ operation })
      flow.send({ documentId: 'd-1' })
      const { error } = await flow.caught()
      should(error).match({ code: 'EID_CONFIG', cause: { outcome: 'not-done' } })
      should(error.message).match(/archive node/)
      should(await service.requests()).have.length(0)
    })
  }

  it('adds a signer from the message exactly as it is', async () => {
    const { documentId } = await create(service, 'rent-1')
    const payload = { externalSignerId: 'kari-1', signatureType: { mechanism: 'pkisignature' }, extra: { some: null } }
    const body = { id: 'signer-9', externalSignerId: 'kari-1' }
    for (const settings of [{}, { body: 'payload', bodyType: 'msg' }]) {
      await service.fault({ operation: 'addSigner', kind: 'status', status: 200, body })
      const flow = await start({ operation: 'addSigner', ...settings })
      flow.send({ documentId, payload })
      should((await flow.next()).signerId).equal('signer-9')
      should((await service.requests('addSigner')).at(-1)?.body).deepEqual(payload)
      await stopFlow()
    }
  })

  it('lists nothing instead of everything if the key is not on the message', async () => {
    const flow = await start({ operation: 'list', externalId: 'externalId', externalIdType: 'msg' })
    for (const msg of [{}, { externalId: '' }, { externalId: null }]) {
      flow.send({ ...msg })
      const { error } = await flow.caught()
      should(error.cause.problems).matchAny({ path: 'externalId' })
      should(error.message).match(/missing.* Nothing was sent/)
    }
    should(await service.requests('listDocuments')).be.empty()
    const { documentId } = await create(service, 'rent-1')
    await create(service, 'rent-2')
    flow.send({ externalId: 'rent-1' })
    const { data } = (await flow.next()).payload as { data: object[] }
    should(data).have.length(1)
    should(data[0]).have.property('documentId', documentId)
  })

  it('follows the pages of a list up to the limit', async () => {
    for (let n = 0; n < 130; n++) await create(service, `page-${n}`)
    let flow = await start({ operation: 'list', limit: '120' })
    flow.send({})
    should((await flow.next()).payload)
      .have.property('data')
      .with.length(120)
    const asked = (await service.requests('listDocuments')).map((one) => [one.query.offset, one.query.limit])
    should(asked).deepEqual([
      ['0', '100'],
      ['100', '20'],
    ])
    await stopFlow()
    flow = await start({ operation: 'list', externalId: 'page-7' })
    flow.send({})
    const { payload } = await flow.next()
    should((payload as { data: { externalId: string }[] }).data.map((one) => one.externalId)).deepEqual(['page-7'])
  })

  it('cancels with a reason, and says what was done when the service says nothing', async () => {
    const { documentId } = await create(service, 'cancel-1')
    const flow = await start({ operation: 'cancel', reason: 'Wrong flat & wrong rent' })
    flow.send({ documentId })
    const msg = await flow.next()
    should(msg.documentId).equal(documentId)
    const [asked] = await service.requests('cancelDocument')
    should(asked?.query).deepEqual({ reason: 'Wrong flat & wrong rent' })
  })

  it('reminds the signers', async () => {
    const { documentId } = await create(service, 'remind-1')
    const flow = await start({ operation: 'remind', notificationSetting: 'sendBoth' })
    flow.send({ documentId })
    await flow.next()
    const [asked] = await service.requests('remindDocument')
    should(asked?.body).deepEqual({ notificationSetting: 'sendBoth' })
  })

  it('reminds those who are listed, in the form or by the message, each at another address if one is given', async () => {
    const { documentId, signers } = await create(service, 'remind-2')
    const [id = ''] = signers.map((one) => one.id)
    const remind = { operation: 'remind', notificationSetting: 'sendEmail' }
    const row = { signerId: id, email: 'ola@work.example.com' }
    let flow = await start({ ...remind, signersRows: [row] })
    flow.send({ documentId })
    await flow.next()
    await stopFlow()
    flow = await start({ ...remind, signers: 'signers', signersType: 'msg' })
    for (const given of [signers, [id], id, { [id]: { emailOverride: 'kari@work.example.com' } }]) {
      flow.send({ documentId, signers: given })
      await flow.next()
    }
    const asked = (await service.requests('remindDocument')).map(({ body }) => (body as { signers?: object }).signers)
    const plain = { [id]: null }
    should(asked).deepEqual([
      { [id]: { emailOverride: 'ola@work.example.com' } },
      plain,
      plain,
      plain,
      { [id]: { emailOverride: 'kari@work.example.com' } },
    ])
  })

  it('reminds no one rather than everyone when a list from the message is empty', async () => {
    const { documentId } = await create(service, 'remind-3')
    const flow = await start({ operation: 'remind', signers: 'late', signersType: 'msg' })
    for (const late of [undefined, null, '', ' , ', [], {}, { '': null }, [null], [''], [{}], 5, true]) {
      flow.send({ documentId, late })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.cause.problems).match([
        { path: 'signers', problem: sentence('document', 'problems.nobody', { path: 'Signers' }) },
      ])
    }
    should(await service.requests('remindDocument')).be.empty()
  })

  it('downloads into the message, with size and SHA-256', async () => {
    const { documentId } = await create(service, 'file-1')
    const flow = await start({ operation: 'download', fileFormat: 'unsigned' })
    flow.send({ documentId })
    const msg = await flow.next()
    should((msg.payload as Buffer).toString()).equal(text)
    should(msg.file).have.properties({ size: text.length, sha256: sha256(text), fileFormat: 'unsigned' })
  })

  it('waits for the signed file and streams it to a path, whole or not at all', async () => {
    const { documentId, signers } = await create(service, 'file-2')
    const path = join(folder, 'deep', 'signed.bin')
    const flow = await start({
      operation: 'download',
      fileFormat: 'standard_packaging',
      saveTo: path,
      waitUntilReady: true,
    })
    flow.send({ documentId })
    await untilCount(async () => (await service.requests('getDocumentStatus')).length, 1)
    await sign(signers[0]?.url ?? '')
    await service.sandbox.clock.advance(5000)
    const msg = await flow.next()
    const stored = readFileSync(path)
    should(msg.payload).have.properties({ path, size: stored.length, sha256: sha256(stored) })
    should(readdirSync(join(folder, 'deep'))).deepEqual(['signed.bin'])
  })

  it('says when the file cannot be written', async () => {
    const { documentId } = await create(service, 'file-3')
    const flow = await start({ operation: 'download', fileFormat: 'unsigned', saveTo: join(folder, 'a\0b') })
    flow.send({ documentId })
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
  })

  for (const operation of ['get', 'status', 'cancel', 'download', 'remind']) {
    it(`refuses ${operation} without an id`, async () => {
      const flow = await start({ operation })
      flow.send({ payload: {} })
      const { error } = await flow.caught()
      should(error.cause.problems).deepEqual([
        { path: 'documentId', problem: 'Document id is missing: msg.documentId has no value' },
      ])
      should(await service.requests()).have.length(0)
    })
  }
})

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

interface Created {
  documentId: string
  signers: { id: string; url: string }[]
}

/** Creates a document as another system would, with its own token. */
async function create(service: Service, externalId: string): Promise<Created> {
  const basic = Buffer.from('sandbox:sandbox').toString('base64')
  const token = await fetch(`${service.url}/oauth/connect/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&scope=document_write',
  })
  const { access_token } = (await token.json()) as { access_token: string }
  const answer = await fetch(`${service.url}/signature/documents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      title: `Contract ${externalId}`,
      externalId,
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'contract.txt', base64Content: Buffer.from(text).toString('base64') },
      signers: [
        {
          externalSignerId: 'ola-1',
          redirectSettings: { redirectMode: 'donot_redirect' },
          signatureType: { mechanism: 'pkisignature' },
        },
      ],
    }),
  })
  return (await answer.json()) as Created
}

/** Signs through the signer app, as the signer would. */
async function sign(url: string): Promise<void> {
  const app = new URL(url)
  const answer = await fetch(`${app.origin}/sign/${app.searchParams.get('jwt') ?? ''}/sign`, { method: 'POST' })
  should(answer.status).be.below(400)
}
