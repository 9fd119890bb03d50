/** "batch": which title a failed row gets if rows of different lists have the same number and fail in the same way. */
import should from 'should'
import { nodeError } from '../../../lib/api/errors/errors'
import { dismissError, listErrors, recordError, settleRows } from '../../../lib/runtime/monitor/error-log'
import { firstRows } from '../../../lib/runtime/monitor/error-rows'
import { onOccurrence } from '../../../lib/runtime/monitor/occurrences'
import type { FlowMessage, RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import { byNumber, startBatch } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { until } from '../../support/time'

describe('the title of a failed row', () => {
  let stopListening: () => void = () => undefined
  beforeEach(() => void dismissError())
  afterEach(async () => {
    stopListening()
    await removeFlow()
  })

  const node = { id: 'create', type: 'eid-create-document' } as RuntimeNode
  const fail = (msg: FlowMessage, title?: string) => {
    const error = nodeError('EID_REFUSED', 'noAddress', {}, { outcome: 'not-done', ...(title && { title }) })
    recordError(node, error, error, msg)
    return { ...msg, error: { message: error.message, code: error.code, cause: error.cause } }
  }

  it('is not that of a row of the list before it was corrected, which was still in the flow', async () => {
    const alerts: unknown[] = []
    stopListening = onOccurrence((one) => void (one.what === 'list' && alerts.push(one.rows)))
    alerts.splice(0)
    const flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: [{ number: 'kari@example.com' }], batchId: 'b' })
    const [kari = {}] = await flow.rows(1)
    flow.send({ payload: [{ number: 'ola@example.com' }, { number: 'kari@example.com' }], batchId: 'b' })
    const [ola = {}] = await flow.rows(1)
    flow.send(fail(ola))
    flow.send(fail(kari, 'Lease of Kari'))
    await flow.report()
    await until(() => alerts.length > 0)
    should(alerts).deepEqual([['1', '2']])
  })

  it('goes with its row, and is not shown for another row with that number', () => {
    const row = (key: string) => ({ id: 'b', row: 1, key })
    const _batch = { node: 'n' }
    fail({ batch: row('ola@example.com'), _batch })
    fail({ batch: row('kari@example.com'), _batch }, 'Lease of Kari')
    should(listErrors().map((one) => firstRows(one, listErrors()))).deepEqual([['1: Lease of Kari']])
    settleRows('n', 'b', [row('kari@example.com')])
    should(listErrors().map((one) => [one.titles, firstRows(one, listErrors())])).deepEqual([[[], ['1']]])
  })
})
