/** The errors of "document" that a file is not saved: each is about one file, and goes once that file is saved. */
import helper from 'node-red-node-test-helper'
import should from 'should'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../../nodes/document/document'
import { dismissError, listErrors } from '../../../lib/runtime/monitor/error-log'
import { sentenceOf } from '../../../lib/runtime/monitor/error-sentence'
import { translateInto } from '../../../lib/runtime/node-red/texts'
import { startFlow, stopFlow } from '../../support/flow'
import { act, startParties } from '../../support/parties'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'
import { startService } from '../../support/service'

describe('the error about a file that is not saved', () => {
  let server: StreamServer
  let folder: string
  const start = (settings: object, baseUrl = server.url) =>
    startFlow({
      type: 'eid-document',
      module: node,
      settings: { operation: 'download', ...settings },
      client: { baseUrl, retries: 0 },
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
  const format = { fileFormat: 'format', fileFormatType: 'msg' }
  const signer = { ofSigner: 'signer', ofSignerType: 'msg' }
  const attachment = { ofAttachment: 'attachment', ofAttachmentType: 'msg' }
  /** The settings, what the failed message says of its file, and what a message with another file says. */
  const others: readonly [string, object, object, object][] = [
    ['format', { ...path, ...format }, { format: 'pades' }, { format: 'xades' }],
    ['format by its name', path, { name: 'lease.pdf' }, { name: 'lease.xml' }],
    ['format by its name, as the first has no ending', path, { name: 'package' }, { name: 'lease.pdf' }],
    ['signer', { ...path, ...signer }, { signer: 's-1' }, { signer: 's-2' }],
    ['attachment', { ...path, ...attachment }, { attachment: 'a-1' }, { attachment: 'a-2' }],
    ['document', path, {}, { documentId: 'd-2' }],
  ]
  for (const [what, settings, mine, other] of others) {
    it(`stays while another file is saved, of another ${what}, and goes once its own is`, async () => {
      const flow = await start(settings)
      const send = (more: object, at: string) => {
        const { name = 'lease', ...rest } = more as { name?: string }
        flow.send({ _msgid: 'm-1', externalId: 'lease-1', documentId: 'd-1', ...rest, path: join(folder, at, name) })
      }
      send(mine, 'nas')
      await flow.caught()
      send(other, '')
      await flow.next()
      should(listErrors()).have.length(1)
      send(mine, 'nas')
      await flow.caught()
      send(other, 'nas')
      await flow.caught()
      should(listErrors()).have.length(2)
      send(mine, '')
      await flow.next()
      should(listErrors()).have.length(1)
      send(other, 'corrected')
      await flow.next()
      should(listErrors()).be.empty()
    })
  }

  it('stays if a text with columns leads to another file of the document', async () => {
    const flow = await start({ saveTo: join(folder, '{at}/{name}') })
    flow.send({ documentId: 'd-1', at: 'nas', name: 'package' })
    await flow.caught()
    flow.send({ documentId: 'd-1', at: 'local', name: 'lease.pdf' })
    await flow.next()
    should(listErrors()).have.length(1)
    flow.send({ documentId: 'd-1', at: 'local', name: 'package' })
    await flow.next()
    should(listErrors()).be.empty()
  })

  it('stays if it is about a package, and only the PDF of the document is saved', async () => {
    mkdirSync(join(folder, 'lease.zip'))
    const flow = await start(path)
    flow.send({ documentId: 'd-1', path: join(folder, 'lease.zip') })
    await flow.caught()
    flow.send({ documentId: 'd-1', path: join(folder, 'lease.pdf') })
    await flow.next()
    should(listErrors()).have.length(1)
  })

  it('is an error of each file, also if both lack the same column', async () => {
    const flow = await start({ saveTo: join(folder, '{name}.dat'), ...format })
    for (const format of ['pades', 'xades']) {
      flow.send({ documentId: 'd-1', format })
      await flow.caught()
    }
    should(listErrors()).have.length(2)
    for (const [format, left] of [
      ['xades', 1],
      ['pades', 0],
    ] as const) {
      flow.send({ documentId: 'd-1', format, name: 'ola' })
      await flow.next()
      should(listErrors()).have.length(left)
    }
  })

  const corrected: readonly [settings: object, lacking: object][] = [
    [{ saveTo: '{name}.pdf' }, { name: 'ola' }],
    [{ saveTo: '{name}', saveToType: 'tpl' }, { name: 'ola.pdf' }],
    [{ saveTo: '{name}', ofSigner: 's-1' }, { name: 'ola.pdf' }],
    [{ saveTo: '{name}', ofAttachment: 'a-1' }, { name: 'ola' }],
    [{ saveTo: '{name}', ofSigner: 's-1', ofAttachment: 'a-1' }, { name: 'ola' }],
    [{ saveTo: '{name}', fileFormat: 'unsigned' }, { name: 'ola' }],
    [{ saveTo: 'lease.pdf', ...signer }, { signer: 's-1' }],
    [{ saveTo: 'lease', ...attachment }, { attachment: 'a-1' }],
    [{ saveTo: 'lease', ...format }, { format: 'xades' }],
  ]
  for (const [settings, lacking] of corrected) {
    it(`goes once the file is saved, with ${JSON.stringify(settings)}`, async () => {
      const { saveTo } = settings as { saveTo: string }
      const flow = await start({ ...settings, saveTo: join(folder, saveTo) })
      flow.send({ documentId: 'd-1' })
      await flow.caught()
      should(listErrors()).have.length(1)
      flow.send({ documentId: 'd-2', ...lacking })
      await flow.next()
      should(listErrors()).have.length(1)
      flow.send({ documentId: 'd-1', ...lacking })
      await flow.next()
      should(listErrors()).be.empty()
    })
  }

  for (const [wrong, right] of [
    ['contracts', 'contracts/lease.pdf'],
    ['contracts.2026', 'contracts.2026/lease.pdf'],
    ['firma.no', 'firma.no/lease.pdf'],
    ['nas/lease', 'lease.pdf'],
    ['nas/{name}', 'local/{name}.pdf'],
    ['nas/lease.xml', 'lease'],
  ] as const) {
    it(`goes once the path ${wrong} is corrected to ${right} in the form`, async () => {
      for (const name of ['contracts', 'contracts.2026', 'firma.no']) mkdirSync(join(folder, name))
      for (const [saveTo, left] of [
        [wrong, 1],
        [right, 0],
      ] as const) {
        const flow = await start({ saveTo: join(folder, saveTo) })
        flow.send({ documentId: 'd-1', name: 'lease' })
        await (left ? flow.caught() : flow.next())
        should(listErrors()).have.length(left)
        await stopFlow()
      }
    })
  }

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

  it('stays while the document is archived in another folder, and goes once it is archived in its own', async () => {
    const service = await startService()
    const { documentId, signers } = await (await startParties(service)).createDocument('lease')
    for (const { url } of signers) await act(url)
    await service.sandbox.clock.advance(5000)
    const operation = 'archive'
    const flow = await start({ operation, archiveFolder: 'to', archiveFolderType: 'msg' }, service.url)
    const send = (to?: string) => flow.send({ documentId, to, _msgid: 'm-1' })
    send(join(folder, 'nas'))
    await flow.caught()
    send()
    await flow.caught()
    should(listErrors()).have.length(2)
    send(join(folder, 'local'))
    await flow.next()
    should(listErrors().map(({ text }) => text)).match([/nas cannot be written/])
    rmSync(join(folder, 'nas'))
    send(join(folder, 'nas'))
    await flow.next()
    should(listErrors()).be.empty()
    await service.close()
  })

  describe('goes once the document is archived in the folder that was corrected', () => {
    let service: Awaited<ReturnType<typeof startService>>
    let documentId: string
    before(async () => {
      service = await startService()
      const document = await (await startParties(service)).createDocument('lease')
      documentId = document.documentId
      for (const { url } of document.signers) await act(url)
      await service.sandbox.clock.advance(5000)
    })
    after(() => service.close())

    const setting = (archiveFolder: string, archiveFolderType: string) => ({ archiveFolder, archiveFolderType })
    const text = (path: string) => setting(path, 'str')
    const quoted = (path: string) => setting(JSON.stringify(path), 'jsonata')
    const joined = (path: string) => setting(`${JSON.stringify(`${path}/`)} & customer`, 'jsonata')
    const named = () => setting('to', 'msg')
    const inFlow = () => setting('folder', 'flow')
    const context = (where: 'flow' | 'global') => helper.getNode('n')?.context()[where]
    /** What the form says before and after the correction. */
    const corrections: readonly [string, (path: string) => object, (path: string) => object][] = [
      ['in the form', text, text],
      ['in an expression', quoted, quoted],
      ['in an expression that reads the message', joined, joined],
      ['from the context of the flow to a text', inFlow, text],
      ['from a property of the message to a text', named, text],
      ['from a text to a property of the message', text, named],
    ]
    for (const [where, wrong, right] of corrections) {
      it(where, async () => {
        for (const [name, form, left] of [
          ['nas', wrong, 1],
          ['local', right, 0],
        ] as const) {
          const path = join(folder, name)
          const flow = await start({ operation: 'archive', ...form(path) }, service.url)
          context('flow')?.set('folder', path)
          flow.send({ documentId, to: path, customer: 'ola' })
          await (left ? flow.caught() : flow.next())
          should(listErrors()).have.length(left)
          await stopFlow()
        }
      })
    }

    for (const where of ['flow', 'global'] as const) {
      it(`in a variable of ${where}, and stays while the flow names another folder there`, async () => {
        const flow = await start({ operation: 'archive', ...setting('folder', where) }, service.url)
        for (const [name, left] of [
          ['nas', 1],
          ['local', 1],
          ['nas', 0],
        ] as const) {
          if (left === 0) rmSync(join(folder, 'nas'))
          context(where)?.set('folder', join(folder, name))
          flow.send({ documentId })
          await (name === 'nas' && left ? flow.caught() : flow.next())
          should(listErrors()).have.length(left)
        }
      })
    }
  })
})
