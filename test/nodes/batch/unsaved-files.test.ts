/** "batch": the error that a file of a row is not saved stays with its list until the file is saved. */
import should from 'should'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import document from '../../../nodes/document/document'
import { batchesOf, listBatches } from '../../../lib/runtime/monitor/batches'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { saveRows } from '../../../plugins/sidebar/server/save-again'
import { RED, dismissError, listErrors } from '../../support/errors'
import { byNumber, failedRows, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'
import { until } from '../../support/time'
import { temporaryFolder } from '../../support/temporary-folder'

describe('the error that a file of a row is not saved', () => {
  const { path: folder, remove } = temporaryFolder()
  let server: StreamServer
  let flow: BatchFlow
  let row: FlowMessage
  before(async () => {
    server = await startStreamServer(({ response }) => response.end('%PDF-1.7'))
  })
  after(() => server.close())
  after(remove)
  beforeEach(async () => {
    dismissError()
    // A folder can't be created here, because a file has its name.
    rmSync(join(folder, 'nas'), { recursive: true, force: true })
    writeFileSync(join(folder, 'nas'), '')
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
  const rows = async () => (await failedRows('rent')).map(({ key, state }) => [key, state])

  it('is told with its row, and not a second time among the errors', async () => {
    const error = await cannotSave()
    should(await rows()).deepEqual([['jan-1', 'out']])
    flow.send({ ...row, error })
    await flow.report()
    should(await rows()).deepEqual([['jan-1', 'failed']])
    should((await failedRows('rent'))[0]?.text).match(/^The file .+ cannot be written/)
    should(listErrors()).be.empty()
  })

  it('is over when a person presses Save again at the list, once the file can be written', async () => {
    await cannotSave()
    flow.send({ ...row })
    await flow.report()
    const red = { ...RED, nodes: { getNode: (id: string) => flow.node(id) } } as unknown as Runtime
    const press = async () => (await saveRows(red, 'n', 'rent')).ok
    should(await press()).be.true()
    await flow.caught()
    should(await rows()).deepEqual([['jan-1', 'done']])
    rmSync(join(folder, 'nas'))
    should([await press(), await press()]).deepEqual([true, false])
    await until(async () => (await rows()).length === 0)
    should(readFileSync(join(folder, 'nas', 'lease.pdf'), 'utf8')).startWith('%PDF')
  })

  it('stays when its row takes another way and is done', async () => {
    await cannotSave()
    flow.send({ ...row })
    await flow.report()
    should(await rows()).deepEqual([['jan-1', 'done']])
  })

  it('is gone when a person has dismissed the errors of the list, also after a deploy', async () => {
    await cannotSave()
    flow.send({ ...row })
    await flow.report()
    await until(async () => (await listBatches(RED)).length === 0)
    should(await batchesOf(RED, 'n')?.dismiss?.('unknown')).be.false()
    should(await batchesOf(RED, 'n')?.dismiss?.('rent')).be.true()
    should(await rows()).be.empty()
    await flow.redeploy({ ...byNumber, name: 'again' })
    should(await rows()).be.empty()
  })

  it('is gone when the node has saved the file of this row after all, also after the list has ended', async () => {
    await cannotSave()
    flow.send({ ...row })
    await flow.report()
    await until(async () => (await listBatches(RED)).length === 0)
    rmSync(join(folder, 'nas'))
    flow.send({ ...row, documentId: 'd-1' }, 'save')
    await until(async () => (await rows()).length === 0)
  })
})
