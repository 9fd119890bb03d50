/** The errors of "document" that a file is not saved: each is about one file, and goes once that file is saved. */
import should from 'should'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../../nodes/document/document'
import { dismissError, listErrors } from '../../../lib/runtime/monitor/error-log'
import { startFlow, stopFlow } from '../../support/flow'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'

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
})
