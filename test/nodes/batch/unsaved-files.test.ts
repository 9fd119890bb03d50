/** "batch": what happens to the rows of a list does not withdraw the error that a file of one of them is not saved. */
import should from 'should'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import document from '../../../nodes/document/document'
import { dismissError, listErrors } from '../../../lib/runtime/monitor/error-log'
import { byNumber, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'
import { temporaryFolder } from '../../support/temporary-folder'

describe('the error that a file of a row is not saved', () => {
  const { path: folder, remove } = temporaryFolder()
  let server: StreamServer
  let flow: BatchFlow
  let row: FlowMessage
  before(async () => {
    server = await startStreamServer(({ response }) => response.end('%PDF-1.7'))
    // A folder can't be created here, because a file has its name.
    writeFileSync(join(folder, 'nas'), '')
  })
  after(() => server.close())
  after(remove)
  beforeEach(async () => {
    dismissError()
    const saveTo = join(folder, 'nas', 'lease.pdf')
    const save = { id: 'save', z: 'f', type: 'eid-document', client: 'c', operation: 'download', saveTo, wires: [[]] }
    const settings = { ...byNumber, attempts: 2 }
    flow = await startBatch(settings, {
      modules: [document],
      client: { baseUrl: server.url, retries: 0 },
      more: [save],
    })
    flow.send({ payload: [{ number: 'jan-1' }], batchId: 'rent' })
    const [first = {}] = await flow.rows(1)
    row = first
  })
  afterEach(removeFlow)

  const cannotSave = async () => {
    flow.send({ ...row, documentId: 'd-1' }, 'save')
    const { error } = await flow.caught()
    return { message: error.message, code: error.code, cause: error.cause }
  }
  const sendFebruary = async () => {
    flow.send({ payload: [{ number: 'feb-1' }], batchId: 'rent' })
    await flow.answer(1)
    await flow.report()
  }
  const unsaved = () =>
    listErrors()
      .filter(({ node }) => node.type === 'eid-document')
      .map(({ rows, count }) => [rows, count])

  it('stays when its row failed and another list of that name has ended', async () => {
    const error = await cannotSave()
    flow.send({ ...row, error })
    await flow.report()
    await sendFebruary()
    should(unsaved()).deepEqual([[['1 (jan-1)'], 1]])
  })

  it('stays when its list was reset and another list of that name has ended', async () => {
    await cannotSave()
    flow.send({ ...row })
    await flow.report()
    flow.send({ reset: true, batchId: 'rent' })
    await sendFebruary()
    should(unsaved()).deepEqual([[['1 (jan-1)'], 1]])
  })

  it('stays when its row is sent again and takes another way, and is still one if that fails in the same way', async () => {
    const error = { message: 'No rent.', cause: { outcome: 'not-done' } }
    await cannotSave()
    flow.send({ ...row, error })
    const [again = {}] = await flow.rows(1)
    should(unsaved()).deepEqual([[['1 (jan-1)'], 1]])
    row = again
    await cannotSave()
    should(unsaved()).deepEqual([[['1 (jan-1)'], 2]])
    flow.send({ ...row })
    await flow.report()
    should(unsaved()).deepEqual([[['1 (jan-1)'], 2]])
  })
})
