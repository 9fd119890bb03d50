/**
 * "Send a test": one document or share from a form, to one person; never twice, and never for real unless requested.
 */
import should from 'should'
import { to, useSender, type Sender } from './sent-tests'
import { sentence } from '../../support/wording'

const file = { file: Buffer.from('agreed').toString('base64'), fileType: 'base64' }
const form = { title: 'Lease', titleType: 'str', ...file, fileName: 'lease.txt', fileNameType: 'str' }

describe('a test that is sent from a form', () => {
  let service: Sender['service']
  let url = ''
  let post: Sender['post']
  let client: Sender['client']
  useSender((sender) => ({ service, url, post, client } = sender))
  const send = (settings: object = form, more: object = {}) =>
    post({ set: 'create-document', key: 'one', to, settings, client: client(), ...more })
  const created = async () => (await service.requests('createDocument')).map(({ body }) => body as Body)
  type Body = Record<string, unknown> & { signers: Record<string, unknown>[] }
  let count = 0
  const key = () => `key-${count++}`

  it('creates one document from the form, for one signer at the typed address, and shows its link', async () => {
    const row = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari.nordmann@example.com', colorTheme: 'Teal' }
    const settings = {
      ...form,
      contactEmail: 'boss@example.com',
      contactEmailType: 'str',
      signersType: 'form',
      signersRows: [row, { ...row, email: 'other@example.com' }],
      externalId: 'lease-0001',
      externalIdType: 'str',
      signedFileTo: 'archive@example.com',
      signedFileToType: 'str',
      requiredSignatures: '2',
      requiredSignaturesType: 'num',
    }
    const answer = await send(settings, { key: key() })
    should(answer.ok).be.true()
    should(answer.text).startWith(
      sentence('client', 'sendTest.sentSandbox', {
        title: 'Lease (test)',
        file: 'lease.txt',
        email: 'ola.nordmann@example.com',
      }),
    )
    should((await fetch(answer.url ?? '')).status).equal(200)
    const [body, ...others] = await created()
    should(others).be.empty()
    should(body).have.properties({ title: 'Lease (test)', contactDetails: { email: 'boss@example.com' } })
    should(body?.externalId).match(/^test-/)
    should(body?.signers).have.length(1)
    should(body?.signers[0]).have.properties({
      signerInfo: { firstName: 'Kari', lastName: 'Nordmann', email: to.email },
      ui: { styling: { colorTheme: 'Teal' } },
      notifications: { setup: { request: 'sendEmail' } },
    })
    should(JSON.stringify(body)).not.match(/archive@|other@|kari\.nord|requiredSignatures/)
  })

  it('has nothing of other people, whatever More fields say', async () => {
    const mobile = { countryCode: '47', number: '99999999' }
    const setup = { signatureReceipt: 'sendBoth', finalReceipt: 'sendSms', reminder: 'sendSms' }
    const more = {
      signers: [
        {
          externalSignerId: 'kari-1',
          signerInfo: { middleName: 'Other', email: 'kari.nordmann@example.com', mobile },
          notifications: { setup, mergeFields: { who: 'Other' } },
          authentication: { mechanism: 'smsOtp', socialSecurityNumber: 'Other' },
          ui: { language: 'NO' },
        },
        { signerInfo: { email: 'other@example.com', mobile } },
      ],
      notification: { finalReceipt: { additionalRecipients: [{ email: 'other@example.com' }] } },
      notifications: { setup },
      Signers: [{ signerInfo: { mobile } }],
      advanced: { attachments: 2, requiredSignatures: 2, tags: ['lease'] },
    }
    should((await send({ ...form, more: JSON.stringify(more), moreType: 'json' }, { key: key() })).ok).be.true()
    const [body] = await created()
    should(body?.signers).have.length(1)
    should(body?.signers[0]).have.properties({ notifications: { setup: { request: 'sendEmail' } } })
    should(body?.signers[0]).have.propertyByPath('signerInfo', 'email').equal(to.email)
    should(body?.signers[0]).have.propertyByPath('ui', 'language').equal('NO')
    should(body).have.property('advanced', { tags: ['lease'] })
    const sent = JSON.stringify(body)
    should(sent).not.match(/99999999|[Oo]ther|kari|otp|Receipt|reminder|Signers/)
  })

  it('needs only an address, and names values that come with the message', async () => {
    const settings = {
      title: 'name',
      titleType: 'msg',
      file: 'paper',
      fileType: 'msg',
      tags: '${HOME}',
      tagsType: 'str',
    }
    const answer = await send(settings, { key: key() })
    should(answer.text).endWith(sentence('client', 'sendTest.left', { left: 'Title, File, Tags' }))
    const [body] = await created()
    should(body).have.propertyByPath('dataToSign', 'fileName').equal('test.txt')
    should(JSON.stringify(body)).not.containEql(process.env.HOME)
  })

  it('is one for two clicks at once, and for one that comes again', async () => {
    const same = { key: key() }
    const answers = await Promise.all([send(form, same), send(form, same)])
    should(answers[0]).deepEqual(answers[1])
    should(await send(form, same)).deepEqual(answers[0])
    should(await created()).have.length(1)
    await send(form, { key: key() })
    should(await created()).have.length(2)
  })

  it('is real only when that is said once more', async () => {
    const live = { client: client({ environment: 'live' }), key: key() }
    live.client.credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
    const asked = await send(form, live)
    should(asked).have.properties({ ok: false, ask: true })
    should(asked.text).equal(sentence('client', 'sendTest.ask', { email: 'ola.nordmann@example.com' }))
    should(await service.requests()).be.empty()
    const answer = await send(form, { ...live, live: true })
    should(answer.text).match(/^Sent for real/)
    should(await created()).have.length(1)
  })

  it('says what is wrong in the words of the form, and can be sent again', async () => {
    const same = { key: key() }
    should((await send({ ...form, themeMode: 'Dim', themeModeType: 'str' }, same)).text).match(
      /^Light or dark mode must be/,
    )
    should((await send(form, { ...same, to: { email: 'ola' } })).text).match(/^Recipient's e-mail must be one e-mail/)
    should(await service.requests()).be.empty()
    should((await send(form, same)).ok).be.true()
  })

  it('reveals no secrets when the service refuses', async () => {
    const secret = 'a-wrong-secret'
    const credentials = { clientId: 'sandbox', clientSecret: secret }
    const answer = await send(form, { key: key(), client: { ...client(), credentials } })
    should(answer).have.property('ok', false)
    should(answer.text).match(/rejected/)
    should(JSON.stringify(answer)).not.containEql(secret)
  })

  it('is a share with a file in it for one recipient', async () => {
    const settings = {
      title: 'Payslips',
      titleType: 'str',
      recipientsType: 'form',
      recipientsRows: [{ firstName: 'Kari', lastName: 'Nordmann', identityProvider: 'NO_EID_MOBILE' }],
    }
    const person = { ...to, mobileCountryCode: '47', mobileNumber: '99999999' }
    const order = { set: 'share-create', key: key(), to: person, client: client(), settings }
    const answer = await post(order)
    should(answer.text).match(/'Payslips \(test\)' with the file test\.txt/)
    should((await fetch(answer.url ?? '')).status).equal(200)
    const [share] = await service.requests('createBucket')
    should(share?.body).have.propertyByPath('recipients', '0', 'email').equal(to.email)
    should(await service.requests('uploadToBucket')).have.length(1)
    should(await post(order)).deepEqual(answer)
    should(await service.requests('createBucket')).have.length(1)
  })

  it('is refused for a node that has no such button', async () => {
    for (const set of ['wait', '__proto__', undefined]) {
      const body = JSON.stringify({ set, to, settings: {}, client: client() })
      const headers = { 'Content-Type': 'application/json' }
      should((await fetch(url, { method: 'POST', headers, body })).status).equal(400)
    }
  })
})
