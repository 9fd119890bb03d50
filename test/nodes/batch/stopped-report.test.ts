/** "batch": a node that is stopped while it prepares a report leaves the report to the node that takes its place. */
import should from 'should'
import { nodeError } from '../../../lib/api/errors/errors'
import { dismissError, listErrors, recordError } from '../../../lib/runtime/monitor/error-log'
import { onOccurrence } from '../../../lib/runtime/monitor/occurrences'
import type { FlowMessage, RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import type { Store } from '../../../lib/store/store'
import type { Live } from '../../../nodes/batch/controller'
import { newRow } from '../../../nodes/batch/rows/row'
import { Rows } from '../../../nodes/batch/rows/rows'
import type { Batch } from '../../../nodes/batch/run/batch-state'
import { queueOptions } from '../../../nodes/batch/run/queue-options'

describe('the report of a list whose node is stopped meanwhile', () => {
  let sent: unknown[]
  let alerts: number
  let stopListening: () => void = () => undefined
  beforeEach(() => {
    dismissError()
    sent = []
    stopListening = onOccurrence(({ what }) => void (what === 'list' && alerts++))
    alerts = 0
  })
  afterEach(() => stopListening())

  const node = { id: 'n', type: 'eid-batch', send: (messages: unknown) => sent.push(messages) }
  const live = { node, config: {}, translate: (key: string) => key } as unknown as Live
  const failRow = () => {
    const error = nodeError('EID_REFUSED', 'noAddress', {}, { outcome: 'not-done' })
    const row = { batch: { id: 'May', row: 1, key: 'C-1' }, _batch: { node: 'n' } } as unknown as FlowMessage
    recordError({ id: 'create', type: 'eid-create-document' } as RuntimeNode, error, error, row)
  }
  const mayList = () => {
    const rows = new Rows([newRow('C-1', '')])
    rows.close(rows.all[0] ?? newRow('', ''), 'failed', {
      code: 'EID_FAILED',
      outcome: 'not-done',
      problem: 'It failed.',
    })
    return { head: { id: 'May', started: 1 }, rows } as unknown as Batch
  }

  it('is sent once, with one alert, by the node that takes its place', async () => {
    failRow()
    const { report } = queueOptions(live, {} as Store, should.fail)
    const stop = new AbortController()
    const stopped = report(mayList(), {}, stop.signal)
    stop.abort()
    await stopped
    should([sent.length, alerts, listErrors().length]).deepEqual([0, 0, 1])
    await report(mayList(), {}, new AbortController().signal)
    should([sent.length, alerts]).deepEqual([1, 1])
  })
})
