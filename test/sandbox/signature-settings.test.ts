/**
 * The sandbox simulates everything that a document request may contain about texts, identification, forms and deletion.
 */
import should from 'should'
import { at, base64, DAY, person, type SignerBody, useDocuments } from './document-calls'
import { growth } from '../support/turns'

describe('sandbox: what a document was asked for', () => {
  const { caller, create, tryCreate, get, stateOf, signAs, outbox } = useDocuments()
  const events = () => [...caller().sandbox.world.notification.events.values()]
  const typesOf = () => events().map(({ type }) => type)
  const fileOf = (id: string) => caller().call('GET', at(id, '/files?fileFormat=unsigned'))
  const move = async (milliseconds: number) => {
    await caller().sandbox.clock.advance(milliseconds)
    await caller().renew()
  }
  const pageOf = async (signer: SignerBody | undefined) =>
    (await fetch(signer?.url ?? '', { headers: { Accept: 'text/html' } })).text()
  const act = (signer: SignerBody | undefined, action: string, body?: object) =>
    caller().open('POST', `/sign/${signer?.url.split('jwt=')[1] ?? ''}/${action}`, body)

  it('deletes the files 168 hours after the end, says so before and after, and keeps who signed', async () => {
    const document = await create()
    for (const signer of document.signers) await signAs(signer)
    await move(5 * DAY)
    should(typesOf()).not.containEql('document_before_deleted')
    should((await fileOf(document.documentId)).status).equal(200)
    await move(1.5 * DAY)
    should(typesOf()).containEql('document_before_deleted').and.not.containEql('document_deleted')
    should((await fileOf(document.documentId)).status).equal(200)
    await move(1 * DAY)
    const deleted = events().find(({ type }) => type === 'document_deleted')
    should(deleted?.payload).have.properties('documentId', 'externalDocumentId', 'message')
    should((await fileOf(document.documentId)).status).equal(404)
    should(await stateOf(document.documentId)).equal('signed')
    should((await get(document.documentId)).signers[0]).have.property('documentSignature')
  })

  it('deletes after as many hours as the request says, of a canceled document too, and refuses more than 744', async () => {
    const document = await create({ advanced: { timeToLive: { deleteAfterHours: 2 } } })
    await caller().call('POST', at(document.documentId, '/cancel'))
    await move(2 * 3600_000 + 1000)
    should(typesOf()).containEql('document_deleted')
    should((await tryCreate({ advanced: { timeToLive: { deleteAfterHours: 745 } } })).status).equal(400)
  })

  it("sends the signed file to others, in the sender's own words", async () => {
    const finalReceipt = {
      includeSignedFile: true,
      additionalRecipients: [{ language: 'NO', email: 'arkiv@example.com' }],
      email: [{ language: 'NO', subject: 'Ferdig: {document-title}', text: 'Arkiver {document-title} {unknown}' }],
    }
    const document = await create({ notification: { finalReceipt } })
    for (const signer of document.signers) await signAs(signer)
    const [copy] = outbox().filter(({ to }) => to === 'arkiv@example.com')
    should(copy).containEql({ subject: 'Ferdig: Lease', text: 'Arkiver Lease {unknown} [lease.txt]' })
    const wrong = await tryCreate({ notification: { finalReceipt: { additionalRecipients: [{ email: 'arkivet' }] } } })
    should(wrong.json.errors.map(({ field }) => field)).deepEqual([
      'Notification.FinalReceipt.AdditionalRecipients[0].Email',
    ])
  })

  it('asks for a signature in words of the sender, by language, with fields filled in', async () => {
    const signRequest = {
      email: [
        { language: 'EN', subject: 'Sign {document-title}', text: 'Dear {name}', senderName: 'Letting' },
        { language: 'NO', subject: 'Signer {document-title}', text: 'Kjære {name}' },
      ],
    }
    const notifications = { setup: { request: 'sendEmail' }, mergeFields: { name: 'Kari' } }
    const kari = person('kari-1', { ui: { language: 'NO' }, notifications })
    const { documentId } = await create({ notification: { signRequest }, signers: [person('ola-1'), kari] })
    should(outbox().map(({ subject, text }) => [subject, text])).deepEqual([
      ['Sign Lease', 'Dear {name}'],
      ['Signer Lease', 'Kjære Kari'],
    ])
    const log = await caller().call<{ fromAddress: string }[]>('GET', at(documentId, '/notifications'))
    should(log.json[0]).have.property('fromAddress', 'Letting')
  })

  it('shows nothing of a document before its reader has identified, by a code that comes by SMS', async () => {
    const signerInfo = { email: 'ola@example.com', mobile: { countryCode: '47', number: '99999999' } }
    const { signers } = await create({
      dataToSign: { fileName: 'lease.txt', base64Content: base64('what nobody else may read') },
      signers: [person('ola-1', { authentication: { mechanism: 'eidAndSmsOtp' }, signerInfo })],
    })
    const [ola] = signers
    should(await pageOf(ola)).match(/Identify yourself/)
    should(await pageOf(ola)).not.match(/nobody else/)
    should((await act(ola, 'sign')).status).equal(401)
    should((await act(ola, 'identify', { code: '000' })).status).equal(403)
    const [code = ''] = outbox().flatMap(({ channel, text }) => (channel === 'sms' ? [text.replace(/\D/g, '')] : []))
    should((await act(ola, 'identify', { code })).status).equal(200)
    should(await pageOf(ola)).match(/nobody else/)
    should((await act(ola, 'sign')).status).equal(200)
    const without = await tryCreate({ signers: [person('ola-1', { authentication: { mechanism: 'smsOtp' } })] })
    should(without.json.errors.map(({ field }) => field)).deepEqual(['Signers[0].SignerInfo.Mobile.Number'])
  })

  it('closes a link at the time it was given, while the document waits', async () => {
    const signUrlExpires = new Date(caller().sandbox.clock.now() + DAY).toISOString()
    const { signers } = await create({ signers: [person('ola-1', { signUrlExpires }), person('kari-1')] })
    should(await pageOf(signers[0])).match(/id="sign"/)
    await move(DAY + 1000)
    should(await pageOf(signers[0])).match(/can no longer be used/)
    should(await pageOf(signers[1])).match(/id="sign"/)
  })

  it('has fields filled in before signing, and says in events what was filled in', async () => {
    const formFields = [
      { key: 'size', description: 'Shoe size', type: 'text', regex: '\\d+', required: true },
      { key: 'news', description: 'Newsletter', type: 'checkbox' },
    ]
    const { signers } = await create({ signers: [person('ola-1', { ui: { dialogs: { before: { formFields } } } })] })
    should(await pageOf(signers[0])).match(/data-field="size" required pattern="\\d\+"/)
    should((await act(signers[0], 'sign', { formFields: { news: true } })).status).equal(422)
    should((await act(signers[0], 'sign', { formFields: { size: '43' } })).status).equal(200)
    for (const type of ['document_form_partially_signed', 'document_form_signed']) {
      const event = events().find((one) => one.type === type)
      should(event?.payload).have.property('formFields', { size: '43' })
    }
  })

  it('says that an e-mail was opened, and that a look-up is done', async () => {
    const extraInfo = { types: ['personLookup'] }
    const { signers } = await create({ signers: [person('ola-1', { extraInfo })] })
    await pageOf(signers[0])
    await pageOf(signers[0])
    await signAs(signers[0])
    should(typesOf().filter((type) => /email_opened|resource/.test(type))).deepEqual([
      'document_email_opened',
      'resource_created',
    ])
  })

  it('makes a PDF of an Office file that is to be converted, and signs that', async () => {
    const dataToSign = { fileName: 'lease.docx', base64Content: base64('PK'), convertToPDF: true }
    const { documentId } = await create({ dataToSign })
    const { headers, text } = await fileOf(documentId)
    should(headers.get('content-type')).equal('application/pdf')
    // Text in a PDF is written as hexadecimal numbers.
    should(text).startWith('%PDF-').and.containEql(Buffer.from('lease.docx').toString('hex'))
  })

  it('checks a long text that is not base64 in one pass', async () => {
    const send = async (size: number) => {
      const base64Content = `${' '.repeat(size)}!`
      should((await tryCreate({ dataToSign: { fileName: 'lease.txt', base64Content } })).status).equal(400)
    }
    should(await growth(send, 6_000)).be.below(40)
  })
})
