/** Fields in braces in the requests that are sent: where each is looked up, and the error if a field is missing. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import should from 'should'
import createDocument from '../../../nodes/create-document/create-document'
import document from '../../../nodes/document/document'
import { wordDocument } from '../../support/files/word-document'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { sentence } from '../../support/wording'

const form = {
  title: 'Lease for {Last name}',
  titleType: 'tpl',
  description: 'Rent {Leie pr. mnd} kr, {payload.address.street}, {guests[0].name}, {{not a field}',
  descriptionType: 'tpl',
  fileName: '{Last name}.txt',
  fileNameType: 'tpl',
  contactEmail: 'kari.nordmann@example.com',
  signersType: 'form',
  signersRows: [{ firstName: '{First name}', lastName: '{Last name}', email: '{E-mail}', notification: 'off' }],
  file: 'file',
  fileType: 'msg',
}
const row = {
  'First name': 'Ola',
  'Last name': 'Nordmann',
  'Leie pr. mnd': '12 500,00',
  'E-mail': 'ola.nordmann@example.com',
  address: { street: 'Storgata 1' },
}
const message = () => ({ payload: row, guests: [{ name: 'Kari' }], file: Buffer.from('A lease') })

describe('fields in braces', () => {
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

  it('are filled in from the payload and the message, unchanged, also in the list of signers', async () => {
    await start(form)
    flow.send(message())
    await flow.next()
    const [call] = await service.requests('createDocument')
    should(call?.body).containDeep({
      title: 'Lease for Nordmann',
      description: 'Rent 12 500,00 kr, Storgata 1, Kari, {not a field}',
      dataToSign: { fileName: 'Nordmann.txt' },
      signers: [{ signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' } }],
    })
  })

  it('can be combined with environment variables: one that is not set is named, and nothing is sent', async () => {
    const settings = {
      ...form,
      title: 'Lease in ${EID_TEST_CITY} for {Last name}',
      description: '${EID_TEST_CITY}, Norway',
    }
    await start(settings)
    flow.send(message())
    const { error } = await flow.caught()
    should(error).have.properties({ code: 'EID_CONFIG' })
    should(error.message).containEql('EID_TEST_CITY')
    should(await service.requests('createDocument')).have.length(0)
    await stopFlow()
    process.env.EID_TEST_CITY = '{Oslo}'
    try {
      await start(settings)
      flow.send(message())
      await flow.next()
    } finally {
      delete process.env.EID_TEST_CITY
    }
    const [call] = await service.requests('createDocument')
    should(call?.body).containDeep({ title: 'Lease in {Oslo} for Nordmann', description: '{Oslo}, Norway' })
  })

  it('are part of no path: a value in a file name is made safe', async () => {
    await start(form)
    flow.send({ ...message(), payload: { ...row, 'Last name': '../../Nordmann' } })
    await flow.next()
    const [call] = await service.requests('createDocument')
    should((call?.body as { dataToSign: { fileName: string } }).dataToSign.fileName).equal('_.._Nordmann.txt')
  })

  it('are all named when the message lacks them or has no text there, and nothing is sent', async () => {
    await start(form)
    flow.send({ ...message(), payload: { ...row, 'Last name': undefined, 'Leie pr. mnd': { kr: 12500 } } })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).containEql(sentence('client', 'problems.fieldMissing', { path: 'Title', field: 'Last name' }))
    should(error.message).containEql(
      sentence('client', 'problems.fieldNotText', { path: 'Description', field: 'Leie pr. mnd' }),
    )
    should(error.message).containEql('Nothing was sent')
    should(await service.requests('createDocument')).have.length(0)
  })

  it('are named when they leave a signer without a name, and nothing is sent', async () => {
    const refused = async (signer: object, payload: object) => {
      await start({ ...form, title: 'Lease', description: '', fileName: 'lease.txt', signersRows: [signer] })
      flow.send({ ...message(), payload: { ...row, ...payload } })
      const { error } = await flow.caught()
      await stopFlow()
      return [error.code, error.message]
    }
    const code = 'EID_INVALID_INPUT'
    const empty = (field: string) =>
      `${sentence('client', 'problems.fieldEmpty', { path: 'Signer 1: first name', field })}. Nothing was sent.`
    const whole = { firstName: '{Name}', email: '{E-mail}' }
    should(await refused(whole, { Name: '' })).deepEqual([code, empty('Name')])
    const both = { firstName: '{First name} {Last name}', email: '{E-mail}' }
    const none = { 'First name': '', 'Last name': '' }
    should(await refused(both, none)).deepEqual([code, empty('First name')])
    should(await service.requests('createDocument')).have.length(0)
    await start({ ...form, title: 'Lease {Note}', fileName: 'lease.txt' })
    flow.send({ ...message(), payload: { ...row, 'First name': '', Note: '' } })
    await flow.next()
    await stopFlow()
    await start({ ...form, signersRows: [{ email: '{E-mail}' }] })
    flow.send(message())
    await flow.next()
    const sent = (await service.requests('createDocument')).map(({ body }) => (body as { title: string }).title)
    should(sent).deepEqual(['Lease ', 'Lease for Nordmann'])
  })

  it('are named with the setting when their value is refused, unless the name itself is an address', async () => {
    const email = { contactEmail: 'payload["Contact"]', contactEmailType: 'msg' }
    const signer = (more: object) => ({ signersRows: [{ firstName: 'Ola', notification: 'off', ...more }] })
    const refused = async (settings: object, payload: object) => {
      await start({ ...form, title: 'Lease', description: '', ...settings })
      flow.send({ ...message(), payload: { ...row, ...payload } })
      const { error } = await flow.caught()
      await stopFlow()
      return error.message
    }
    const wrong = (path: string) => `${sentence('client', 'problems.email', { path })}.`
    should(await refused({ ...email, ...signer({ email: '{E-mail}' }) }, { Contact: 'kari', 'E-mail': 'ola@' })).equal(
      `${wrong('Contact e-mail ({Contact})')} ${wrong('Signer 1: e-mail ({E-mail})')} Nothing was sent.`,
    )
    should(await refused(signer({ email: '{ola@example.com}' }), { 'ola@example.com': 'kari' })).equal(
      `${wrong('Signer 1: e-mail')} Nothing was sent.`,
    )
    should(await refused(signer({ email: 'x{E-mail}' }), { 'E-mail': 'ola@' })).equal(
      `${wrong('Signer 1: e-mail')} Nothing was sent.`,
    )
  })

  it('name the title, the signer, the date and the time where the message has no such fields', async () => {
    await start({ ...form, description: '{title}, {signer}, {date} {time}' })
    flow.send(message())
    await flow.next()
    const { description } = (await service.requests('createDocument'))[0]?.body as { description: string }
    should(description).match(/^Lease for Nordmann, Ola Nordmann, \d{4}-\d\d-\d\d \d\d:\d\d$/)
  })

  for (const title of ['Lease', 'Lease for {Last name}'])
    it(`name the title and the signer in every list of the form (title: ${title})`, async () => {
      const file = wordDocument(['For {who}: {what}'])
      const rows = (name: string, ...cells: object[]) => ({
        [name]: '',
        [`${name}Type`]: 'form',
        [`${name}Rows`]: cells,
      })
      await start({
        ...form,
        title,
        fileName: 'lease.docx',
        fileNameType: 'str',
        ...rows('texts', { occasion: 'request', language: 'EN', subject: 'Sign {title}', text: 'Hello {signer}' }),
        ...rows('questions', { key: 'accept', label: 'I accept {title}' }),
        ...rows('fields', { name: 'who', value: '{signer}' }, { name: 'what', value: '{title}' }),
      })
      flow.send({ ...message(), file })
      await flow.next()
      const [call] = await service.requests('createDocument')
      const filled = title.replace('{Last name}', 'Nordmann')
      const text = JSON.stringify(call?.body)
      const { base64Content } = (call?.body as { dataToSign: { base64Content: string } }).dataToSign
      const word = unzipSync(Buffer.from(base64Content, 'base64'))['word/document.xml'] ?? new Uint8Array()
      should(strFromU8(word).replace(/<[^>]*>/g, '')).containEql(`For Ola Nordmann: ${filled}`)
      should(text)
        .containEql(`Sign ${filled}`)
        .and.containEql('Hello Ola Nordmann')
        .and.containEql(`I accept ${filled}`)
    })

  it('name a title without fields in the cells of a signer', async () => {
    await start({ ...form, title: 'Lease', signersRows: [{ firstName: 'Ola', lastName: '({title})' }] })
    flow.send(message())
    await flow.next()
    should((await service.requests('createDocument'))[0]?.body).containDeep({
      signers: [{ signerInfo: { lastName: '(Lease)' } }],
    })
  })

  it('are refused when a brace is not closed', async () => {
    await start({ ...form, title: 'Lease for {Last name' })
    flow.send(message())
    const { error } = await flow.caught()
    should(error.message).startWith(sentence('client', 'problems.fieldUnclosed', { path: 'Title' }))
  })

  it('are not looked for in plain text', async () => {
    await start({ ...form, titleType: 'str' })
    flow.send(message())
    await flow.next()
    should((await service.requests('createDocument'))[0]?.body).containDeep({ title: 'Lease for {Last name}' })
  })

  it('leave the form untouched when a text is empty, whatever its type', async () => {
    await start({ titleType: 'str', descriptionType: 'tpl', externalIdType: 'msg' })
    const payload = { title: 'From the message', unknownField: 1, signers: [] }
    flow.send({ payload })
    const { error } = await flow.caught()
    should(error.message).not.containEql('Title is missing')
  })

  it('name the file that a download is saved to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eid-braces-'))
    try {
      await start(form)
      flow.send(message())
      const { documentId } = await flow.next()
      await stopFlow()
      const settings = {
        operation: 'download',
        fileFormat: 'unsigned',
        documentId: 'documentId',
        documentIdType: 'msg',
        saveTo: join(folder, '{date} {Unit} {signer}.txt'),
        saveToType: 'tpl',
      }
      const client = { baseUrl: service.url }
      flow = await startFlow({ type: 'eid-document', module: document, settings, client })
      const signers = [{ signerInfo: { firstName: 'Ola', lastName: 'Nordmann' } }]
      flow.send({ documentId, payload: { documentId, Unit: 'A/12: north', signers } })
      await flow.next()
      should(readdirSync(folder).join()).match(/^\d{4}-\d\d-\d\d A_12_ north Ola Nordmann\.txt$/)
      should(existsSync(folder)).be.true()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
