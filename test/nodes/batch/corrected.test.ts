/**
 * What "batch" does with a list that is sent again with other rows, after calls were made for the rows of the earlier
 * list.
 */
import should from 'should'
import { parseList } from '../../../nodes/batch/rows/read-list'
import type { BatchQueue } from '../../../nodes/batch/run/queue'
import { done, instead, memory, openKept } from '../../support/kept-batches'
import { until, untilCount } from '../../support/time'

const own = {
  call: 'POST /documents',
  subject: 'key',
  isOwn: true,
  outcome: 'done',
  made: { documentId: 'd1' },
} as const
const notDone = { failed: true, outcome: 'not-done', result: { problem: 'It was refused.' }, calls: [] } as const
const madeOwn = { ...notDone, calls: [own] }

describe('batch, and a corrected list', () => {
  const { open, stop } = openKept()
  afterEach(stop)

  const send = async (batches: BatchQueue, rents: Record<string, number>) => {
    const rows = Object.entries(rents).map(([unit, rent]) => ({ unit, rent }))
    const list = await parseList(rows, (row) => (row as { unit: string }).unit)
    await batches.take({ id: 'b', list, msg: {} })
  }

  it('names the document of a row after a restart too, when the row fails before it gets there again', async () => {
    const store = memory()
    const first = await open(store)
    await send(first.batches, { A: 1 })
    await untilCount(() => first.sent.length, 1)
    const back = first.batches.end({ id: 'b', key: 'A', sent: 1 }, madeOwn)
    await Promise.all([back, first.batches.stop()])
    const next = await open(store)
    await untilCount(() => next.sent.length, 1)
    await next.batches.end({ id: 'b', key: 'A' }, notDone)
    const [rows] = await until(() => (next.reports.length > 0 ? next.reports : undefined))
    should(rows?.[0]?.result).have.properties({ documentId: 'd1', outcome: 'unknown' })
  })

  it('does not send the new content of a row when the old content may have acted', async () => {
    const store = memory()
    const first = await open(store, { parallel: 3 })
    await send(first.batches, { A: 1, B: 1, C: 1 })
    await untilCount(() => first.sent.length, 3)
    await first.batches.control('pause', undefined)
    await first.batches.end({ id: 'b', key: 'B', sent: 1 }, madeOwn)
    await first.batches.stop()
    // In the new process, A and C never come back, and the list is still paused.
    const next = await open(store, { parallel: 3 })
    const waiting = () => next.batches.all()[0]?.rows.all.filter(({ phase }) => phase === 'waiting')
    await until(() => waiting()?.length === 3)
    await send(next.batches, { A: 2, B: 2, D: 1 })
    await next.batches.control('resume', undefined)
    await untilCount(() => next.sent.length, 1)
    should(next.sent[0]?.payload).deepEqual({ unit: 'D', rent: 1 })
    await next.batches.end({ id: 'b', key: 'D' }, done)
    const [rows] = await until(() => (next.reports.length > 0 ? next.reports : undefined))
    should(rows?.map(({ key, phase, result }) => [key, phase, result?.problem])).deepEqual([
      ['A', 'look first', 'rows.otherBefore'],
      ['B', 'look first', 'rows.madeBefore'],
      ['D', 'done', undefined],
      ['C', 'look first', 'rows.lostBefore'],
    ])
  })

  it('marks a row as changed that was done with the content of an earlier list', async () => {
    const disk = memory()
    let full = false
    const store = instead(disk, 'put', (id, item) => (full ? Promise.reject(new Error('ENOSPC')) : disk.put(id, item)))
    const { batches, sent, reports } = await open(store)
    await send(batches, { A: 1, B: 1 })
    await untilCount(() => sent.length, 2)
    await send(batches, { A: 2, B: 1 })
    full = true
    await should(send(batches, { A: 1, B: 2 })).be.rejected()
    full = false
    for (const key of ['A', 'B']) await batches.end({ id: 'b', key, sent: 1 }, done)
    const [rows] = await until(() => (reports.length > 0 ? reports : undefined))
    should(rows?.map(({ key, phase, changed }) => [key, phase, changed])).deepEqual([
      ['A', 'done', true],
      ['B', 'done', false],
    ])
  })
})
