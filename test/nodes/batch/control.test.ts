/** "batch" while it works: paused, deployed again, with a second list, and inside the flow of another batch. */
import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import should from 'should'
import { batchesOf, listBatches } from '../../../lib/runtime/monitor/batches'
import { onFlowsStarted } from '../../../lib/runtime/node-red/flows-started'
import { until, untilCount } from '../../support/time'
import { byNumber, keysOf, notDone, people, startBatch, type BatchFlow } from '../../support/batch-flow'
import { RED } from '../../support/errors'
import { removeFlow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { sentence } from '../../support/wording'

const red = createRequire(__filename)('node-red') as { readonly events: EventEmitter }

describe('batch, while it works', () => {
  let flow: BatchFlow
  const start = async (settings: object = {}, more: object = {}) => void (flow = await startBatch(settings, more))
  afterEach(removeFlow)

  it('counts a row once that comes back twice without an error, and lists a row that fails after it was done', async () => {
    await start(byNumber)
    flow.send({ payload: people(2) })
    const [one, two] = await flow.rows(2)
    flow.send({ ...one, documentId: 'first' })
    flow.send({ ...one, documentId: 'second' })
    flow.send({ ...one, ...notDone() })
    flow.send({ ...two })
    const { payload } = await flow.report()
    should(payload).have.properties({ done: 1, failed: 1 })
    should(payload.rows[0]).have.properties({ state: 'look first', outcome: 'unknown', documentId: 'first' })
    should(payload.rows[0]?.problem).startWith(sentence('batch', 'rows.partly'))
    flow.send({ ...two })
    await untilCount(() => flow.waiting().completed, 6)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 6 })
  })

  it('ignores a command on a row that does not name its list', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(3), batchId: 'a' })
    const commands = [{ reset: true }, { pause: true }, {}]
    for (const left of commands) await flow.answer(1, (msg) => ({ ...msg, ...left }))
    should((await flow.report()).payload).have.properties({ total: 3, done: 3 })
  })

  it('leaves a line in the log for a reset', async () => {
    await start({ ...byNumber, parallel: 1 })
    const lines: string[] = []
    flow.node().on('call:log', (call: { args: unknown[] }) => void lines.push(String(call.args[0])))
    flow.send({ payload: people(3), batchId: 'a' })
    await flow.answer(1)
    await flow.rows(1)
    flow.send({ reset: true, batchId: 'a' })
    await until(() => lines.length > 0)
    should(lines).deepEqual([sentence('batch', 'log.reset', { id: 'a', ended: 1, total: 3, out: 1 })])
  })

  it('knows the columns of a file that begins with a byte-order mark', async () => {
    await start(byNumber)
    flow.send({ payload: people(2).map(({ number }) => ({ ['\uFEFFnumber']: number, name: 'Ola Nordmann' })) })
    const rows = await flow.rows(2)
    should(rows.map(({ payload }) => payload)).deepEqual([
      { number: 'C-1', name: 'Ola Nordmann' },
      { number: 'C-2', name: 'Ola Nordmann' },
    ])
    should(keysOf(rows)).deepEqual(['C-1', 'C-2'])
  })

  it('does not mistake a row of a list that was reset for a row of the next list', async () => {
    await start(byNumber)
    flow.send({ payload: people(1), batchId: 'a' })
    const [before = {}] = await flow.rows(1)
    flow.send({ reset: true, batchId: 'a' })
    flow.send({ payload: people(1), batchId: 'a' })
    const [after = {}] = await flow.rows(1)
    flow.send({ ...before, documentId: 'of-before' })
    flow.send({ ...after, documentId: 'of-after' })
    const { payload } = await flow.report()
    should(payload.rows.map(({ documentId }) => documentId)).deepEqual(['of-after'])
    flow.send({ ...before, ...notDone() })
    flow.send({ payload: people(1), batchId: 'a' })
    should((await flow.report()).payload).have.properties({ done: 1, failed: 0 })
  })

  it('pauses, resumes and resets: one batch or all', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(3), batchId: 'a' })
    const [first] = await flow.rows(1)
    flow.send({ pause: true, batchId: 'a' })
    await until(() => flow.statuses.some(({ text = '' }) => text.startsWith('paused')))
    flow.send(first ?? {})
    await untilCount(() => flow.waiting().completed, 2)
    // The other batch continues meanwhile.
    flow.send({ payload: people(1), batchId: 'b' })
    const [other] = await flow.rows(1)
    should(other?.batch).have.property('id', 'b')
    flow.send(other ?? {})
    should((await flow.report()).payload.id).equal('b')
    flow.send({ resume: true })
    const [second] = await flow.rows(1)
    flow.send({ reset: true })
    flow.send(second ?? {})
    // The two lists, and the six messages that were commands or returned rows.
    await untilCount(() => flow.waiting().completed, 8)
    should(flow.waitingAt(0)).equal(0)
    flow.send({ payload: people(3), batchId: 'a' })
    should(keysOf(await flow.rows(1))).deepEqual(['C-1'])
  })

  it('refuses a command whose batch id is no id, and leaves every list alone', async () => {
    await start({ ...byNumber, parallel: 1 })
    for (const batchId of ['a', 'b']) flow.send({ payload: people(2), batchId })
    await flow.rows(1)
    for (const command of ['reset', 'pause', 'resume'])
      for (const batchId of [['a'], { a: 1 }, true]) {
        flow.send({ [command]: true, batchId })
        const { error } = await flow.caught()
        should(error).have.properties({ code: 'EID_INVALID_INPUT' })
        should(error.message).match(/batch id must be text/i)
      }
    should((await listBatches(RED)).map(({ id, paused }) => [id, paused])).deepEqual([
      ['a', false],
      ['b', false],
    ])
    flow.send({ reset: true, batchId: null })
    await untilCount(async () => (await listBatches(RED)).length, 0)
  })

  it('is the only node that stops when it alone is deployed', async () => {
    await start(byNumber)
    let stopped: unknown
    onFlowsStarted(red, (ids) => void (stopped = ids))
    await flow.redeploy({ parallel: 3 })
    should(stopped).deepEqual(['n'])
  })

  it('stops when a row asks for it', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(3), batchId: 'a' })
    const [first] = await flow.rows(1)
    flow.send({ ...first, ...notDone(), pause: true })
    await untilCount(() => flow.waiting().completed, 1)
    flow.send({ resume: true, batchId: 'a' })
    should(keysOf(await flow.rows(1))).deepEqual(['C-2'])
  })

  it('works at two batches in turns', async () => {
    await start({ ...byNumber, parallel: 2 })
    flow.send({ payload: people(3), batchId: 'a' })
    const [one, two] = await flow.rows(2)
    flow.send({ payload: people(3), batchId: 'b' })
    await until(() => flow.statuses.some(({ text = '' }) => text.startsWith('0 of 6')))
    for (const msg of [one, two]) flow.send(msg ?? {})
    const next = await flow.rows(2)
    should(next.map(({ batch }) => (batch as { id: string }).id).sort()).deepEqual(['a', 'b'])
    for (const msg of next) flow.send(msg)
    await flow.answer(2)
    const ids = [(await flow.report()).payload.id, (await flow.report()).payload.id]
    should(ids.sort()).deepEqual(['a', 'b'])
  })

  it('continues after a deploy: rows in flight may still come back', async () => {
    await start({ ...byNumber, parallel: 2 })
    flow.send({ payload: people(4), batchId: 'a', note: 'kept' })
    const [one, two] = await flow.rows(2)
    await flow.redeploy({ parallel: 3 })
    should(keysOf(await flow.rows(1))).deepEqual(['C-3'])
    flow.send(one ?? {})
    flow.send(two ?? {})
    should(keysOf(await flow.rows(1))).deepEqual(['C-4'])
  })

  it('continues when a second list cannot be taken', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(2), batchId: 'a' })
    const [first] = await flow.rows(1)
    const note = Array.from({ length: 300 }).reduce<object>((inner) => ({ inner }), {})
    flow.send({ payload: people(2), batchId: 'a', note })
    should((await flow.caught()).error).have.property('code', 'EID_INVALID_INPUT')
    flow.send(first ?? {})
    should(keysOf(await flow.rows(1))).deepEqual(['C-2'])
  })

  it('leaves the rows of another batch node alone: they are lists here', async () => {
    await start(byNumber, {
      more: [
        { id: 'outer', z: 'f', type: 'eid-batch', client: 'c', wires: [['n'], ['outside']] },
        { id: 'outside', z: 'f', type: 'helper' },
      ],
    })
    flow.send({ payload: [people(2)], batchId: 'same' }, 'outer')
    const inner = await flow.rows(2)
    should(inner.map(({ batch }) => batch)).matchEach({ of: 2 })
    for (const msg of inner) flow.send(msg)
    const back = await flow.report()
    should(back.batch).deepEqual({ id: 'same', key: '1', row: 1, of: 1 })
    const reported = new Promise<FlowMessage>((resolve) => flow.node('outside').on('input', resolve))
    flow.send(back, 'outer')
    should((await reported).payload).have.properties({ total: 1, done: 1 })
  })

  it('shows its progress in the status and on the second output', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(1200), batchId: 'a' })
    const back = async () => flow.answer(1)
    await back()
    await flow.answer(1, (msg) => ({ ...msg, error: { message: 'broke' } }))
    await back()
    const status = await until(() => flow.statuses.find(({ text = '' }) => /^3 of 1,200, 1 failed, done/.test(text)))
    should(status.fill).equal('blue')
    const progress = await flow.next(1)
    should(progress).have.property('status', 'running')
    should(progress.payload).have.keys('id', 'total', 'done', 'failed').and.not.have.property('rows')
    flow.send({ reset: true })
  })

  it('is listed while it runs, and can be paused there', async () => {
    await start({ ...byNumber, parallel: 1, pace: 3600, paceUnit: 'hour', name: 'Leases' })
    const sent = Date.now()
    flow.send({ payload: people(3), batchId: 'a' })
    await flow.rows(1)
    const [listed, ...others] = await listBatches(RED)
    should(others).be.empty()
    const node = { id: 'n', name: 'Leases', flow: 'test' }
    should(listed).have.properties({ id: 'a', node, total: 3, done: 0, failed: 0, paused: false })
    const now = Date.now()
    should(listed?.started).be.within(sent, now)
    should(listed?.expectedEnd).be.within(sent + 2000, now + 3100)
    should(await batchesOf(RED, 'n')?.pause('a')).be.true()
    should(await batchesOf(RED, 'n')?.pause('b')).be.false()
    should((await listBatches(RED))[0]).have.property('paused', true)
    await batchesOf(RED, 'n')?.resume('a')
    should((await listBatches(RED))[0]).have.property('paused', false)
  })
})
