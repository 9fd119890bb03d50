/** Numbers and dates of a spreadsheet: in titles and Word files, they look as in their cells. */
import { strFromU8, unzipSync } from 'fflate'
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import type { FlowMessage } from '../../support/node-types'
import { startBatch } from '../../support/batch-flow'
import { removeFlow, startFlow, stopFlow, type Flow } from '../../support/flow'
import { rawWorkbook, text } from '../../support/files/raw-workbook'
import { startService, type Service } from '../../support/service'
import { wordDocument } from '../../support/files/word-document'

const formats = (codes: readonly string[]) =>
  `<numFmts count="${codes.length}">${codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts>`

/** A list whose columns have these names, numbers and formats. */
function listOf(cells: readonly (readonly [name: string, number: number, format: string])[]): Buffer {
  const letter = (at: number) => String.fromCharCode(66 + at)
  const head = `<row r="1">${text('A1', 'Name')}${cells.map(([name], at) => text(`${letter(at)}1`, name)).join('')}</row>`
  const row = cells.map(([, number], at) => `<c r="${letter(at)}2" s="${at + 1}"><v>${number}</v></c>`).join('')
  const sheet = `<worksheet><sheetData>${head}<row r="2">${text('A2', 'Kari')}${row}</row></sheetData></worksheet>`
  const styles = cells.map((_cell, at) => `<xf numFmtId="${164 + at}"/>`).join('')
  return rawWorkbook({ rows: '', sheet, formats: formats(cells.map(([, , code]) => code)), styles })
}

const list = listOf([
  ['Rent', 12_500, '#,##0.00 &quot;kr&quot;'],
  ['From', 47_119, 'd\\. mmmm yyyy'],
  ['Share', 0.25, '0%'],
  ['Code', 150, '0000'],
])

/** The message of the only row of the list, as *batch* sends it. */
async function rowOf(batchId: string, settings: object): Promise<FlowMessage> {
  const batch = await startBatch({ key: '{Rent}', keyType: 'tpl', ...settings })
  batch.send({ payload: list, batchId })
  const [msg] = await batch.rows(1)
  await removeFlow()
  return msg ?? {}
}

describe('numbers and dates of a spreadsheet', () => {
  let service: Service
  let flow: Flow
  before(async () => void (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  /** The title and the text of the Word file that are sent for this message. */
  const sent = async (msg: FlowMessage, settings: object = {}) => {
    const form = {
      title: '{Name}: {Rent} from {payload.From}',
      contactEmail: 'kari.nordmann@example.com',
      file: 'file',
      fileType: 'msg',
      fileName: 'lease.docx',
      fileNameType: 'str',
      externalId: '{Rent}',
      externalIdType: 'tpl',
      signersType: 'form',
      signersRows: [{ firstName: '{Name}', email: 'ola.nordmann@example.com', notification: 'off' }],
    }
    flow = await startFlow({
      type: 'eid-create-document',
      module: node,
      settings: { ...form, ...settings },
      client: { baseUrl: service.url },
    })
    flow.send({ ...msg, file: wordDocument(['{Name} pays {Rent} from {From}, {Share} of {Code}.']) })
    await flow.next()
    const [request] = await service.requests('createDocument')
    const body = request?.body as { title: string; externalId: string; dataToSign: { base64Content: string } }
    const part = unzipSync(Buffer.from(body.dataToSign.base64Content, 'base64'))['word/document.xml']
    const words = strFromU8(part ?? new Uint8Array()).replace(/<[^>]+>/g, '')
    return { title: body.title, externalId: body.externalId, words: words.trim() }
  }

  it('are in the message themselves, and beside them as their cells show them', async () => {
    const msg = await rowOf('list 1', { language: 'nb' })
    should(msg.payload).deepEqual({ Name: 'Kari', Rent: 12_500, From: '2029-01-01', Share: 0.25, Code: '0150' })
    should(msg.batch).match({
      key: '12500',
      shown: { Rent: '12 500,00 kr', From: '1. januar 2029', Share: '25 %', Code: '0150' },
    })
    should((await rowOf('list 2', { language: 'en' })).batch).match({
      shown: { Rent: '12,500.00 kr', From: '1. January 2029' },
    })
  })

  it('look as in their cells in a title and a Word file, but not in a key', async () => {
    should(await sent(await rowOf('list 3', { language: 'nb' }))).deepEqual({
      title: 'Kari: 12 500,00 kr from 1. januar 2029',
      externalId: '12500',
      words: 'Kari pays 12 500,00 kr from 1. januar 2029, 25 % of 0150.',
    })
  })

  it('look so too if the form names the column of each field', async () => {
    const fields = ['Name', 'Rent', 'From', 'Share', 'Code']
    const fieldsRows = fields.map((name) => ({ name, value: `payload.${name}`, valueType: 'msg' }))
    const found = await sent(await rowOf('list 4', { language: 'nb' }), {
      title: 'payload.From',
      titleType: 'msg',
      fields: '',
      fieldsType: 'form',
      fieldsRows,
    })
    should(found).match({
      title: '1. januar 2029',
      words: /^Kari pays 12 500,00 kr from 1\. januar 2029, 25 % of 0150/,
    })
  })

  it('are used as they are when the flow has changed them', async () => {
    const msg = await rowOf('list 5', { language: 'nb' })
    const changed = { ...msg, payload: { ...(msg.payload as object), Rent: 13_000.5 } }
    should(await sent(changed)).match({
      title: 'Kari: 13000.5 from 1. januar 2029',
      words: /^Kari pays 13000\.5 from 1\. januar 2029/,
    })
  })
})
