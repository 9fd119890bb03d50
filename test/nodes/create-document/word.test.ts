/** A Word file with fields, as it is sent: it contains the person's own name and rent. */
import { strFromU8, unzipSync } from 'fflate'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { TextParams } from '../../../lib/api/errors/texts'
import node from '../../../nodes/create-document/create-document'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { lockedOffice } from '../../support/files/compound-file'
import { twoInOne, withBody } from '../../support/files/hostile-word'
import { wordDocument } from '../../support/files/word-document'
import { saying, sentence } from '../../support/wording'

const problem = (key: string, params: TextParams) => sentence('client', `problems.${key}`, params)

interface Request {
  readonly externalId: string
  readonly dataToSign: { readonly base64Content: string; readonly fileName: string; readonly convertToPDF?: boolean }
}

const textIn = (base64: string) =>
  strFromU8(unzipSync(Buffer.from(base64, 'base64'))['word/document.xml'] ?? new Uint8Array())
    .replace(/<[^>]+>/g, '')
    .trim()

describe('create document from a Word file', () => {
  let service: Service
  let flow: Flow
  let folder = ''
  const form = () => ({
    title: 'Lease for {Name}',
    contactEmail: 'kari.nordmann@example.com',
    file: join(folder, 'lease.docx'),
    fileType: 'path',
    signersType: 'form',
    signersRows: [{ firstName: '{Name}', email: 'ola.nordmann@example.com', notification: 'off' }],
  })
  const start = async (settings: object) => {
    const client = { baseUrl: service.url }
    flow = await startFlow({ type: 'eid-create-document', module: node, settings, client })
  }
  const requests = async () => (await service.requests('createDocument')).map(({ body }) => body as unknown as Request)
  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-word-'))
    writeFileSync(join(folder, 'lease.docx'), wordDocument(['{title}: {Name} pays {Rent}. {Note}']))
    writeFileSync(join(folder, 'plain.docx'), wordDocument(['No fields here.']))
    writeFileSync(join(folder, 'wrong.docx'), wordDocument(['Rent: {Rent']))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.close()
  })
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('fills in each row of a list, as it is, and has it signed as PDF', async () => {
    await start(form())
    for (const Name of ['Ola', 'Kari']) flow.send({ payload: { Name, Rent: '12 500,00', Note: `${Name}’s own` } })
    await flow.next()
    await flow.next()
    const all = await requests()
    should(all.map(({ dataToSign }) => textIn(dataToSign.base64Content)).sort()).deepEqual([
      'Lease for Kari: Kari pays 12 500,00. Kari’s own',
      'Lease for Ola: Ola pays 12 500,00. Ola’s own',
    ])
    should(all.map(({ dataToSign }) => dataToSign.convertToPDF)).deepEqual([true, true])
    should(all[0]?.dataToSign.fileName).equal('lease.docx')
  })

  it('is converted to PDF unless that was switched off', async () => {
    await start({ ...form(), convertToPdf: 'false' })
    flow.send({ payload: { Name: 'Ola', Rent: 1, Note: 'none' } })
    await flow.next()
    should((await requests())[0]?.dataToSign.convertToPDF).be.false()
  })

  const named: readonly [string, object, object, string][] = [
    [
      'a name of its own ending in .pdf',
      { fileName: 'Lease for {Name}.pdf', fileNameType: 'tpl' },
      {},
      'Lease for Ola.docx',
    ],
    ['the name of an older Word file', { fileName: 'No. 4.5.doc', fileNameType: 'str' }, {}, 'No. 4.5.docx'],
    ['the name of another file in the message', {}, { filename: '/data/in/offer.PDF' }, 'offer.docx'],
    ['the name of a text file in the message', {}, { filename: 'notes.txt' }, 'notes.docx'],
  ]
  for (const [what, settings, more, name] of named) {
    it(`is filled in and signed as PDF whatever it is called: ${what}`, async () => {
      await start({ ...form(), ...settings })
      flow.send({ payload: { Name: 'Ola', Rent: 1, Note: 'none' }, ...more })
      await flow.next()
      const { dataToSign } = (await requests())[0] as Request
      should(dataToSign).match({ fileName: name, convertToPDF: true })
      should(textIn(dataToSign.base64Content)).equal('Lease for Ola: Ola pays 1. none')
      should(flow.warnings).deepEqual([])
    })
  }

  it('is refused when it is to be called .pdf and not to be converted', async () => {
    await start({ ...form(), fileName: 'Lease.pdf', fileNameType: 'str', convertToPdf: 'false' })
    flow.send({ payload: { Name: 'Ola', Rent: 1, Note: 'none' } })
    should((await flow.caught()).error.message).equal(
      `${problem('wordNotPdf', { path: 'File name' })}. Nothing was sent.`,
    )
    should(await requests()).have.length(0)
  })

  it('takes the values from the list in the form, where a field may be empty', async () => {
    const fieldsRows = [
      { name: 'Name', value: 'name', valueType: 'msg' },
      { name: 'Rent', value: '{rent} kr', valueType: 'tpl' },
      { name: 'Note', value: '', valueType: 'str', mayBeEmpty: 'true', mayBeEmptyType: 'bool' },
    ]
    await start({
      ...form(),
      title: 'Lease',
      signersRows: [{ firstName: 'Ola', notification: 'off' }],
      fieldsType: 'form',
      fieldsRows,
    })
    flow.send({ name: 'Ola', rent: 12500 })
    await flow.next()
    should(textIn((await requests())[0]?.dataToSign.base64Content ?? '')).equal('Lease: Ola pays 12500 kr.')
  })

  it('names every field that is missing, empty or no text, and sends nothing', async () => {
    await start(form())
    flow.send({ payload: { Name: 'Ola', Rent: { kr: 1 }, Note: '' } })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).containEql(problem('wordNotText', { path: 'Fields in the document', field: 'Rent' }))
    should(error.message).containEql(problem('wordEmpty', { path: 'Fields in the document', field: 'Note' }))
    should(error.message).containEql('Nothing was sent')
    should(await requests()).have.length(0)
  })

  it('says of an empty cell that it is empty, and not that the field or the file is missing', async () => {
    const rows = ['Name', 'Rent', 'Note'].map((name) => ({ name, value: `payload.${name}`, valueType: 'msg' }))
    await start({ ...form(), fieldsType: 'form', fieldsRows: rows })
    flow.send({ payload: { Name: 'Ola', Rent: '', Note: 'x' } })
    const { error } = await flow.caught()
    should(error.message).equal(
      `${problem('wordEmpty', { path: 'Fields in the document', field: 'Rent' })}. Nothing was sent.`,
    )
  })

  it('names the column that the list does not have, unless the field may be empty', async () => {
    const given = { Name: 'payload.Name', Rent: 'payload["Monthly rent"]', Note: 'payload.Note' }
    const rows = Object.entries(given).map(([name, value]) => ({ name, value, valueType: 'msg' }))
    const mayBeEmpty = rows.map((row) => (row.name === 'Note' ? { ...row, mayBeEmpty: true } : row))
    await start({ ...form(), fieldsType: 'form', fieldsRows: mayBeEmpty })
    flow.send({ payload: { Name: 'Ola' } })
    const { error } = await flow.caught()
    should(error.message).equal(
      `${problem('wordNoColumn', { path: 'Fields in the document', field: 'Rent', column: 'Monthly rent' })}. Nothing was sent.`,
    )
  })

  it('says where the file is written wrong', async () => {
    await start({ ...form(), file: join(folder, 'wrong.docx') })
    flow.send({ payload: { Name: 'Ola' } })
    const { error } = await flow.caught()
    should(error.message).match(saying('client', 'problems.wordUnclosed', { path: 'File' }))
    should(error.message).containEql('{Rent')
    writeFileSync(join(folder, 'wrong.docx'), wordDocument(['Name} pays']))
    flow.send({ payload: { Name: 'Ola' } })
    should((await flow.caught()).error.message).startWith(problem('wordUnopened', { path: 'File', text: 'Name}' }))
    should(await requests()).have.length(0)
  })

  it('sends a file without fields as it is', async () => {
    await start({ ...form(), file: join(folder, 'plain.docx') })
    flow.send({ payload: { Name: 'Ola' } })
    await flow.next()
    should(textIn((await requests())[0]?.dataToSign.base64Content ?? '')).equal('No fields here.')
  })

  it('refuses a file that would exhaust Node-RED, by a sentence, and takes the next one', async () => {
    const bomb = withBody('<w:p/>'.repeat(400_000))
    const file = { file: 'file', fileType: 'msg', fileName: 'lease.docx', fileNameType: 'str' }
    await start({ ...form(), ...file })
    flow.send({ file: bomb, payload: { Name: 'Ola' } })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).equal(`${problem('wordTooLarge', { path: 'File' })}. Nothing was sent.`)
    // The sandbox converts the second one, whose other content must not be unpacked either.
    flow.send({ file: twoInOne(wordDocument(['No fields here.']), bomb), payload: { Name: 'Ola' } })
    await flow.next()
    should(await requests()).have.length(1)
  })

  const otherFiles: readonly [string, Buffer, string, TextParams][] = [
    ['lease.rtf', Buffer.from('{\\rtf1 Tenant: \\{Name\\}}'), 'wordOnly', { text: '{Name}' }],
    ['lease.txt', Buffer.from('Tenant: {Name}'), 'wordOnly', { text: '{Name}' }],
    ['lease.docx', lockedOffice(), 'fileLocked', {}],
    ['lease.pdf', Buffer.from('%PDF-1.4\ntrailer\n<</Encrypt 5 0 R>>'), 'fileLocked', {}],
  ]
  for (const [fileName, file, key, params] of otherFiles) {
    it(`refuses what would be sent with a field in it, or with a password: ${fileName}, ${key}`, async () => {
      await start({ ...form(), file: 'file', fileType: 'msg', fileName, fileNameType: 'str' })
      flow.send({ file, payload: { Name: 'Ola' } })
      should((await flow.caught()).error.message).equal(
        `${problem(key, { path: 'File', ...params })}. Nothing was sent.`,
      )
      // The next file is sent as it is.
      flow.send({ file: Buffer.from('Tenant: Ola'), payload: { Name: 'Ola' } })
      await flow.next()
      should(await requests()).have.length(1)
    })
  }

  it('says of a list that no column could contain it, and takes the word in a cell for a part by yes or no', async () => {
    const rows = [{ name: 'Pets', value: 'payload.Pets', valueType: 'msg' }]
    const file = { file: 'file', fileType: 'msg', fileName: 'lease.docx', fileNameType: 'str' }
    await start({ ...form(), ...file, fieldsType: 'form', fieldsRows: rows })
    const pets = wordDocument(['{#Pets}With a dog.{/Pets}'])
    flow.send({ file: pets, payload: { Name: 'Ola' } })
    should((await flow.caught()).error.message).equal(
      `${problem('wordNoList', { path: 'Fields in the document', field: 'Pets' })}. Nothing was sent.`,
    )
    flow.send({ file: pets, payload: { Name: 'Ola', Pets: 'yes' } })
    await flow.next()
    should(textIn((await requests())[0]?.dataToSign.base64Content ?? '')).equal('With a dog.')
  })

  it('makes the same request of the same row, so that a message from a Catch node makes no second document', async () => {
    await start(form())
    const payload = { Name: 'Ola', Rent: 1, Note: 'none' }
    flow.send({ payload })
    const { externalId } = await flow.next()
    flow.send({ payload, externalId })
    should(await flow.next()).match({ externalId, existing: true })
  })
})
