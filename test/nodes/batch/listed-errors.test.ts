/** "batch": a failed row is listed once among the errors, where its own error says all that a person needs. */
import should from 'should'
import { nodeError } from '../../../lib/api/errors/errors'
import { dismissError, listErrors, recordError } from '../../../lib/runtime/monitor/error-log'
import type { FlowMessage, RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import { byNumber, people, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'

describe('a failed row of a list among the errors', () => {
  let flow: BatchFlow
  beforeEach(() => void dismissError())
  afterEach(removeFlow)

  const node = { id: 'create', type: 'eid-create-document' } as RuntimeNode
  /** The row fails in a node, which lists its error as our nodes do. */
  const fail = (msg: FlowMessage, error = nodeError('EID_REFUSED', 'noAddress', {}, { outcome: 'not-done' })) => {
    recordError(node, error, error, msg)
    return { ...msg, error: { message: error.message, code: error.code, cause: error.cause } }
  }
  const listed = () => listErrors().map(({ node: { type }, rows, outcome }) => [type, rows, outcome])

  it('is there once, with the error of the node that failed', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(3), batchId: 'b' })
    const [one, two, three] = await flow.rows(3)
    flow.send({ ...one })
    flow.send(fail({ ...two }))
    flow.send({ ...three })
    should((await flow.report()).payload).have.properties({ done: 2, failed: 1 })
    should(listed()).deepEqual([['eid-create-document', ['2 (C-2)'], 'not-done']])
  })

  it('is named by the error about the list too, if another row has no error of its own', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(2), batchId: 'b' })
    const [one, two] = await flow.rows(2)
    flow.send(fail({ ...one }))
    flow.send({ ...two, error: { message: 'It broke.' } })
    await flow.report()
    should(listed().map(([type]) => type)).deepEqual(['eid-batch', 'eid-create-document'])
  })

  it('is named by the error about the list too, if only that error says that the row has to be checked', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(1), batchId: 'b' })
    const [one] = await flow.rows(1)
    flow.send({ ...fail({ ...one }), documentId: 'made-earlier' })
    const [row] = (await flow.report()).payload.rows
    should(row).have.property('state', 'look first')
    should(listed()).deepEqual([
      ['eid-batch', ['1 (C-1)'], 'unknown'],
      ['eid-create-document', ['1 (C-1)'], 'not-done'],
    ])
  })
})
