/** "batch" when rows no longer come back: the person on call learns once which row it is. */
import should from 'should'
import { listBatches } from '../../../lib/runtime/monitor/batches'
import { onOccurrence, type Occurred } from '../../../lib/runtime/monitor/occurrences'
import { systemClock } from '../../../lib/store/clock'
import { until } from '../../support/time'
import { byNumber, people, startBatch } from '../../support/batch-flow'
import { RED } from '../../support/errors'
import { removeFlow } from '../../support/flow'
import { sentence } from '../../support/wording'

describe('batch, when nothing comes back any more,', () => {
  const { now } = systemClock
  let laterMs = 0
  before(() => void Object.assign(systemClock, { now: () => now() + laterMs }))
  after(() => void Object.assign(systemClock, { now }))
  afterEach(removeFlow)

  it('says after a few seconds that no wire leads back, once, until a row comes back anyway', async () => {
    const flow = await startBatch({ ...byNumber, parallel: 2 })
    const warned = () => flow.warnings.filter((one) => one.includes('no wire leads back'))
    const shows = (fill: string, text: string) =>
      until(() => flow.statuses.at(-1)?.fill === fill && flow.statuses.at(-1)?.text === text).catch(() =>
        should(flow.statuses).containDeep([{ fill, text }]),
      )
    flow.send({ batchId: 'May', payload: people(3) })
    const [first] = await flow.rows(2)
    await shows('blue', '0 of 3')
    should(warned()).be.empty()
    laterMs += 6_000
    await shows('yellow', '0 of 3, not wired back')
    should(warned()).have.length(1)
    should(warned()[0]).equal(sentence('batch', 'warnings.noWayBack', { id: 'May', count: 2, total: 3 }))
    flow.send(first ?? {})
    await until(() => flow.statuses.at(-1)?.fill === 'blue')
    laterMs += 6_000
    await until(() => flow.statuses.at(-1)?.text?.includes('1 of 3'))
    should(flow.statuses.at(-1)?.fill).equal('blue')
    should(warned()).have.length(1)
  })

  it('names the row below the node, in the log and among the troubles, until one comes back', async () => {
    const occurred: Occurred[] = []
    const unregister = onOccurrence(RED, (one) => void occurred.push(one))
    const flow = await startBatch({ ...byNumber, parallel: 2 })
    flow.send({ payload: people(3) })
    const [first, second] = await flow.rows(2)
    const shows = (fill: string, text: string) =>
      until(() => flow.statuses.at(-1)?.fill === fill && flow.statuses.at(-1)?.text?.includes(text)).catch(() =>
        should(flow.statuses).containDeep([{ fill, text }]),
      )
    await shows('blue', '0 of 3')
    laterMs += 11 * 60_000
    await shows('yellow', '0 of 3, row 1 has not come back')
    const warned = () => flow.warnings.filter((one) => one.startsWith('Row '))
    should(warned()).have.length(1)
    should(warned()[0]).equal(sentence('client', 'errors.rowStuck', { row: 1, minutes: 11 }))
    const [batch] = await listBatches(RED)
    should(batch?.failures).match([{ row: 1, key: 'C-1', state: 'out', text: warned()[0] }])
    // If no Catch node handles the error, "alerts" reports it.
    await until(() => occurred.some((one) => one.what === 'error' && !one.caught && one.entry.code === 'EID_TIMEOUT'))
    unregister()
    flow.send(first ?? {})
    const [third] = await flow.rows(1)
    await shows('blue', '1 of 3')
    for (const msg of [second, third]) flow.send(msg ?? {})
    should((await flow.report()).payload).have.properties({ done: 3, failed: 0 })
    should(warned()).have.length(1)
  })
})
