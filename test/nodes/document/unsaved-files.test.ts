/** The errors of "document" that a file is not saved: each is about one file, and goes once that file is saved. */
import should from 'should'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../../nodes/document/document'
import { dismissError, listErrors } from '../../support/errors'
import { sentenceOf } from '../../../lib/runtime/monitor/error-sentence'
import { translateInto } from '../../../lib/runtime/node-red/texts'
import { startFlow, stopFlow } from '../../support/flow'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'

describe('the error about a file that is not saved', () => {
  let server: StreamServer
  let folder: string
  const start = (settings: object) =>
    startFlow({
      type: 'eid-document',
      module: node,
      settings: { operation: 'download', ...settings },
      client: { baseUrl: server.url, retries: 0 },
    })
  before(async () => {
    server = await startStreamServer(({ response }) => response.end('%PDF-1.7'))
  })
  after(() => server.close())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-unsaved-'))
    writeFileSync(join(folder, 'nas'), '')
    dismissError()
  })
  afterEach(async () => {
    await stopFlow()
    rmSync(folder, { recursive: true })
  })

  it('says nothing of saving if the file only goes into the message', async () => {
    const flow = await start({ fileFormat: 'wanted', fileFormatType: 'msg' })
    flow.send({ documentId: 'd-1' })
    should((await flow.caught()).error.message).equal(
      'File format is missing: msg.wanted has no value. Nothing was sent.',
    )
    should(flow.statuses.at(-1)?.text).not.containEql('not saved')
  })

  const path = { saveTo: 'path', saveToType: 'msg' }
  const signer = { ofSigner: 'signer', ofSignerType: 'msg' }
  const attachment = { ofAttachment: 'attachment', ofAttachmentType: 'msg' }
  /** The settings, what the failed message says of its file, and what a message with another file says. */
  const others: readonly [string, object, object, object][] = [
    ['signer', { ...path, ...signer }, { signer: 's-1' }, { signer: 's-2' }],
    ['attachment', { ...path, ...attachment }, { attachment: 'a-1' }, { attachment: 'a-2' }],
    ['document', path, {}, { documentId: 'd-2' }],
  ]
  for (const [what, settings, mine, other] of others) {
    it(`stays while another file is saved, of another ${what}, and goes once its own is`, async () => {
      const flow = await start(settings)
      const send = (more: object, at: string) =>
        flow.send({ documentId: 'd-1', ...more, path: join(folder, at, 'lease') })
      send(mine, 'nas')
      await flow.caught()
      send(other, '')
      await flow.next()
      should(listErrors()).have.length(1)
      send(mine, 'corrected')
      await flow.next()
      should(listErrors()).be.empty()
    })
  }

  it('goes once the path is corrected in the form', async () => {
    for (const [saveTo, left] of [
      ['nas/lease.pdf', 1],
      ['{name}.pdf', 0],
    ] as const) {
      const flow = await start({ saveTo: join(folder, saveTo) })
      flow.send({ documentId: 'd-1', name: 'lease' })
      await (left ? flow.caught() : flow.next())
      should(listErrors()).have.length(left)
      await stopFlow()
    }
  })

  const [signerId, attachmentId] = [1, 2].map((one) => `0b7e5c1a-5d0e-4f3b-9a51-1c2d3e4f5a6${one}`)
  /** Settings and message, and the name of the file in both languages. */
  const names: readonly [object, object, string, string][] = [
    [{}, {}, 'The file of document d-1 is', 'Filen fra dokumentet d-1 er'],
    [signer, {}, 'The file for one signer of document d-1 is', 'Filen for en undertegner fra dokumentet d-1 er'],
    [
      { ...signer, ofAttachment: attachmentId },
      { signer: signerId },
      `The file of attachment ${attachmentId} for signer ${signerId} of document d-1 is`,
      `Filen til vedlegget ${attachmentId} for undertegneren ${signerId} fra dokumentet d-1 er`,
    ],
    [attachment, {}, 'The file of one attachment of document d-1 is', 'Filen til et vedlegg fra dokumentet d-1 er'],
  ]
  for (const [settings, msg, name, translated] of names) {
    it(`says: ${name} not saved`, async () => {
      const flow = await start({ saveTo: '{name}.pdf', ...settings })
      flow.send({ documentId: 'd-1', ...msg })
      should((await flow.caught()).error.message).containEql(` ${name} not saved. `)
      const [entry] = listErrors()
      should(entry && sentenceOf(entry, translateInto('nb', 'document'))).containEql(` ${translated} ikke lagret. Ikke`)
    })
  }

  const noIds = [
    'Ola Nordmann',
    'Nordmann',
    'ola@example.no',
    '01017012345',
    '+4799999999',
    's1'.repeat(33),
    '91234567',
    '4791234567',
    '010190',
    '01011990',
    '1.5.1985',
    '85.05.19',
    '31-12-85',
    '900-00-000',
    'Kari.Nordmann85',
    'ola_nordmann85',
    'kari.1985',
  ]
  for (const value of noIds) {
    it(`does not name a signer or an attachment by ${value.slice(0, 20)}, which is no id`, async () => {
      const flow = await start({ saveTo: '{name}.pdf', ...signer, ...attachment })
      flow.send({ documentId: 'd-1', signer: value, attachment: value })
      const { message } = (await flow.caught()).error
      should(message).containEql(' The file of one attachment for one signer of document d-1 is not saved. ')
      should(JSON.stringify([listErrors(), flow.statuses])).not.containEql(value)
    })
  }
})
