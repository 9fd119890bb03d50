/** What "batch" does if it can't read a stored item, and with rows that seem to be lost. */
import should from 'should'
import { RED } from '../../support/errors'
import { clock, done, instead, memory, openKept, take } from '../../support/kept-batches'
import { markOfKey } from '../../../lib/runtime/monitor/pending'
import { ownRows, rowStopped } from '../../../lib/runtime/monitor/row-owners'
import { returningRow } from '../../../nodes/batch/rows/row-message'
import { until, untilCount } from '../../support/time'

const notDone = { failed: true, outcome: 'not-done', result: {}, calls: [] } as const

describe('batch, and what seems to be lost', () => {
  const { open, stop } = openKept()
  afterEach(stop)

  it('leaves a batch alone whose head can not be read, reports it, and takes no list in its place', async () => {
    const store = memory()
    const first = await open(store)
    await take(first.batches, 150)
    await untilCount(() => first.sent.length, 8)
    await first.batches.stop()
    const all = (await store.list()).map(({ id }) => id)
    const newer = instead(store, 'get', (id) => (id === 'head/b' ? Promise.resolve(undefined) : store.get(id)))
    const next = await open(newer)
    should((await store.list()).map(({ id }) => id)).deepEqual(all)
    should(next.failures).have.length(1)
    should(next.failures[0]).have.properties({ code: 'EID_FAILED', cause: { attempts: 1, outcome: 'unknown' } })
    await should(take(next.batches, 150)).be.rejectedWith({ code: 'EID_FAILED' })
    await next.batches.stop()
    // The newer version that wrote the item is installed again.
    const last = await open(store)
    await untilCount(() => last.sent.length, 8)
    await last.batches.stop()
    await store.remove('head/b')
    const lost = await open(store)
    should(lost.failures).have.length(1)
    await lost.batches.control('reset', 'b')
    should(await store.list()).be.empty()
    await take(lost.batches, 1)
    await untilCount(() => lost.sent.length, 1)
  })

  it('waits while data cannot be read, and closes no row because of that', async () => {
    const store = memory()
    let away = true
    const failing = (what: string) =>
      instead(store, 'get', (id) => (away && id.startsWith(what) ? Promise.reject(new Error('EMFILE')) : store.get(id)))
    const first = await open(failing('rows/'), { parallel: 70 })
    await take(first.batches, 70)
    await until(() => first.failures.length >= 1)
    should(first.sent).be.empty()
    away = false
    await untilCount(() => first.sent.length, 70)
    should(first.batches.all()[0]?.rows.counts).deepEqual({ total: 70, done: 0, failed: 0, changed: 0, inFlight: 70 })
    await first.batches.stop()
    away = true
    const heads = failing('head/')
    let asked = 0
    const opening = open(
      instead(heads, 'get', (id) => (asked++, heads.get(id))),
      { parallel: 70 },
    )
    await until(() => asked > 0)
    away = false
    const next = await opening
    should(next.failures).have.length(1)
    await untilCount(() => next.sent.length, 70)
  })

  it('sends a row again with the moment at which its list began', async () => {
    const store = memory()
    const began = Date.parse('2031-05-02T21:58:00Z')
    const first = await open(store, { clock: { ...clock, epochNow: () => began } })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await first.batches.stop()
    const next = await open(store)
    await untilCount(() => next.sent.length, 1)
    const moments = [...first.sent, ...next.sent].map(({ eidMoment }) => eidMoment)
    should(moments).deepEqual(['2031-05-02T21:58:00.000Z', '2031-05-02T21:58:00.000Z'])
  })

  it('sends nothing again that one of our nodes keeps, however often everything is deployed', async () => {
    const store = memory()
    const nodeId = 'deployed six times'
    const options = { nodeId, graceMs: 1, parallel: 2 }
    const first = await open(store, { ...options, waitingRows: () => Promise.resolve([]) })
    await take(first.batches, 2)
    await untilCount(() => first.sent.length, 2)
    await first.batches.stop()
    let asked = 0
    const waitingRows = () => Promise.resolve(void asked++).then(() => [{ mark: markOfKey('key-0'), sent: 1 }])
    for (let deploy = 1; deploy <= 6; deploy++) {
      const next = await open(store, { ...options, waitingRows })
      await untilCount(() => next.sent.length, 1)
      // The other row is lost at each deploy. That does not count as a crash of Node-RED.
      should(next.sent[0]).have.properties({ payload: 1, redelivered: true })
      should(asked).equal(deploy)
      await next.batches.stop()
    }
    const last = await open(store, { ...options, waitingRows })
    await untilCount(() => last.sent.length, 1)
    for (const key of ['key-0', 'key-1']) await last.batches.end({ id: 'b', key }, done)
    await untilCount(() => last.reports.length, 1)
    should(last.reports[0]?.map(({ phase }) => phase)).deepEqual(['done', 'done'])
    should(last.sent).have.length(1)
  })

  it('asks after a restart too which rows are kept, and again when that is unknown', async () => {
    const store = memory()
    const first = await open(store, { parallel: 2 })
    await take(first.batches, 2)
    await untilCount(() => first.sent.length, 2)
    await first.batches.stop()
    let asked = 0
    const waitingRows = () =>
      asked++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve([{ mark: markOfKey('key-1'), sent: 1 }])
    const next = await open(store, { parallel: 2, waitingRows })
    await untilCount(() => next.sent.length, 1)
    should(next.sent[0]).have.property('payload', 0)
    should(next.failures).have.length(1)
  })

  it('sends no row that it could not write down, so that none is sent twice unmarked after a full disk', async () => {
    const disk = memory()
    let writes = 0
    const filling = instead(disk, 'put', (id, item) =>
      ++writes > 12 ? Promise.reject(new Error('ENOSPC')) : disk.put(id, item),
    )
    const first = await open(filling, { parallel: 4 })
    await take(first.batches, 40)
    // The rows come back, but their results cannot be stored until there is disk space again.
    for (let at = 0; first.failures.length === 0; at++) {
      const msg = await until(() => first.sent[at] ?? (first.failures.length > 0 ? {} : undefined))
      if (msg.batch) void first.batches.end({ id: 'b', key: (msg.batch as { key: string }).key, sent: 1 }, done)
    }
    await first.batches.stop()
    const second = await open(disk, { parallel: 40 })
    await until(() => {
      const { inFlight = 0, done: ended = 0 } = second.batches.all()[0]?.rows.counts ?? {}
      return inFlight === second.sent.length && inFlight + ended === 40
    })
    should(second.sent).not.be.empty()
    const before = new Set(first.sent.map(({ payload }) => payload))
    const again = second.sent.filter(({ payload }) => before.has(payload))
    should(again.filter(({ redelivered }) => redelivered !== true)).be.empty()
  })

  it('forgets lists that have ended, with all others', async () => {
    const store = memory()
    const { batches, sent, reports } = await open(store)
    await take(batches, 1)
    await untilCount(() => sent.length, 1)
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await untilCount(() => reports.length, 1)
    await until(() => batches.all().length === 0)
    await batches.control('reset', undefined)
    should(await store.list()).be.empty()
    await take(batches, 1)
    await untilCount(() => sent.length, 2)
  })

  it('does not count a row as lost that has come back after a deploy and was sent again', async () => {
    const store = memory()
    const options = { nodeId: 'failed after a deploy', graceMs: 100, parallel: 2 }
    const before = await open(store, options)
    await take(before.batches, 2)
    await untilCount(() => before.sent.length, 2)
    await before.batches.stop()
    const after = await open(store, options)
    await after.batches.end({ id: 'b', key: 'key-0', sent: 1 }, notDone)
    await untilCount(() => after.sent.length, 1)
    // Both rows are sent: the first one again after its failure, the other one because its time to come back is over.
    await untilCount(() => after.sent.length, 2)
    should(after.sent.map(({ payload }) => payload)).deepEqual([0, 1])
    for (const key of ['key-0', 'key-1']) await after.batches.end({ id: 'b', key, sent: 2 }, done)
    await untilCount(() => after.reports.length, 1)
    should(after.sent).have.length(2)
  })

  it('sends no row again because an earlier attempt, or one before a reset, was in a node which was stopped', async () => {
    const { batches, sent, reports } = await open(memory(), { graceMs: 20, parallel: 2 })
    await take(batches, 2)
    await untilCount(() => sent.length, 2)
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, notDone)
    await untilCount(() => sent.length, 3)
    const { run } = batches.all()[0]?.head ?? {}
    // Another branch of the flow still had the first attempt.
    batches.stopped('b', 'key-0', { sent: 1, run })
    batches.stopped('b', 'key-0', { sent: 2, run: 'before the reset' })
    batches.stopped('b', 'key-1', { sent: 1, run })
    await untilCount(() => sent.length, 4)
    should(sent.map(({ payload }) => payload)).deepEqual([0, 1, 0, 1])
    for (const key of ['key-0', 'key-1']) await batches.end({ id: 'b', key, sent: 2 }, done)
    await untilCount(() => reports.length, 1)
    should(sent).have.length(4)
  })

  it('recognizes an attempt by the id of its message, if a Function node has dropped all else', async () => {
    const nodeId = 'with a Function node'
    const { batches, sent, reports } = await open(memory(), { nodeId, graceMs: 20, parallel: 2 })
    const forget = ownRows(RED, nodeId, { stopped: ({ batch, key }, attempt) => batches.stopped(batch, key, attempt) })
    await take(batches, 2)
    await untilCount(() => sent.length, 2)
    const [{ _msgid, batch, externalId } = {}, other = {}] = sent
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, notDone)
    await untilCount(() => sent.length, 3)
    // Other branches of the flow still had the first attempt.
    rowStopped(RED, { _msgid: String(_msgid), payload: 'new' })
    rowStopped(RED, { _msgid: 'unknown', externalId })
    const back = returningRow(RED, { _msgid: String(_msgid), batch }, nodeId)
    await batches.end(back ?? { id: '', key: '' }, notDone)
    // The only attempt of the other row.
    rowStopped(RED, { _msgid: String(other._msgid), payload: 'new' })
    await untilCount(() => sent.length, 4)
    should(sent.map(({ payload }) => payload)).deepEqual([0, 1, 0, 1])
    for (const key of ['key-0', 'key-1']) await batches.end({ id: 'b', key, sent: 2 }, done)
    const [rows] = await until(() => (reports.length > 0 ? reports : undefined))
    should(rows?.map(({ phase }) => phase)).deepEqual(['done', 'done'])
    should(sent).have.length(4)
    forget()
  })

  it('ends a list with "look first" if an attempt was lost and it is unknown which one', async () => {
    const nodeId = 'with a message without its id'
    const store = memory()
    const { batches, sent, reports } = await open(store, { nodeId, graceMs: 20, parallel: 3, attempts: 3 })
    const forget = ownRows(RED, nodeId, { stopped: ({ batch, key }, attempt) => batches.stopped(batch, key, attempt) })
    await take(batches, 3)
    await untilCount(() => sent.length, 3)
    const keys = ['key-0', 'key-1', 'key-2']
    for (const key of keys) await batches.end({ id: 'b', key, sent: 1 }, notDone)
    await untilCount(() => sent.length, 6)
    const counts = () => batches.all()[0]?.rows.counts
    for (const { externalId } of sent.slice(4)) rowStopped(RED, { _msgid: 'new', externalId })
    await until(() => counts()?.inFlight === 1)
    should(counts()).have.properties({ done: 0, failed: 2 })
    // One row was still in the flow: only an earlier attempt was in the node that was stopped.
    await batches.end({ id: 'b', key: 'key-1', sent: 2 }, { failed: false, result: { documentId: '4711' } })
    should(counts()).have.properties({ done: 1, failed: 1, inFlight: 1 })
    // The other one comes back with an error and, from another branch of the flow, without.
    await batches.end({ id: 'b', key: 'key-2', sent: 2 }, notDone)
    await batches.end({ id: 'b', key: 'key-2', sent: 2 }, done)
    await batches.end({ id: 'b', key: 'key-0', sent: 2 }, done)
    const [rows] = await until(() => (reports.length > 0 ? reports : undefined))
    should(rows?.map(({ phase }) => phase)).deepEqual(['done', 'done', 'look first'])
    should(rows?.[1]).have.property('result', { documentId: '4711' })
    should(rows?.[2]?.result).have.properties({ outcome: 'unknown', problem: 'rows.lostBefore' })
    should(sent).have.length(6)
    forget()
  })

  it('sends no row again for such a loss if the batch node is deployed meanwhile', async () => {
    const store = memory()
    const nodeId = 'deployed with such a loss'
    const options = { nodeId, graceMs: 20, parallel: 1, attempts: 3 }
    const before = await open(store, options)
    await take(before.batches, 1)
    await untilCount(() => before.sent.length, 1)
    await before.batches.end({ id: 'b', key: 'key-0', sent: 1 }, notDone)
    await untilCount(() => before.sent.length, 2)
    before.batches.stopped('b', 'key-0')
    await before.batches.stop()
    const after = await open(store, options, true)
    await untilCount(() => after.reports.length, 1)
    should(after.reports[0]?.map(({ phase }) => phase)).deepEqual(['look first'])
    should(after.sent).be.empty()
  })

  it('does not count a row as lost because an earlier attempt comes back once more', async () => {
    const store = memory()
    const options = { nodeId: 'deployed after both branches', graceMs: 20, parallel: 2 }
    const before = await open(store, options)
    await take(before.batches, 2)
    await untilCount(() => before.sent.length, 2)
    for (let branch = 1; branch <= 2; branch++) await before.batches.end({ id: 'b', key: 'key-0', sent: 1 }, notDone)
    await untilCount(() => before.sent.length, 3)
    before.batches.stopped('b', 'key-1')
    await before.batches.stop()
    const after = await open(store, options, true)
    await untilCount(() => after.sent.length, 1)
    should(after.sent[0]).have.property('payload', 1)
    for (const key of ['key-0', 'key-1']) await after.batches.end({ id: 'b', key, sent: 2 }, done)
    await untilCount(() => after.reports.length, 1)
    should(after.sent).have.length(1)
  })

  it('sends a row again whose latest attempt was lost, though a node holds an earlier one or one before a reset', async () => {
    const store = memory()
    const first = await open(store, { parallel: 2 })
    await take(first.batches, 2)
    await untilCount(() => first.sent.length, 2)
    await first.batches.end({ id: 'b', key: 'key-0', sent: 1 }, notDone)
    await untilCount(() => first.sent.length, 3)
    await first.batches.stop()
    const held = [
      { mark: markOfKey('key-0'), sent: 1 },
      { mark: markOfKey('key-1'), sent: 1, run: 'before the reset' },
    ]
    const next = await open(store, { parallel: 2, waitingRows: () => Promise.resolve(held) })
    await untilCount(() => next.sent.length, 2)
    // Both nodes send back the rows that they hold: one failed, and the other one belongs to no current list.
    await next.batches.end({ id: 'b', key: 'key-0', sent: 1 }, notDone)
    await next.batches.end({ id: 'b', key: 'key-1', sent: 1, run: 'before the reset' }, done)
    await next.batches.end({ id: 'b', key: 'key-0', sent: 3 }, done)
    await next.batches.end({ id: 'b', key: 'key-1', sent: 2 }, done)
    await untilCount(() => next.reports.length, 1)
    should(next.sent).have.length(2)
  })
})
