/** The outcome of a row: what all nodes did for it decides whether it is sent again, not only the last call. */
import should from 'should'
import createDocument from '../../../nodes/create-document/create-document'
import deposit from '../../../nodes/deposit/deposit'
import documentNode from '../../../nodes/document/document'
import { ownRows } from '../../../lib/runtime/monitor/row-owners'
import { verdictOf } from '../../../nodes/batch/rows/verdict'
import shareCreate from '../../../nodes/share-create/share-create'
import shareUpload from '../../../nodes/share-upload/share-upload'
import { RED } from '../../support/errors'
import { byNumber, notDone, people, startBatch, type BatchFlow, payslips } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { startParties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'
import type { FlowMessage } from '../../support/node-types'
import { saying, sentence } from '../../support/wording'

/** Acts like a Function node that passes on only the row; Node-RED keeps `_msgid`. */
const dropper = (RED: { nodes: { createNode(...all: unknown[]): void; registerType(...all: unknown[]): void } }) => {
  RED.nodes.registerType('drop', function (this: object, config: object) {
    RED.nodes.createNode(this, config)
    const node = this as { on(...all: unknown[]): void }
    node.on('input', (msg: FlowMessage, send: (msg: object) => void, done: () => void) => {
      const { _msgid, batch, payload } = msg
      send({ _msgid, batch, payload })
      done()
    })
  })
}

describe('batch, and what was done for a row', () => {
  let service: Service
  let flow: BatchFlow
  before(async () => void (service = await startService()))
  beforeEach(() => service.reset())
  after(() => service.close())
  afterEach(removeFlow)

  /** Starts a flow that passes each row through these nodes and back; errors come back through `errorsBack`. */
  const start = async (...nodes: object[]) => {
    const way = nodes.map((node, at) => ({
      id: `way${at}`,
      z: 'f',
      client: 'c',
      wires: [[at + 1 < nodes.length ? `way${at + 1}` : 'n']],
      ...node,
    }))
    flow = await startBatch(
      { ...byNumber, wires: [['way0'], ['out1']], attempts: 3 },
      {
        client: { baseUrl: service.url },
        modules: [createDocument, deposit, documentNode, shareCreate, shareUpload, dropper],
        more: way,
      },
    )
  }
  const errorsBack = async (count = 1) => {
    const documents = new Set<unknown>()
    for (let at = 0; at < count; at++) {
      const msg = await flow.caught()
      documents.add(msg.documentId)
      flow.send(msg)
    }
    return [...documents]
  }
  const share = { type: 'eid-share-create', ...payslips }
  const missing = { type: 'eid-share-upload', contentId: 'slip-1', contentIdType: 'str', file: '/missing.pdf' }
  const upload = { ...missing, fileType: 'path' }
  const document = {
    type: 'eid-create-document',
    title: 'Lease',
    file: 'JVBERi0=',
    fileType: 'base64',
    fileName: 'lease.pdf',
    fileNameType: 'str',
    signersRows: [{ externalSignerId: 'ola-1', firstName: 'Ola' }],
    contactEmail: 'contact@example.com',
  }
  const made = async (operation: string) => (await service.requests(operation)).length
  const list = () => flow.send({ payload: people(1), batchId: 'a' })
  const firstRow = async () => (await flow.report()).payload.rows[0] as Record<string, string>

  it('repeats a row whose call only reads, although no answer came', async () => {
    const { documentId } = await (await startParties(service)).createDocument('lease-1')
    await start({ type: 'eid-document', documentId, documentIdType: 'str' })
    await service.fault({ operation: 'getDocument', kind: 'close-after', count: 1 })
    list()
    await errorsBack()
    should((await flow.report()).payload).match({ done: 1, failed: 0 })
  })

  it('does not repeat a row that has made a share before it failed, and says which', async () => {
    await start(share, upload)
    list()
    await errorsBack()
    const row = await firstRow()
    should(row).have.properties({ state: 'look first', outcome: 'unknown' })
    should(row.problem)
      .startWith(sentence('batch', 'rows.made', { made: `share ${row.shareId}` }))
      .and.not.containEql('Nothing was sent')
    list()
    should(await firstRow()).have.property('state', 'look first')
    should((await made('createBucket')) + (await made('createShare'))).equal(1)
  })

  it('knows about the share although a node in between dropped every id', async () => {
    await start(share, { type: 'drop' }, upload)
    list()
    await errorsBack()
    const row = await firstRow()
    should(row).have.property('state', 'look first')
    should(row.problem).match(saying('batch', 'rows.made')).and.containEql(': share ')
    should((await made('createBucket')) + (await made('createShare'))).equal(1)
  })

  it('fills in columns of the row in nodes behind the one that took its payload', async () => {
    await start(document, { ...share, title: 'Payslips, {number}', titleType: 'tpl' })
    list()
    should(await firstRow()).have.property('state', 'done')
    const [call] = await service.requests('createBucket')
    should(JSON.stringify(call?.body)).containEql('Payslips, C-1')
  })

  it('repeats a row that has made its own document alone, which is made once', async () => {
    await start(document, upload)
    list()
    const documents = await errorsBack(3)
    const row = await firstRow()
    should(documents).deepEqual([row.documentId])
    should(row).have.properties({ state: 'look first', outcome: 'unknown' })
    should(row.problem).startWith(sentence('batch', 'rows.madeOwn', { id: String(row.documentId) }))
    list()
    should(await errorsBack(3)).deepEqual(documents)
    const again = await firstRow()
    should(again).have.properties({ state: 'look first', outcome: 'unknown' })
    should(again.problem).startWith(sentence('batch', 'rows.madeOwn', { id: String(row.documentId) }))
  })

  for (const after of [true, false]) {
    it(`makes the document once of a row sent again after a failure in which ${after ? 'it' : 'nothing'} was made`, async () => {
      await start(document)
      await service.fault({ operation: 'createDocument', kind: 'status', status: 503, after })
      list()
      await errorsBack()
      const row = await firstRow()
      should(row).have.properties({ state: 'look first', outcome: 'unknown', code: 'EID_SERVICE' })
      should(row.problem)
        .startWith(
          `${sentence('batch', 'rows.mayHaveMadeOwn')} ${sentence('client', 'answers.failed', { status: 503 })}`,
        )
        .and.not.containEql('check')
      should(await made('createDocument')).equal(1)
      list()
      should(await firstRow()).have.property('state', 'done')
      should(service.sandbox.world.signature.documents.size).equal(1)
    })
  }

  it('counts a row as done that a Catch branch corrected and sent through the same node again', async () => {
    await start({ ...document, contactEmail: 'contact', contactEmailType: 'msg' })
    list()
    // Node-RED leaves `msg.error` on the message that the Catch branch sends on.
    flow.send({ ...(await flow.caught()), contact: 'contact@example.com' }, 'way0')
    should((await flow.report()).payload).match({ done: 1, failed: 0 })
    should(service.sandbox.world.signature.documents.size).equal(1)
  })

  it('counts a row as failed that comes back with the error of a node which has not succeeded since', async () => {
    await start({ ...upload, wires: [[]] }, share)
    list()
    // The Catch branch does something else about the failure.
    flow.send(await flow.caught(), 'way1')
    should(await firstRow()).have.properties({ state: 'look first', code: 'EID_INVALID_INPUT' })
  })

  it('creates nothing for a corrected row whose document exists with its earlier content', async () => {
    await start(document, upload)
    flow.send({ payload: [{ ...people(1)[0], rent: 9_000 }], batchId: 'a' })
    const [documentId] = await errorsBack(3)
    await firstRow()
    const before = await made('createDocument')
    flow.send({ payload: [{ ...people(1)[0], rent: 12_000 }], batchId: 'a' })
    const row = await firstRow()
    should(row).have.properties({ state: 'look first', outcome: 'unknown', code: 'EID_REFUSED', documentId })
    should(row.problem).startWith(sentence('batch', 'rows.madeBefore', { id: String(row.documentId) }))
    should(await made('createDocument')).equal(before)
  })

  it('is notified of a row that was in a node which was deployed alone', async () => {
    await start(document)
    await service.fault({ operation: 'createDocument', kind: 'slow', delay: 30_000 })
    const stopped = new Promise((resolve) => ownRows(RED, 'n', { stopped: (...row) => resolve(row) }))
    list()
    await until(async () => (await made('createDocument')) === 1)
    await flow.redeploy({ title: 'Lease 2' }, 'way0')
    const [row, attempt] = (await stopped) as object[]
    should(row).deepEqual({ node: 'n', batch: 'a', key: 'C-1' })
    should(attempt).have.property('sent', 1)
    should(attempt).have.property('run').which.is.a.String()
  })

  it('does not repeat a row that comes back with an id that it did not have when it was sent', async () => {
    flow = await startBatch({ ...byNumber, attempts: 3 })
    flow.send({ payload: people(2), batchId: 'a', depositId: 'was-sent' })
    const [one, two] = await flow.rows(2)
    flow.send({ ...one, ...notDone(), depositId: 'made-since' })
    flow.send({ ...two, ...notDone() })
    const [again] = await flow.rows(1)
    should(again?.batch).have.property('key', 'C-2')
    flow.send(again ?? {})
    const { rows } = (await flow.report()).payload
    should(rows[0]).have.properties({ state: 'look first', outcome: 'unknown', depositId: 'made-since' })
    should(rows[0]?.problem).startWith(sentence('batch', 'rows.made', { made: 'deposit made-since' }))
    should(rows[1]).have.property('state', 'done')
  })

  it('does not report "not done" for a failed row that was lost once before', () => {
    const end = { failed: true, outcome: 'not-done', result: { problem: 'It was refused.' }, calls: [] } as const
    const tell = (key: string) => key
    should(verdictOf(end, { calls: [], isComplete: true }, tell)).have.property('outcome', 'not-done')
    should(verdictOf(end, { calls: [], isComplete: false }, tell)).have.properties({
      outcome: 'unknown',
      result: { outcome: 'unknown', problem: 'rows.lostBefore It was refused.' },
    })
  })

  it('does not report "not done" while another branch has a call outstanding', () => {
    const end = { failed: true, outcome: 'not-done', result: {}, calls: [] } as const
    const call = { call: 'POST /share/', subject: '', isOwn: false, outcome: 'unknown' } as const
    const { outcome, result } = verdictOf(end, { calls: [call], isComplete: true }, (key) => key)
    should([outcome, result.problem]).deepEqual(['unknown', 'rows.mayHaveMade'])
  })
})
