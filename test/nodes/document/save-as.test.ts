/** How "Save as" of "document" interprets a name: which format the name requests, and which names are refused. */
import should from 'should'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../../nodes/document/document'
import { dismissError, listErrors } from '../../support/errors'
import { startFlow, stopFlow } from '../../support/flow'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'
import { saying, sentence } from '../../support/wording'

describe('a name in "Save as"', () => {
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
    folder = mkdtempSync(join(tmpdir(), 'eid-save-as-'))
    server.asked.length = 0
    dismissError()
  })
  afterEach(async () => {
    await stopFlow()
    rmSync(folder, { recursive: true })
  })

  const formats: readonly [string, object, string][] = [
    ['contract.pdf', {}, 'pades'],
    ['Contract.PDF', { fileFormat: 'standard_packaging' }, 'pades'],
    ['contract.pdf', { fileFormat: 'native' }, 'native'],
    ['contract.pdf', { fileFormat: 'standard_packaging', fileFormatType: 'msg' }, 'xades'],
    ['contract.zip', {}, 'standard_packaging'],
    ['contract', {}, 'standard_packaging'],
    ['contract.pdf', { ofSigner: 'ola-1' }, 'standard_packaging'],
  ]
  for (const [name, settings, format] of formats) {
    it(`that is ${name} with ${JSON.stringify(settings)} asks for ${format}`, async () => {
      const flow = await start({ saveTo: join(folder, name), ...settings })
      flow.send({ documentId: 'd-1', standard_packaging: 'xades' })
      should((await flow.next()).file).have.property('fileFormat', format)
      should(server.asked[0]?.query.get('fileFormat')).equal(format)
    })
  }

  it('is never taken from a file that has it', async () => {
    const flow = await start({ saveTo: join(folder, 'contract.pdf') })
    const paths: unknown[] = []
    for (const documentId of ['a', 'b', 'c']) {
      flow.send({ documentId })
      paths.push(((await flow.next()).file as { path: string }).path)
    }
    const names = ['contract.pdf', 'contract (2).pdf', 'contract (3).pdf']
    should(paths).deepEqual(names.map((name) => join(folder, name)))
    for (const name of names) should(readFileSync(join(folder, name), 'utf8')).equal('%PDF-1.7')
  })

  /** As in a document's whole record; a list and a summary contain only the ids of the signers. */
  const signers = [{ id: 's-1', signerInfo: { firstName: 'Ola', lastName: 'Nordmann' } }]

  it('that cannot be written is an error of each document, by title and id, and never asks for a new contract', async () => {
    writeFileSync(join(folder, 'leases'), '')
    const flow = await start({ saveTo: join(folder, 'leases', 'lease.pdf') })
    for (const documentId of ['d-1', 'd-2']) {
      flow.send({ documentId, payload: { documentId, title: 'Lease for Ola Nordmann', signers } })
      should((await flow.caught()).error.message).match(
        saying('document', 'problems.fileNotWritableOf', { reason: '@files.ENOTDIR', whose: `document ${documentId}` }),
      )
      should(flow.statuses.at(-1)?.text).match(/^not saved: a part of the path/)
    }
    should(listErrors().map(({ about, count }) => [about?.documentId, count])).deepEqual([
      ['d-2', 1],
      ['d-1', 1],
    ])
  })

  it('that cannot be written belongs to no document named by the record of another one', async () => {
    writeFileSync(join(folder, 'leases'), '')
    const flow = await start({ saveTo: join(folder, 'leases', 'lease.pdf') })
    flow.send({ documentId: 'd-1', payload: { documentId: 'd-2', title: 'Lease of another', signers } })
    should((await flow.caught()).error.message).containEql('It belongs to document d-1.')
  })

  it('that needs a missing column is an error of each document, which stays until that document is saved', async () => {
    const flow = await start({ saveTo: join(folder, '{name}.pdf') })
    for (const documentId of ['d-1', 'd-2']) {
      flow.send({ documentId, payload: { documentId, title: 'Lease, Storgata 1', signers } })
      const notSaved = sentence('document', 'problems.notSavedOf', {
        problem: sentence('client', 'problems.fieldMissing', { path: 'Save as', field: 'name' }),
        ofAttachment: '',
        ofSigner: '',
        whose: `document ${documentId}`,
      })
      should((await flow.caught()).error.message).equal(`${notSaved}. Nothing was sent.`)
      should(flow.statuses.at(-1)?.text).equal('not saved: save as')
    }
    should(server.asked).be.empty()
    flow.send({ documentId: 'd-1', name: 'ola' })
    await flow.next()
    should(listErrors().map(({ text }) => /document d-\d/.exec(text)?.[0])).deepEqual(['document d-2'])
  })

  it('that needs a missing column is an error of no document if the id is missing too', async () => {
    const flow = await start({ saveTo: join(folder, '{name}.pdf') })
    flow.send({})
    should((await flow.caught()).error.message).not.containEql('not saved')
  })

  it('that has the separators of another system is refused', async () => {
    const flow = await start({ saveTo: 'signed\\may.pdf' })
    flow.send({ documentId: 'd-1' })
    should((await flow.caught()).error.message).startWith(
      sentence('client', 'problems.separators', { path: 'Save as' }),
    )
    should(server.asked).be.empty()
    await stopFlow()
    const added = await start({ operation: 'addAttachment', title: 'Annex', file: 'in\\may.pdf', fileType: 'path' })
    added.send({ documentId: 'd-1' })
    should((await added.caught()).error.message).startWith(sentence('client', 'problems.separators', { path: 'File' }))
    should(server.asked).be.empty()
  })

  for (const path of [
    'C:\\Users\\ola\\contract.pdf',
    '"C:\\Users\\ola\\contract.pdf"',
    '\\\\server\\share\\contract.pdf',
  ]) {
    it(`that is ${path} is a path of another computer`, async () => {
      const flow = await start({ saveTo: path })
      flow.send({ documentId: 'd-1' })
      should((await flow.caught()).error.message).startWith(
        sentence('document', 'problems.foreignTarget', { path: 'Save as' }),
      )
      should(server.asked).be.empty()
      await stopFlow()
      const added = await start({ operation: 'addAttachment', title: 'Annex', file: path, fileType: 'path' })
      added.send({ documentId: 'd-1' })
      should((await added.caught()).error.message).startWith(
        sentence('client', 'problems.foreignPath', { path: 'File' }),
      )
      should(server.asked).be.empty()
    })
  }
})
