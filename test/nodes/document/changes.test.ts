/**
 * "document" changes a document, its signers and its attachments, and fetches their data. The sandbox shows the
 * effects.
 */
import should from 'should'
import { operations } from '../../../lib/api/operations/operations'
import node from '../../../nodes/document/document'
import { inOperation, stopFlow } from '../../support/flow'
import { act, startParties, type CreatedDocument, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'

describe('document, after it was created,', () => {
  let service: Service
  let parties: Parties
  let document: CreatedDocument
  const start = inOperation('eid-document', node, () => service.url)
  /** Performs one operation on the document, in a separate flow. */
  const run = async (operation: string, settings: object = {}, msg: object = {}) => {
    const flow = await start(operation, settings)
    flow.send({ documentId: document.documentId, kept: 1, ...msg })
    const out = await flow.next()
    should(out).have.properties({ documentId: document.documentId, kept: 1 })
    await stopFlow()
    return out
  }
  const refused = async (operation: string, settings: object = {}, msg: object = {}) => {
    const flow = await start(operation, settings)
    flow.send({ documentId: document.documentId, ...msg })
    const { error } = await flow.caught()
    await stopFlow()
    return (error.cause.problems as { path: string }[] | undefined)?.map(({ path }) => path)
  }
  const sent = async (operation: string) => (await service.requests(operation)).at(-1)?.body
  const record = () => parties.call<Record<string, unknown>>('GET', `/signature/documents/${document.documentId}`)

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    parties = await startParties(service)
    document = await parties.createDocument('lease-1')
  })
  afterEach(stopFlow)

  it('gets another title, description, deadline and contact, and keeps the rest', async () => {
    const deadline = new Date(service.sandbox.clock.now() + 5 * 86_400_000).toISOString()
    const msg = await run('update', {
      title: 'Lease, corrected',
      description: 'With the right rent',
      deadline,
      contactEmail: 'ola.nordmann@example.com',
      more: '{"advanced":{"tags":["late"]}}',
    })
    should(await sent('updateDocument')).deepEqual({
      title: 'Lease, corrected',
      description: 'With the right rent',
      contactDetails: { email: 'ola.nordmann@example.com' },
      advanced: { tags: ['late'], timeToLive: { deadline } },
    })
    should(msg.statusCode).equal(200)
    should(await record()).have.properties({ title: 'Lease, corrected', externalId: 'lease-1' })
  })

  it('sends the typed More fields unchanged, also empty ones', async () => {
    await run('update', { more: '{"description":"","advanced":{}}' })
    should(await sent('updateDocument')).deepEqual({ description: '', advanced: {} })
  })

  it('takes the change from the message while the form is untouched, whatever was typed for another operation', async () => {
    await run('update', { firstName: 'typed for a signer' }, { payload: { title: 'From the message' } })
    should(await sent('updateDocument')).deepEqual({ title: 'From the message' })
  })

  it('is not changed when there is nothing to change', async () => {
    should(await refused('update', {}, { payload: 'x' })).deepEqual(['body'])
    should(await refused('changeSigner', {}, { payload: {}, signerId: 'x' })).deepEqual(['body'])
    should(await service.requests('updateDocument')).have.length(0)
  })

  it('gets no deadline that has passed or is invalid, wherever it comes from', async () => {
    const path = ['advanced.timeToLive.deadline']
    const within = (deadline: unknown) => ({ payload: { advanced: { timeToLive: { deadline } } } })
    const fromMessage = { deadline: 'until', deadlineType: 'msg' }
    should(await refused('update', { deadline: '2020-01-01T00:00:00Z' })).deepEqual(['deadline'])
    should(await refused('update', fromMessage, { until: '2020-01-01T00:00:00Z' })).deepEqual(['deadline'])
    should(await refused('update', fromMessage, { until: 0 })).deepEqual(['deadline'])
    for (const until of ['2020-01-01T00:00:00Z', 0, 'soon', '2030-02-30T00:00:00Z', '01/02/2030']) {
      should(await refused('update', {}, within(until))).deepEqual(path)
    }
    should(await service.requests('updateDocument')).have.length(0)
  })

  const kari = {
    externalSignerId: 'kari-1',
    firstName: 'Kari',
    lastName: 'Nordmann',
    email: 'kari.nordmann@example.com',
    mobileCountryCode: '47',
    mobileCountryCodeType: 'num',
    mobileNumber: '99999999',
    mechanism: 'pkisignature',
    notification: 'sendEmail',
    order: '2',
  }

  it('gets another signer, who can sign, and whose address is put on the message', async () => {
    const msg = await run('addSigner', kari)
    should(await sent('addSigner')).deepEqual({
      externalSignerId: 'kari-1',
      order: 2,
      signatureType: { mechanism: 'pkisignature' },
      signerInfo: {
        firstName: 'Kari',
        lastName: 'Nordmann',
        email: 'kari.nordmann@example.com',
        mobile: { countryCode: 47, number: '99999999' },
      },
      notifications: { setup: { request: 'sendEmail' } },
      redirectSettings: { redirectMode: 'donot_redirect' },
    })
    should(msg.signerId).be.a.String()
    await act(document.signers[0]?.url ?? '')
    await act(String(msg.url))
    should(await record())
      .have.propertyByPath('status', 'documentStatus')
      .equal('signed')
  })

  it('generates what is missing for a new signer, the same each time, and without revealing who it is', async () => {
    await run('addSigner', { firstName: 'Kari', email: 'kari.nordmann@example.com' })
    const { externalSignerId, ...rest } = (await sent('addSigner')) ?? {}
    should(externalSignerId).match(/^signer-[\da-f]{8}$/)
    should(rest).deepEqual({
      signatureType: { mechanism: 'pkisignature' },
      signerInfo: { firstName: 'Kari', email: 'kari.nordmann@example.com' },
      notifications: { setup: { request: 'sendEmail' } },
      redirectSettings: { redirectMode: 'donot_redirect' },
    })
    const outbox = service.sandbox.world.outbox.list()
    should(outbox.filter(({ to }) => to === 'kari.nordmann@example.com')).have.length(1)
    await run('addSigner', { firstName: 'Ola', mobileNumber: '99999999', mobileCountryCode: '47', mechanism: 'other' })
    should(await sent('addSigner')).have.properties({ signatureType: { mechanism: 'other' } })
    should(await sent('addSigner')).not.have.property('notifications')
  })

  it('reports on one signer: where to sign, and whether they have', async () => {
    const [signer] = document.signers
    const flow = await start('getSigner')
    const ask = async () => {
      flow.send({ documentId: document.documentId, signerId: signer?.id })
      const msg = await flow.next()
      should(msg).have.properties({ signerId: signer?.id, url: signer?.url })
      should(msg.payload).have.property('externalSignerId', 'signer-0')
      return flow.statuses.at(-1)?.text
    }
    should(await ask()).equal('has not signed yet')
    await act(signer?.url ?? '')
    should(await ask()).equal('has signed')
  })

  it('summarizes its state', async () => {
    const msg = await run('summary')
    should(await service.requests('getDocumentSummary')).have.length(1)
    should(msg.payload).have.properties({ currentSignatures: 0, requiredSignatures: 1, externalId: 'lease-1' })
  })

  it('has its signers listed, changed and removed', async () => {
    const { signerId } = await run('addSigner', kari)
    const listed = (await run('listSigners')).payload as { id: string }[]
    should(listed.map(({ id }) => id)).containEql(signerId)
    const changed = await run('changeSigner', { email: 'kari@example.com' }, { signerId })
    should(await sent('changeSigner')).deepEqual({ signerInfo: { email: 'kari@example.com' } })
    should(changed.signerId).equal(signerId)
    const removed = await run('removeSigner', {}, { signerId })
    should(removed).have.properties({ signerId, payload: { id: signerId, operation: 'removeSigner' } })
    should((await run('listSigners')).payload).have.length(1)
  })

  it('refuses a signer without the required fields, and invalid ids', async () => {
    const missing = ['externalSignerId', 'signatureType.mechanism']
    should(await refused('addSigner', {}, { payload: { signerInfo: { firstName: 'Kari' } } })).deepEqual(missing)
    should(await refused('addSigner', { order: '2' })).deepEqual(missing)
    for (const operation of ['getSigner', 'changeSigner', 'removeSigner'])
      should(await refused(operation, { email: 'kari@example.com' })).deepEqual(['signerId'])
    for (const operation of ['getAttachment', 'changeAttachment', 'removeAttachment'])
      should(await refused(operation, { title: 'x' }, { attachmentId: '../x' })).deepEqual(['attachmentId'])
    should(await refused('download', { ofSigner: 'signerId', ofSignerType: 'msg' })).deepEqual(['ofSigner'])
    should(await refused('download', { saveTo: 'place', saveToType: 'msg' })).deepEqual(['saveTo'])
    should(await service.requests()).matchEvery(
      (one: { operation: string }) => one.operation === 'createDocument' || one.operation === 'token',
    )
  })

  describe('with attachments', () => {
    const attachment = {
      title: 'House rules',
      file: 'rules',
      fileType: 'msg',
      fileName: 'rules.pdf',
      fileNameType: 'str',
    }
    const bytes = Buffer.from('%PDF-1.4 rules')

    beforeEach(async () => {
      const { documentId, signers } = await parties.call<CreatedDocument>('POST', '/signature/documents', {
        title: 'Lease',
        externalId: 'lease-2',
        contactDetails: { email: 'kari.nordmann@example.com' },
        dataToSign: { fileName: 'contract.txt', base64Content: Buffer.from('agreed').toString('base64') },
        advanced: { attachments: 1 },
        signers: [
          {
            externalSignerId: 'ola-1',
            redirectSettings: { redirectMode: 'donot_redirect' },
            signatureType: { mechanism: 'pkisignature' },
          },
        ],
      })
      document = { documentId, signers }
    })

    it('waits for them, and can be signed when they are there', async () => {
      should((await run('status')).payload).have.property('documentStatus', 'waiting_for_attachments')
      const msg = await run('addAttachment', attachment, { rules: bytes })
      should(await sent('addAttachment')).have.properties({ title: 'House rules', fileName: 'rules.pdf' })
      should(msg.attachmentId).be.a.String()
      should((await run('status')).payload).have.property('documentStatus', 'unsigned')
      should((await run('listAttachments')).payload).matchAny({ id: msg.attachmentId, title: 'House rules' })
      const file = await run(
        'download',
        { fileFormat: 'unsigned', ofAttachment: 'attachmentId', ofAttachmentType: 'msg' },
        msg,
      )
      should(file.payload).deepEqual(bytes)
      should(await service.requests('getAttachmentFile')).have.length(1)
      await run('removeAttachment', {}, { attachmentId: msg.attachmentId })
      should((await run('status')).payload).have.property('documentStatus', 'waiting_for_attachments')
    })

    it('change until a person has signed', async () => {
      const { attachmentId } = await run('addAttachment', attachment, { rules: bytes })
      const other = Buffer.from('%PDF-1.4 other rules')
      const changed = await run('changeAttachment', { title: 'Rules of May' }, { attachmentId })
      should(changed.attachmentId).equal(attachmentId)
      should(await sent('changeAttachment')).deepEqual({ title: 'Rules of May' })
      await run('changeAttachment', { file: 'rules', fileType: 'msg' }, { attachmentId, rules: other })
      should((await run('getAttachment', {}, { attachmentId })).payload).have.properties({
        title: 'Rules of May',
        fileName: 'rules.pdf',
      })
      const settings = { fileFormat: 'unsigned', ofAttachment: 'attachmentId', ofAttachmentType: 'msg' }
      should((await run('download', settings, { attachmentId })).payload).deepEqual(other)
      should(await refused('changeAttachment', {}, { attachmentId })).deepEqual(['body'])
    })

    it('takes a Buffer in the payload with the name that came with it, and opens no file unasked', async () => {
      await run('addAttachment', { title: 'House rules' }, { payload: bytes, filename: '/tmp/in/rules.pdf' })
      should(await sent('addAttachment')).have.property('fileName', 'rules.pdf')
      should(await refused('addAttachment', attachment, { rules: '/etc/hostname' })).containEql('file')
      const locked = Buffer.from('%PDF-1.4\ntrailer\n<</Encrypt 5 0 R>>')
      should(await refused('addAttachment', attachment, { rules: locked })).deepEqual(['file'])
    })

    it('needs a title and a file for each', async () => {
      should(await refused('addAttachment', { description: 'only this' })).deepEqual(['title', 'fileName', 'data'])
    })
  })

  it('gives the file of one signer, when they have signed', async () => {
    await act(document.signers[0]?.url ?? '')
    await service.sandbox.clock.advance(5000)
    const signerId = document.signers[0]?.id
    const settings = { fileFormat: 'native', ofSigner: 'signerId', ofSignerType: 'msg', waitUntilReady: true }
    const msg = await run('download', settings, { signerId })
    should((msg.payload as Buffer).length).be.above(0)
    const [asked] = await service.requests('getSignerFile')
    should(asked?.path).endWith(`/files/signers/${signerId}`)
  })

  it('lists what was sent', async () => {
    await run('remind', { notificationSetting: 'sendEmail' })
    should((await run('listNotifications')).payload).be.an.Array()
  })

  it('is changed once, however often a change may have arrived', async () => {
    for (const [operation, settings] of [
      ['addSigner', kari],
      ['update', { title: 'Another' }],
    ] as const) {
      const name = operation === 'update' ? 'updateDocument' : operation
      should(operations[name].repeat).equal('never')
      await service.fault({ operation: name, kind: 'close-after' })
      const flow = await start(operation, settings, { retries: 3 })
      flow.send({ documentId: document.documentId })
      const { error } = await flow.caught()
      should(error.cause.outcome).equal('unknown')
      should(await service.requests(name)).have.length(1)
      await stopFlow()
    }
  })
})
