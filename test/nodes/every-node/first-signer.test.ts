/** The field {signer} in texts: whose name it is, and that it is never the name of another document's signer. */
import should from 'should'
import createDocument from '../../../nodes/create-document/create-document'
import document from '../../../nodes/document/document'
import shareCreate from '../../../nodes/share-create/share-create'
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

  it("names the first signer of the request that the form completes, but not in the form's own signers", async () => {
    const settings = { title: 'Lease for {signer}', titleType: 'tpl', body: 'payload', bodyType: 'msg' }
    const signers = [
      {
        externalSignerId: 'kari-1',
        signerInfo: { firstName: 'Kari', lastName: 'Nordmann' },
        redirectSettings: { redirectMode: 'donot_redirect' },
        signatureType: { mechanism: 'pkisignature' },
      },
    ]
    const contactDetails = { email: 'kari.nordmann@example.com' }
    const dataToSign = { fileName: 'lease.txt', base64Content: 'aGk=' }
    await start(settings)
    flow.send({ payload: { contactDetails, dataToSign, signers } })
    await flow.next()
    should((await service.requests('createDocument'))[0]?.body).have.property('title', 'Lease for Kari Nordmann')
    await stopFlow()
    await start({ ...settings, title: 'Lease', signersType: 'form', signersRows: [{ firstName: '{signer}' }] })
    flow.send({ payload: { contactDetails, dataToSign, signers } })
    should((await flow.caught()).error.message).match(/needs \{signer\}/)
  })

  it('names the first signer of the document that is shared', async () => {
    const settings = {
      title: 'Lease of {signer}',
      ...{ description: 'Signed', descriptionType: 'str' },
      ...{ contentType: 'json', content: JSON.stringify([{ id: 'a', name: 'a', type: 'file' }]) },
      ...{ recipients: 'recipients', recipientsType: 'msg' },
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
      ...{ titleType: 'tpl', contactEmail: 'kari.nordmann@example.com' },
      ...{ file: 'file', fileType: 'msg', fileName: 'lease.txt' },
      ...{ signersType: 'form', signersRows: [{ firstName: 'Ola', lastName: 'Nordmann', notification: 'off' }] },
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
