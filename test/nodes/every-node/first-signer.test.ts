/** The field {signer} in texts: whose name it is, and that it is never the name of another document's signer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import should from 'should'
import createDocument from '../../../nodes/create-document/create-document'
import document from '../../../nodes/document/document'
import shareCreate from '../../../nodes/share-create/share-create'
import { wordDocument } from '../../support/files/word-document'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

describe('the field {signer}', () => {
  let service: Service
  let flow: Flow
  const start = async (settings: object) => {
    const client = { baseUrl: service.url }
    flow = await startFlow({ type: 'eid-create-document', module: createDocument, settings, client })
  }
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  describe('beside a request that the form completes', () => {
    const settings = { title: 'Lease for {signer}', titleType: 'tpl', body: 'payload', bodyType: 'msg' }
    const dataToSign = { fileName: 'lease.txt', base64Content: 'aGk=' }
    const contactDetails = { email: 'kari.nordmann@example.com' }
    const signer = (firstName: string) => ({
      externalSignerId: 'signer-1',
      signerInfo: { firstName, lastName: 'Nordmann' },
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    })
    const payload = { contactDetails, signers: [signer('Kari')] }
    const titleFor = async (more: object, given: object) => {
      await start({ ...settings, ...more })
      flow.send({ payload: { ...payload, dataToSign, ...given } })
      await flow.next()
      return (await service.requests('createDocument'))[0]?.body
    }

    it('names the first signer of the request', async () => {
      should(await titleFor({}, {})).have.property('title', 'Lease for Kari Nordmann')
    })

    it('names the first signer of the request also if the message has no list of signers', async () => {
      const more = { signers: 'tenants', signersType: 'msg' }
      should(await titleFor(more, {})).have.property('title', 'Lease for Kari Nordmann')
    })

    it('names the signer in More fields, who replaces those of the request', async () => {
      const more = { more: JSON.stringify({ signers: [signer('Ola')] }) }
      for (const given of [{}, { signers: undefined }]) {
        should(await titleFor(more, given)).have.property('title', 'Lease for Ola Nordmann')
        await stopFlow()
        await service.reset()
      }
    })

    it('names the signer of the form with the fields that More fields adds', async () => {
      const own = { signersType: 'form', signersRows: [{ email: 'ola.nordmann@example.com', notification: 'off' }] }
      const more = JSON.stringify({ signers: [{ signerInfo: { firstName: 'Ola', lastName: 'Nordmann' } }] })
      should(await titleFor({ ...own, more }, {})).have.property('title', 'Lease for Ola Nordmann')
    })

    it('names the first signer of the request in a Word file', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'eid-signer-'))
      const file = join(folder, 'lease.docx')
      writeFileSync(file, wordDocument(['{signer}']))
      await start({ ...settings, title: 'Lease', file, fileType: 'path' })
      flow.send({ payload })
      await flow.next()
      rmSync(folder, { recursive: true })
      const [call] = await service.requests('createDocument')
      const { dataToSign: sent } = call?.body as { dataToSign: { base64Content: string } }
      const word = unzipSync(Buffer.from(sent.base64Content, 'base64'))['word/document.xml'] ?? new Uint8Array()
      should(strFromU8(word)).containEql('Kari Nordmann')
    })

    it('names no one in the form’s own signers', async () => {
      await start({ ...settings, title: 'Lease', signersType: 'form', signersRows: [{ firstName: '{signer}' }] })
      flow.send({ payload: { ...payload, dataToSign } })
      should((await flow.caught()).error.message).match(/needs \{signer\}/)
    })
  })

  it('names the first signer of the document that is shared', async () => {
    const settings = {
      title: 'Lease of {signer}',
      description: 'Signed',
      descriptionType: 'str',
      contentType: 'json',
      content: JSON.stringify([{ id: 'a', name: 'a', type: 'file' }]),
      recipients: 'recipients',
      recipientsType: 'msg',
    }
    const mobile = { countryCode: '47', number: '99999999' }
    const recipient = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari.nordmann@example.com', mobile }
    const expires = new Date(Date.now() + 86_400_000).toISOString()
    const recipients = [{ ...recipient, expires, uploads: ['a'], authentication: [{ identityProvider: 'NO_EID' }] }]
    const signers = [{ signerInfo: { firstName: 'Ola', lastName: 'Nordmann' } }]
    const client = { baseUrl: service.url }
    flow = await startFlow({ type: 'eid-share-create', module: shareCreate, settings, client })
    flow.send({ documentId: 'doc-1', recipients, payload: { documentId: 'doc-1', signers } })
    await flow.next()
    const sent = JSON.stringify((await service.requests('createBucket'))[0]?.body)
    should(sent).containEql('Lease of Ola Nordmann')
    flow.send({ documentId: 'doc-1', recipients, payload: { documentId: 'doc-2', signers } })
    should((await flow.caught()).error.message).match(/needs \{signer\}/)
  })

  describe('names no signer of another document', () => {
    const signers = [{ signerInfo: { firstName: 'Ola', lastName: 'Nordmann' } }]
    const other = { documentId: 'other-1', title: 'x', signers }
    const plain = {
      titleType: 'tpl',
      contactEmail: 'kari.nordmann@example.com',
      file: 'file',
      fileType: 'msg',
      fileName: 'lease.txt',
      signersType: 'form',
      signersRows: [{ firstName: 'Ola', lastName: 'Nordmann', notification: 'off' }],
    }
    const refused = async (operation: string) => {
      should((await flow.caught()).error).match({ code: 'EID_INVALID_INPUT', message: /signer/ })
      should(await service.requests(operation)).be.empty()
    }

    it('in a new document', async () => {
      for (const settings of [
        { ...plain, title: 'Lease for {signer}', signersType: 'msg', signers: 'tenants' },
        { ...plain, title: 'Lease', signersRows: [{ firstName: 'Kari', lastName: '{signer}' }] },
      ]) {
        await start(settings)
        flow.send({ file: Buffer.from('A lease'), payload: other })
        await refused('createDocument')
        await stopFlow()
      }
    })

    it('in a change of a document', async () => {
      const settings = { operation: 'update', title: 'Lease for {signer}', titleType: 'tpl' }
      const client = { baseUrl: service.url }
      for (const payload of [other, { ...other, id: 'doc-1' }, { id: 'other-1', signers }, { signers }]) {
        flow = await startFlow({ type: 'eid-document', module: document, settings, client })
        flow.send({ documentId: 'doc-1', payload })
        await refused('updateDocument')
        await stopFlow()
      }
    })
  })
})
