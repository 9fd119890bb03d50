/** "batch": a list goes out row by row, every row comes back once, and the report says what became of each. */
import should from 'should'
import node from '../../nodes/batch/batch'
import { until, untilCount } from '../time'
import { removeFlow, startFlow, type Flow } from './flow'
import type { FlowMessage } from './types'

type Row = Record<string, unknown>
interface Report {
  id: string
  total: number
  done: number
  failed: number
  rows: Row[]
}

const people = (count: number) => Array.from({ length: count }, (_none, at) => ({ number: `C-${at + 1}` }))
const byNumber = { key: 'payload.number', keyType: 'msg' }
const notDone = (code = 'EID_REFUSED') => ({
  error: { message: 'It was refused.', code, cause: { outcome: 'not-done' }, source: { id: 'x' } },
})
const keysOf = (messages: readonly FlowMessage[]) => messages.map(({ batch }) => (batch as { key: string }).key)

describe('batch', () => {
  let flow: Flow
  const start = async (settings: object = {}, more: object = {}) => {
    flow = await startFlow({ type: 'eid-batch', module: node, outputs: 2, settings, ...more })
  }
  const rows = async (count: number) => {
    const all: FlowMessage[] = []
    for (let at = 0; at < count; at++) all.push(await flow.next(0))
    return all
  }
  /** The report; what is told before it is progress. */
  const report = async (): Promise<FlowMessage & { payload: Report; csv: string }> => {
    for (;;) {
      const msg = await flow.next(1)
      if (msg.status === 'ended') return msg as FlowMessage & { payload: Report; csv: string }
    }
  }
  /** Sends every row straight back, changed by `act`. */
  const answer = async (count: number, act: (msg: FlowMessage) => FlowMessage = (msg) => msg) => {
    for (const msg of await rows(count)) flow.send(act(msg))
  }
  afterEach(removeFlow)

  it('sends a message per row, with what belongs to it', async () => {
    await start(byNumber)
    flow.send({ payload: people(3), note: { deep: 1 }, topic: 'contracts', batchId: 'lease' })
    const all = await rows(3)
    should(all.map(({ payload }) => payload)).deepEqual(people(3))
    should(all.map(({ batch }) => batch)).deepEqual([
      { id: 'lease', key: 'C-1', row: 1, of: 3 },
      { id: 'lease', key: 'C-2', row: 2, of: 3 },
      { id: 'lease', key: 'C-3', row: 3, of: 3 },
    ])
    for (const msg of all) {
      should(msg).have.properties({ note: { deep: 1 }, topic: 'contracts' })
      should(msg).not.have.any.keys('batchId', 'redelivered')
    }
    should(all[0]?.note).not.equal(all[1]?.note)
    should(new Set(all.map(({ externalId }) => externalId)).size).equal(3)
    should(new Set(all.map(({ _msgid }) => _msgid)).size).equal(3)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('reports when every row has come back: with what each brought, and as CSV', async () => {
    await start(byNumber)
    flow.send({ payload: people(3), batchId: 'b', note: 'kept' })
    const [one, two, three] = await rows(3)
    flow.send({ ...one, documentId: 'doc-1', shareId: 'share-1' })
    flow.send({ ...two, ...notDone() })
    // Tried again, at the end.
    flow.send({ ...three, error: { message: 'It broke, "off".', code: 'EID_TIMEOUT', cause: { outcome: 'unknown' } } })
    const [again] = await rows(1)
    should(again?.externalId).equal(two?.externalId)
    flow.send({ ...again, ...notDone() })
    const { payload, csv, note } = await report()
    const failure = { code: 'EID_REFUSED', outcome: 'not-done', problem: 'It was refused.' }
    should(payload).deepEqual({
      ...{ id: 'b', total: 3, done: 1, failed: 2 },
      rows: [
        {
          ...{ row: 1, key: 'C-1', state: 'done', externalId: one?.externalId },
          ...{ documentId: 'doc-1', shareId: 'share-1' },
        },
        { row: 2, key: 'C-2', state: 'failed', externalId: two?.externalId, ...failure },
        {
          ...{ row: 3, key: 'C-3', state: 'look first', externalId: three?.externalId },
          ...{ code: 'EID_TIMEOUT', outcome: 'unknown', problem: 'It broke, "off".' },
        },
      ],
    })
    should(note).equal('kept')
    should(csv.split('\n')).deepEqual([
      'row,key,state,documentId,shareId,depositId,sessionId,externalId,code,outcome,problem',
      `1,C-1,done,doc-1,share-1,,,${String(one?.externalId)},,,`,
      `2,C-2,failed,,,,,${String(two?.externalId)},EID_REFUSED,not-done,It was refused.`,
      `3,C-3,look first,,,,,${String(three?.externalId)},EID_TIMEOUT,unknown,"It broke, ""off""."`,
      '',
    ])
    // The list and its four returns.
    await untilCount(() => flow.waiting().completed, 5)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 5 })
  })

  it('has so many out at once, and no more than the pace', async () => {
    await start({ parallel: 2, pace: 20, paceUnit: 'second' })
    const began = performance.now()
    flow.send({ payload: people(6) })
    const first = await rows(2)
    should(flow.waiting().out).equal(0)
    for (const msg of first) flow.send(msg)
    for (let at = 0; at < 4; at++) await answer(1)
    await report()
    should(performance.now() - began).be.aboveOrEqual(5 * 50 - 51)
  })

  it('names rows by their number, by a property or by an expression', async () => {
    await start()
    flow.send({ payload: [{ a: 1 }, 'two'], batchId: 1 })
    should(keysOf(await rows(2))).deepEqual(['1', '2'])
    await removeFlow()
    await start({ key: 'payload.first & "-" & payload.last', keyType: 'jsonata' })
    flow.send({ payload: [{ first: 'Ola', last: 'N' }], batchId: 1 })
    should(keysOf(await rows(1))).deepEqual(['Ola-N'])
  })

  it('lists rows without a key and rows with one that is taken, and sends the others', async () => {
    await start(byNumber)
    flow.send({ payload: [{ number: 7 }, {}, { number: '7' }, { number: 8 }] })
    const all = await rows(2)
    should(keysOf(all)).deepEqual(['7', '8'])
    for (const msg of all) flow.send(msg)
    const { payload } = await report()
    should(payload).have.properties({ total: 4, done: 2, failed: 2 })
    should(payload.rows.map(({ state }) => state)).deepEqual(['done', 'failed', 'failed', 'done'])
    should(payload.rows[1]?.problem).match(/no key/)
    should(payload.rows[2]?.problem).match(/Row 1 has the same key/)
  })

  it('ends at once without rows, and refuses what is no list', async () => {
    await start()
    flow.send({ payload: [] })
    should((await report()).payload).have.properties({ total: 0, done: 0, failed: 0, rows: [] })
    for (const payload of [{}, 'a,b', 5, undefined]) {
      flow.send({ payload })
      const { error } = await flow.caught()
      should(error).have.properties({ code: 'EID_INVALID_INPUT' })
      // A Catch node for all nodes sends it straight back.
      flow.send({ payload, error })
    }
    flow.send({ payload: [], batchId: {} })
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    await untilCount(() => flow.waiting().completed, 5)
    should(flow.waiting().caught).equal(0)
  })

  it('goes on when the same list is sent again, and makes nothing twice', async () => {
    await start(byNumber)
    const list = () => flow.send({ payload: people(4) })
    list()
    const first = await rows(4)
    const [one, two, three] = first
    flow.send({ ...one, documentId: 'doc-1' })
    flow.send({ ...two, error: { message: 'broke', cause: { outcome: 'unknown' } } })
    await untilCount(() => flow.waiting().completed, 2)
    list()
    flow.send({ ...three, ...notDone() })
    const [again] = await rows(1)
    should(again?.externalId).equal(three?.externalId)
    flow.send({ ...again, ...notDone() })
    flow.send({ ...first[3] })
    const { payload } = await report()
    should(payload.rows.map(({ state }) => state)).deepEqual(['done', 'look first', 'failed', 'done'])
    await untilCount(() => flow.waiting().completed, 7)
    // Ended: what failed is tried once more, what is to be looked at is not.
    list()
    const [last] = await rows(1)
    should(last).have.properties({ externalId: three?.externalId, payload: { number: 'C-3' } })
    flow.send({ ...last, documentId: 'doc-3' })
    const second = await report()
    should(second.payload.rows.map(({ state }) => state)).deepEqual(['done', 'look first', 'done', 'done'])
    should(second.payload.rows.map(({ documentId }) => documentId)).deepEqual(['doc-1', undefined, 'doc-3', undefined])
    list()
    should((await report()).payload.id).equal(payload.id)
    should(flow.waiting().out).equal(0)
  })

  it('takes a corrected list under the same id: new rows go, done ones do not', async () => {
    await start(byNumber)
    flow.send({ batchId: 'b', payload: [{ number: 1, mail: 'a' }, { number: 2, mail: 'wrong' }, { mail: 'c' }] })
    const [one, two] = await rows(2)
    flow.send({ ...one })
    flow.send({ ...two, ...notDone() })
    await answer(1, (msg) => ({ ...msg, ...notDone() }))
    should((await report()).payload).have.properties({ total: 3, done: 1, failed: 2 })
    const corrected = [
      { number: 1, mail: 'changed' },
      { number: 2, mail: 'b' },
      { number: 3, mail: 'c' },
    ]
    flow.send({ batchId: 'b', payload: corrected })
    const next = await rows(2)
    should(next.map(({ payload }) => payload)).deepEqual(corrected.slice(1))
    should(next[0]?.externalId).equal(two?.externalId)
    for (const msg of next) flow.send(msg)
    const { payload } = await report()
    should(payload).have.properties({ total: 3, done: 2, failed: 1 })
    should(payload.rows[0]).have.properties({ state: 'failed', outcome: 'not-done' })
    should(payload.rows[0]?.problem).match(/changed since it was done/)
  })

  it('counts the first end of a row, whatever comes back later', async () => {
    await start(byNumber)
    flow.send({ payload: people(2) })
    const [one, two] = await rows(2)
    flow.send({ ...one, documentId: 'first' })
    flow.send({ ...one, documentId: 'second' })
    flow.send({ ...one, ...notDone() })
    flow.send({ ...two })
    should((await report()).payload).have.properties({ done: 2, failed: 0 })
    flow.send({ ...two })
    await untilCount(() => flow.waiting().completed, 6)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 6 })
  })

  it('pauses, resumes and resets: one batch or all', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(3), batchId: 'a' })
    const [first] = await rows(1)
    flow.send({ pause: true, batchId: 'a' })
    await until(() => flow.statuses.some(({ text = '' }) => text.startsWith('paused')))
    flow.send(first ?? {})
    await untilCount(() => flow.waiting().completed, 2)
    // Another batch goes on meanwhile.
    flow.send({ payload: people(1), batchId: 'b' })
    const [other] = await rows(1)
    should(other?.batch).have.property('id', 'b')
    flow.send(other ?? {})
    should((await report()).payload.id).equal('b')
    flow.send({ resume: true })
    const [second] = await rows(1)
    flow.send({ reset: true })
    flow.send(second ?? {})
    // The list, five told or come back, the other list.
    await untilCount(() => flow.waiting().completed, 8)
    should(flow.waiting().out).equal(0)
    flow.send({ payload: people(3), batchId: 'a' })
    should(keysOf(await rows(1))).deepEqual(['C-1'])
  })

  it('stops when a row asks for it', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(3), batchId: 'a' })
    const [first] = await rows(1)
    flow.send({ ...first, ...notDone(), pause: true })
    await untilCount(() => flow.waiting().completed, 1)
    flow.send({ resume: true, batchId: 'a' })
    should(keysOf(await rows(1))).deepEqual(['C-2'])
  })

  it('works at two batches in turns', async () => {
    await start({ ...byNumber, parallel: 2 })
    flow.send({ payload: people(3), batchId: 'a' })
    const [one, two] = await rows(2)
    flow.send({ payload: people(3), batchId: 'b' })
    await until(() => flow.statuses.some(({ text = '' }) => text.startsWith('0 of 6')))
    for (const msg of [one, two]) flow.send(msg ?? {})
    const next = await rows(2)
    should(next.map(({ batch }) => (batch as { id: string }).id).sort()).deepEqual(['a', 'b'])
    for (const msg of next) flow.send(msg)
    await answer(2)
    const ids = [(await report()).payload.id, (await report()).payload.id]
    should(ids.sort()).deepEqual(['a', 'b'])
  })

  it('goes on after a deploy: rows that were out may still come back', async () => {
    await start({ ...byNumber, parallel: 2 })
    flow.send({ payload: people(4), batchId: 'a', note: 'kept' })
    const [one, two] = await rows(2)
    await flow.redeploy({ parallel: 3 })
    should(keysOf(await rows(1))).deepEqual(['C-3'])
    flow.send(one ?? {})
    flow.send(two ?? {})
    should(keysOf(await rows(1))).deepEqual(['C-4'])
  })

  it('leaves the rows of another batch node alone: they are lists here', async () => {
    await start(byNumber, {
      more: [
        { id: 'outer', z: 'f', type: 'eid-batch', client: 'c', wires: [['n'], ['outside']] },
        { id: 'outside', z: 'f', type: 'helper' },
      ],
    })
    flow.send({ payload: [people(2)], batchId: 'same' }, 'outer')
    const inner = await rows(2)
    should(inner.map(({ batch }) => batch)).matchEach({ of: 2 })
    for (const msg of inner) flow.send(msg)
    const back = await report()
    should(back.batch).deepEqual({ id: 'same', key: '1', row: 1, of: 1 })
    const reported = new Promise<FlowMessage>((resolve) => flow.node('outside').on('input', resolve))
    flow.send(back, 'outer')
    should((await reported).payload).have.properties({ total: 1, done: 1 })
  })

  it('tells how far it is below itself, and on the second output', async () => {
    await start({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(1200), batchId: 'a' })
    const back = async () => answer(1)
    await back()
    await answer(1, (msg) => ({ ...msg, error: { message: 'broke' } }))
    await back()
    const status = await until(() => flow.statuses.find(({ text = '' }) => /^3 of 1,200, 1 failed, done/.test(text)))
    should(status.fill).equal('blue')
    const told = await flow.next(1)
    should(told).have.property('status', 'running')
    should(told.payload).have.keys('id', 'total', 'done', 'failed').and.not.have.property('rows')
    flow.send({ reset: true })
  })
})
