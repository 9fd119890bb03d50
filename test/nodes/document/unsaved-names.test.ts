/** The errors of "document" that a file is not saved, if its name decides the format: which corrections settle them. */
import should from 'should'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../../nodes/document/document'
import { dismissError, listErrors } from '../../../lib/runtime/monitor/error-log'
import { startFlow, stopFlow } from '../../support/flow'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'

describe('the error about a file whose name decides the format', () => {
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

  for (const named of ['firma.no', 'contracts.v2', 'Hansen.AS']) {
    it(`goes if the message named only the folder ${named}, and then the file`, async () => {
      mkdirSync(join(folder, named))
      const flow = await start({ saveTo: join(folder, '{to}') })
      flow.send({ documentId: 'd-1', to: named })
      await flow.caught()
      should(listErrors()).have.length(1)
      flow.send({ documentId: 'd-1', to: 'lease.pdf' })
      await flow.next()
      should(listErrors()).be.empty()
    })
  }

  for (const [wrong, title, right] of [
    ['nas/{title}.zip', 'Lease', 'local/{title}.pdf'],
    ['nas/{title}', 'Storgata 1, 2.etg', 'local/{title}.pdf'],
    ['nas/{title}', 'Bygg.no', 'local/{title}.pdf'],
  ] as const) {
    it(`goes once the form says ${right} instead of ${wrong}, for ${title}`, async () => {
      for (const saveTo of [wrong, right]) {
        const flow = await start({ saveTo: join(folder, saveTo) })
        flow.send({ documentId: 'd-1', title })
        await (saveTo === wrong ? flow.caught() : flow.next())
        should(listErrors()).have.length(saveTo === wrong ? 1 : 0)
        await stopFlow()
      }
    })
  }

  it('stays for the package without an ending if only the PDF is saved after the form is corrected', async () => {
    for (const [at, name] of [
      ['nas', 'package'],
      ['local', 'lease.pdf'],
    ] as const) {
      const flow = await start({ saveTo: join(folder, at, '{name}') })
      flow.send({ documentId: 'd-1', name })
      await (at === 'nas' ? flow.caught() : flow.next())
      should(listErrors()).have.length(1)
      await stopFlow()
    }
  })

  it('stays for the package if only the PDF is saved after the form is corrected', async () => {
    const before = await start({ saveTo: join(folder, 'nas/{name}') })
    for (const name of ['package.zip', 'lease.pdf']) {
      before.send({ documentId: 'd-1', name })
      await before.caught()
    }
    should(listErrors()).have.length(2)
    await stopFlow()
    const after = await start({ saveTo: join(folder, 'local/{name}') })
    for (const [name, left] of [
      ['lease.pdf', 1],
      ['package.zip', 0],
    ] as const) {
      after.send({ documentId: 'd-1', name })
      await after.next()
      should(listErrors()).have.length(left)
    }
  })

  it('stays if the message asked for another format', async () => {
    const format = { fileFormat: 'format', fileFormatType: 'msg' }
    const before = await start({ saveTo: join(folder, 'nas/{name}'), ...format })
    before.send({ documentId: 'd-1', name: 'lease.xml', format: 'xades' })
    await before.caught()
    await stopFlow()
    const after = await start({ saveTo: join(folder, '{name}') })
    after.send({ documentId: 'd-1', name: 'lease.pdf' })
    await after.next()
    should(listErrors()).have.length(1)
  })

  it('goes once the path in a variable is corrected', async () => {
    for (const [value, left] of [
      ['nas/lease.xml', 1],
      ['lease.pdf', 0],
    ] as const) {
      process.env.EID_TEST_PATH = join(folder, value)
      const flow = await start({ saveTo: 'EID_TEST_PATH', saveToType: 'env' })
      flow.send({ documentId: 'd-1' })
      await (left ? flow.caught() : flow.next())
      should(listErrors()).have.length(left)
      await stopFlow()
    }
    delete process.env.EID_TEST_PATH
  })
})
