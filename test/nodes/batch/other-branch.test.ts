/** "batch": which errors about a row are withdrawn when the row comes back well from one of the ways that it took. */
import should from 'should'
import document from '../../../nodes/document/document'
import { byNumber, failedRows, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'

describe('the error of a row that comes back well', () => {
  let flow: BatchFlow
  let row: FlowMessage
  beforeEach(async () => {
    const read = { z: 'f', type: 'eid-document', client: 'c', operation: 'fetch', wires: [[]] }
    flow = await startBatch(byNumber, {
      modules: [document],
      more: ['one', 'other'].map((id) => ({ ...read, id })),
    })
    flow.send({ payload: [{ number: 'C-1' }], batchId: 'b' })
    const [first = {}] = await flow.rows(1)
    row = first
  })
  afterEach(removeFlow)

  /** The row fails in this node; returns the message as the Catch node sends it on, without the error. */
  const failAt = async (node: string) => {
    // Node-RED copies a message for each branch.
    flow.send(structuredClone(row), node)
    const { error: _error, ...msg } = await flow.caught()
    return msg
  }
  const left = async () => (await failedRows('b')).map(({ row, key, state }) => [row, key, state])

  it('stays if it came from another branch of the flow', async () => {
    await failAt('other')
    flow.send({ ...row })
    should((await flow.report()).payload).have.properties({ done: 1, failed: 0 })
    should(await left()).deepEqual([[1, 'C-1', 'done']])
  })

  it('is withdrawn if a Catch node led this message round the node, and that of another branch stays', async () => {
    const led = await failAt('one')
    await failAt('other')
    flow.send(led)
    should((await flow.report()).payload).have.properties({ done: 1, failed: 0 })
    should(await left()).deepEqual([[1, 'C-1', 'done']])
  })

  it('is withdrawn for each node in which the message failed', async () => {
    row = await failAt('one')
    flow.send(await failAt('other'))
    await flow.report()
    should(await left()).be.empty()
  })

  it('is withdrawn if a Function node has led it on in a new message, without the note where it failed', async () => {
    const { _msgid, batch } = await failAt('one')
    flow.send({ _msgid, batch, payload: 'corrected' })
    should((await flow.report()).payload).have.properties({ done: 1, failed: 0 })
    should(await left()).be.empty()
  })

  for (const failedIn of ['other', [7, null], { length: 1 }]) {
    it(`stays if the flow has put ${JSON.stringify(failedIn)} in the place of the nodes`, async () => {
      await failAt('other')
      flow.send({ ...row, _batch: { ...(row._batch as object), failedIn } })
      should((await flow.report()).payload).have.properties({ done: 1, failed: 0 })
      should(await left()).deepEqual([[1, 'C-1', 'done']])
    })
  }
})
