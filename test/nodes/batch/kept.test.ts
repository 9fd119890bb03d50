/** What "batch" stores: rows that never come back, a store that can't be written for a while, a lost part of a list. */
import should from 'should'
import { noteCall } from '../../../lib/runtime/monitor/row-calls'
import { until, untilCount } from '../../support/time'
import { clock, done, instead, memory, openKept, take } from '../../support/kept-batches'
import { RED } from '../../support/errors'

describe('batch, and what it keeps', () => {
  const { open, stop } = openKept()
  afterEach(stop)

  it('sends a row at most five times when Node-RED crashes with it each time', async () => {
    const store = memory()
    const first = await open(store)
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    const marks = [first.sent[0]?.redelivered]
    await first.batches.stop()
    for (let times = 2; times <= 5; times++) {
      // Opened with another node id, because after a kill the row is no longer in the flow.
      const next = await open(store)
      await untilCount(() => next.sent.length, 1)
      marks.push(next.sent[0]?.redelivered)
      await next.batches.stop()
    }
    should(marks).deepEqual([undefined, true, true, true, true])
    const last = await open(store)
    const [rows] = await until(() => (last.reports.length > 0 ? last.reports : undefined))
    should(rows?.[0]).have.properties({
      phase: 'look first',
      result: { code: 'EID_FAILED', outcome: 'unknown', problem: 'rows.tooOften' },
    })
    should(last.sent).be.empty()
  })

  it('waits after a deploy for rows that were out, and then sends them again', async () => {
    const store = memory()
    const nodeId = 'the same'
    const before = await open(store, { nodeId, graceMs: 1_000 })
    await take(before.batches, 2)
    await untilCount(() => before.sent.length, 2)
    await before.batches.stop()
    const after = await open(store, { nodeId, graceMs: 1_000 })
    should(await after.batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)).be.true()
    await untilCount(() => after.sent.length, 1)
    should(after.sent[0]).have.properties({ payload: 1, redelivered: true })
    await after.batches.end({ id: 'b', key: 'key-1', sent: 1 }, done)
    await untilCount(() => after.reports.length, 1)
    should(after.sent).have.length(1)
  })

  it('waits for rows that are still in the flow when only this node was deployed, and sends none of them again', async () => {
    const deploy = async (nodeId: string, flowGoesOn: boolean) => {
      const store = memory()
      const options = { nodeId, graceMs: 1, parallel: 2 }
      const before = await open(store, options)
      await take(before.batches, 3)
      await untilCount(() => before.sent.length, 2)
      await before.batches.stop()
      return open(store, options, flowGoesOn)
    }
    const after = await deploy('deployed alone', true)
    const other = await deploy('deployed with others', false)
    // When the rows of this batch have waited long enough, so have those of the first one.
    await untilCount(() => other.sent.length, 2)
    should(after.sent).be.empty()
    await after.batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await untilCount(() => after.sent.length, 1)
    should(after.sent[0]).have.property('payload', 2)
    for (const key of ['key-1', 'key-2']) should(await after.batches.end({ id: 'b', key, sent: 1 }, done)).be.true()
    await untilCount(() => after.reports.length, 1)
    should(after.sent).have.length(1)
  })

  it('does not wait for ever for rows that a deploy before the last one may have ended', async () => {
    const store = memory()
    const nodeId = 'deployed twice'
    const first = await open(store, { nodeId })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await first.batches.stop()
    // All nodes are deployed, and then only the batch, before the time for its rows has passed.
    await (await open(store, { nodeId })).batches.stop()
    const last = await open(store, { nodeId, graceMs: 1 }, true)
    await untilCount(() => last.sent.length, 1)
    should(last.sent[0]).have.properties({ payload: 0, redelivered: true })
  })

  it('sends a row again that was in a node which was stopped, unless it comes back or has acted', async () => {
    const nodeId = 'of a node beside'
    const { batches, sent, reports } = await open(memory(), { nodeId, graceMs: 20, parallel: 3 })
    await take(batches, 3)
    await untilCount(() => sent.length, 3)
    const share = { call: 'POST /share/', subject: () => '', isKeyed: false }
    const noted = noteCall(RED, sent[2] ?? {}, share)
    should(noted).be.ok()
    for (const key of ['key-0', 'key-1', 'key-2', 'unknown']) batches.stopped('b', key)
    // A row that comes back at the moment of the deploy.
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await untilCount(() => sent.length, 4)
    should(sent[3]).have.properties({ payload: 1, redelivered: true })
    await batches.end({ id: 'b', key: 'key-1', sent: 2 }, done)
    const [rows] = await until(() => (reports.length > 0 ? reports : undefined))
    should(rows?.map(({ phase }) => phase)).deepEqual(['done', 'done', 'look first'])
    should(sent).have.length(4)
  })

  it('knows the row since which nothing has come back', async () => {
    const tenMinutes = 10 * 60_000
    let now = 0
    const stuck: unknown[] = []
    const { batches, sent } = await open(memory(), {
      parallel: 2,
      clock: { ...clock, now: () => now },
      stuck: ({ id, key, row }, minutes) => void stuck.push([id, key, row, minutes]),
    })
    now = tenMinutes
    await take(batches, 3)
    await untilCount(() => sent.length, 2)
    now = 2 * tenMinutes - 1
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await untilCount(() => sent.length, 3)
    now = 3 * tenMinutes
    await untilCount(() => stuck.length, 1)
    should(stuck).deepEqual([['b', 'key-1', 2, 10]])
    await batches.end({ id: 'b', key: 'key-2', sent: 1 }, done)
    now = 4 * tenMinutes
    await untilCount(() => stuck.length, 2)
    await batches.end({ id: 'b', key: 'key-1', sent: 1 }, done)
    should(stuck[1]).deepEqual(['b', 'key-1', 2, 10])
  })

  it('sends nothing that it could not store, and resumes when it can', async () => {
    const store = memory()
    let away = false
    const shaky = instead(store, 'put', (id, item) => (away ? Promise.reject(new Error('away')) : store.put(id, item)))
    const { batches, sent, failures, reports } = await open(shaky, { parallel: 1 })
    await take(batches, 2)
    await untilCount(() => sent.length, 1)
    away = true
    const ended = batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await untilCount(() => failures.length, 2)
    should(sent).have.length(1)
    away = false
    await ended
    await untilCount(() => sent.length, 2)
    await batches.end({ id: 'b', key: 'key-1', sent: 1 }, done)
    await untilCount(() => reports.length, 1)
  })

  it('continues with its own list when a part of it cannot be read for the next one', async () => {
    const store = memory()
    let away = false
    const { batches, sent } = await open(
      instead(store, 'get', (id) => (away ? Promise.reject(new Error('away')) : store.get(id))),
      { parallel: 65 },
    )
    await take(batches, 66)
    await untilCount(() => sent.length, 65)
    away = true
    await should(take(batches, 66)).be.rejectedWith('away')
    away = false
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await untilCount(() => sent.length, 66)
    should(sent[65]?.payload).equal(65)
  })

  it('sends rows whose turn came while the next list could not be stored', async () => {
    const store = memory()
    let refuse: ((error: Error) => void) | undefined
    let held = false
    let asked = false
    let gone = 0
    const shaky = instead(store, 'put', (id, item) =>
      held ? new Promise((_resolve, reject) => (refuse = reject)) : store.put(id, item),
    )
    // The second row may be sent as soon as the next list is being stored.
    const waitMs = () => {
      asked ||= refuse !== undefined
      return asked || gone === 0 ? 0 : 20
    }
    const rateLimit = { intervalMs: 0, waitMs, take: () => void gone++ }
    const { batches, sent } = await open(shaky, { rateLimit })
    await take(batches, 2)
    await untilCount(() => sent.length, 1)
    held = true
    const second = take(batches, 2)
    await until(() => refuse && asked)
    held = false
    refuse?.(new Error('away'))
    await should(second).be.rejectedWith('away')
    await untilCount(() => sent.length, 2)
  })

  it('lists the rows of a part that is lost: they may have been sent', async () => {
    const store = memory()
    const first = await open(store)
    await take(first.batches, 70)
    await untilCount(() => first.sent.length, 8)
    await first.batches.stop()
    const states = (await store.list()).filter(({ id }) => id.startsWith('state/'))
    should(states).have.length(2)
    await store.remove(states[1]?.id ?? '')
    const second = await open(store)
    for (let at = 0; at < 64; at++) {
      const msg = await until(() => second.sent[at])
      await second.batches.end({ id: 'b', key: (msg.batch as { key: string }).key }, done)
    }
    const [rows] = await until(() => (second.reports.length > 0 ? second.reports : undefined))
    const count = (phase: string) => rows?.filter((row) => row.phase === phase).length
    should([count('done'), count('look first')]).deepEqual([64, 6])
    should(rows?.at(-1)).have.properties({
      key: 'key-69',
      result: { code: 'EID_FAILED', outcome: 'unknown', problem: 'rows.lostState' },
    })
  })

  it('ignores a late failure of an earlier sending of a row that was sent again', async () => {
    const { batches, sent, reports } = await open(memory())
    await take(batches, 1)
    await untilCount(() => sent.length, 1)
    const failed = (outcome: 'not-done' | 'unknown') => ({ failed: true, outcome, result: {}, calls: [] }) as const
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, failed('not-done'))
    await untilCount(() => sent.length, 2)
    should(await batches.end({ id: 'b', key: 'key-0', sent: 1 }, failed('unknown'))).be.true()
    await batches.end({ id: 'b', key: 'key-0', sent: 2 }, done)
    await untilCount(() => reports.length, 1)
    should(reports[0]?.[0]).have.properties({ phase: 'done', sent: 2 })
  })

  it('lists a row to be looked at that fails when its list has been reported, and says so', async () => {
    const store = memory()
    const { batches, reports, sent, late } = await open(store)
    await take(batches, 2)
    await untilCount(() => sent.length, 2)
    for (const key of ['key-0', 'key-1']) await batches.end({ id: 'b', key, sent: 1 }, done)
    await untilCount(() => reports.length, 1)
    await until(() => batches.all().length === 0)
    const failed = { failed: true, outcome: 'not-done', result: {}, calls: [] } as const
    should(await batches.end({ id: 'b', key: 'key-1', sent: 1 }, failed)).be.true()
    should(await batches.end({ id: 'b', key: 'key-1', sent: 1 }, failed)).be.true()
    should(await batches.end({ id: 'b', key: 'key-0', sent: 7 }, failed)).be.true()
    should([
      await batches.end({ id: 'b', key: 'no', sent: 1 }, failed),
      await batches.end({ id: 'no', key: 'key-1', sent: 1 }, failed),
    ]).deepEqual([false, false])
    should(late).deepEqual([['b', 2]])
    await take(batches, 2)
    await untilCount(() => reports.length, 2)
    should(reports[1]?.map(({ phase }) => phase)).deepEqual(['done', 'look first'])
    should(sent).have.length(2)
  })

  it('removes the rows of a list that never became valid, or no longer is, and no others', async () => {
    const store = memory()
    const first = await open(store)
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await first.batches.stop()
    const kept = (await store.list()).map(({ id }) => id)
    const name = /state\/(.*)\/1\/0/.exec(kept.join(' '))?.[1] ?? ''
    const never = { dueMs: 1e12 }
    for (const id of [`state/${name}/2/0`, 'state/0123456789abcdef01234567/1/0', 'rows/0123456789abcdef01234567/1/0'])
      await store.put(id, { body: [], ...never })
    await store.put('draft/0123456789abcdef01234567/1', { body: 'arriving', ...never })
    await open(store)
    should((await store.list()).map(({ id }) => id)).deepEqual(kept)
  })

  it('ends a reset that a kill has cut off', async () => {
    const store = memory()
    const first = await open(store)
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await first.batches.stop()
    const [, name] = /state\/(.*)\/1\/0/.exec((await store.list()).map(({ id }) => id).join(' ')) ?? []
    await store.put(`draft/${name}/1`, { body: 'leaving', dueMs: 1e12 })
    const next = await open(store)
    should(next.batches.all()).be.empty()
    should(await store.list()).be.empty()
  })

  it('forgets the content of ended rows, and everything with a reset', async () => {
    const store = memory()
    const { batches, sent, reports } = await open(store)
    await take(batches, 3)
    await untilCount(() => sent.length, 3)
    for (const at of [0, 1, 2]) await batches.end({ id: 'b', key: `key-${at}`, sent: 1 }, done)
    await untilCount(() => reports.length, 1)
    await until(async () => !(await store.list()).some(({ id }) => id.startsWith('rows/')))
    await until(() => batches.all().length === 0)
    await batches.control('reset', 'b')
    should(await store.list()).be.empty()
  })
})
