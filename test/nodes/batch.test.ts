/** "batch": a list is sent row by row, every row comes back once, and the report has the result of each. */
import should from 'should'
import { dismissError, listErrors } from '../support/errors'
import { untilCount } from '../support/time'
import { byNumber, keysOf, notDone, people, startBatch, type BatchFlow, failedRows } from '../support/batch-flow'
import { removeFlow } from '../support/flow'
import { sentence } from '../support/wording'

describe('batch', () => {
  let flow: BatchFlow
  const start = async (settings: object = {}, more: object = {}) => void (flow = await startBatch(settings, more))
  afterEach(removeFlow)

  it('sends a message per row, with what belongs to it', async () => {
    await start(byNumber)
    flow.send({ payload: people(3), note: { deep: 1 }, topic: 'contracts', batchId: 'lease' })
    const all = await flow.rows(3)
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
    const [one, two, three] = await flow.rows(3)
    flow.send({ ...one, documentId: 'doc-1', shareId: 'share-1' })
    flow.send({ ...two, ...notDone() })
    // The failed row is sent again, after the others.
    flow.send({ ...three, error: { message: 'It broke, "off".', code: 'EID_TIMEOUT', cause: { outcome: 'unknown' } } })
    const [again] = await flow.rows(1)
    should(again?.externalId).equal(two?.externalId)
    flow.send({ ...again, ...notDone() })
    const { payload, csv, note } = await flow.report()
    const failure = { code: 'EID_REFUSED', outcome: 'not-done', problem: 'It was refused.' }
    should(payload).deepEqual({
      id: 'b',
      total: 3,
      done: 1,
      failed: 2,
      changed: 0,
      rows: [
        {
          row: 1,
          key: 'C-1',
          state: 'done',
          externalId: one?.externalId,
          documentId: 'doc-1',
          shareId: 'share-1',
        },
        { row: 2, key: 'C-2', state: 'failed', externalId: two?.externalId, ...failure },
        {
          row: 3,
          key: 'C-3',
          state: 'look first',
          externalId: three?.externalId,
          code: 'EID_TIMEOUT',
          outcome: 'unknown',
          problem: 'It broke, "off".',
        },
      ],
    })
    should(note).equal('kept')
    should(csv.split('\n')).deepEqual([
      '\uFEFFnumber;row;key;state;documentId;shareId;depositId;sessionId;externalId;code;outcome;problem',
      `C-1;1;C-1;done;doc-1;share-1;;;${String(one?.externalId)};;;`,
      `C-2;2;C-2;failed;;;;;${String(two?.externalId)};EID_REFUSED;not-done;It was refused.`,
      `C-3;3;C-3;look first;;;;;${String(three?.externalId)};EID_TIMEOUT;unknown;"It broke, ""off""."`,
      '',
    ])
    // The list, and four returned rows.
    await untilCount(() => flow.waiting().completed, 5)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 5 })
  })

  it('writes the columns of the list first, and no formula that a spreadsheet would run', async () => {
    await start()
    const rows = [
      { name: '=1+1', mobile: '+4799999999', rent: -5, key: 'a;b' },
      { name: 'Åse', note: '@SUM(A1)', tags: ['x'] },
      'plain',
    ]
    flow.send({ payload: rows, batchId: 'b' })
    await flow.answer(3)
    const [head = '', ...lines] = (await flow.report()).csv.split('\n')
    should(head).startWith('\uFEFFname;mobile;rent;key (2);note;tags;value;row;key;state;')
    should(lines.map((line) => line.split(';1;1;')[0]?.split(';2;2;')[0]?.split(';3;3;')[0])).deepEqual([
      `'=1+1;'+4799999999;-5;"a;b";;;`,
      `Åse;;;;'@SUM(A1);"[""x""]";`,
      ';;;;;;plain',
      '',
    ])
  })

  for (const first of ['=', '+', '-', '@', '\t', '\r', '\n'])
    it(`has a text that begins with ${JSON.stringify(first)} as text in its report`, async () => {
      await start()
      flow.send({ payload: [{ name: `${first}1` }], batchId: 'b' })
      await flow.answer(1)
      should((await flow.report()).csv).match(new RegExp(`\n"?'[${first === '-' ? '\\-' : first}]1"?;1;`))
    })

  it('has the rows that failed with their reasons, and no error of its own', async () => {
    dismissError()
    await start(byNumber)
    flow.send({ payload: [{ number: 'C-1' }, { name: 'Ola Nordmann' }, { name: 'Kari' }], batchId: 'b' })
    await flow.answer(1)
    await flow.report()
    const rows = (await failedRows('b')).map(({ row, state, text }) => [row, state, text.slice(0, 19)])
    should(rows).deepEqual([
      [2, 'failed', 'The row has no key.'],
      [3, 'failed', 'The row has no key.'],
    ])
    should(listErrors()).be.empty()
  })

  it('reports no id that a row was sent with', async () => {
    await start(byNumber)
    flow.send({ payload: people(2), batchId: 'b', documentId: 'of-the-list', shareId: 'of-the-list' })
    const [one, two] = await flow.rows(2)
    flow.send({ ...one, documentId: 'doc-1' })
    flow.send({ ...two, error: { message: 'It broke.' } })
    const [first, second] = (await flow.report()).payload.rows
    should(first).have.property('documentId', 'doc-1')
    should(first).not.have.property('shareId')
    should(second).not.have.any.keys('documentId', 'shareId')
  })

  it('keeps to the rows in flight and to the pace', async () => {
    await start({ parallel: 2, pace: 20, paceUnit: 'second' })
    const began = performance.now()
    flow.send({ payload: people(6) })
    const first = await flow.rows(2)
    should(flow.waitingAt(0)).equal(0)
    for (const msg of first) flow.send(msg)
    for (let at = 0; at < 4; at++) await flow.answer(1)
    await flow.report()
    should(performance.now() - began).be.aboveOrEqual(5 * 50 - 51)
  })

  it('names rows by their number, by a property or by an expression', async () => {
    await start()
    flow.send({ payload: [{ a: 1 }, 'two'], batchId: 1 })
    should(keysOf(await flow.rows(2))).deepEqual(['1', '2'])
    await removeFlow()
    await start({ key: 'payload.first & "-" & payload.last', keyType: 'jsonata' })
    flow.send({ payload: [{ first: 'Ola', last: 'N' }], batchId: 1 })
    should(keysOf(await flow.rows(1))).deepEqual(['Ola-N'])
  })

  it('lists rows without a key, and sends the others', async () => {
    await start(byNumber)
    flow.send({ payload: [{ number: 7 }, {}, { number: 8 }] })
    const all = await flow.rows(2)
    should(keysOf(all)).deepEqual(['7', '8'])
    for (const msg of all) flow.send(msg)
    const { payload } = await flow.report()
    should(payload).have.properties({ total: 3, done: 2, failed: 1 })
    should(payload.rows.map(({ state }) => state)).deepEqual(['done', 'failed', 'done'])
    should(payload.rows[1]?.problem).match(/no key/)
  })

  it('ends at once without rows, and refuses anything but a list', async () => {
    await start()
    flow.send({ payload: [] })
    should((await flow.report()).payload).have.properties({ total: 0, done: 0, failed: 0, rows: [] })
    for (const payload of [{}, 'a,b', 5, undefined]) {
      flow.send({ payload })
      const { error } = await flow.caught()
      should(error).have.properties({ code: 'EID_INVALID_INPUT' })
      // A Catch node for all nodes would send the error straight back to the batch.
      flow.send({ payload, error })
    }
    flow.send({ payload: [], batchId: {} })
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    await untilCount(() => flow.waiting().completed, 5)
    should(flow.waiting().caught).equal(0)
  })

  it('refuses rows that hold more than a process can bear, and says which and what to do', async () => {
    await start(byNumber)
    const file = 'x'.repeat(5_000_000)
    flow.send({ payload: people(55).map((one) => ({ ...one, file })) })
    const { error } = await flow.caught()
    should(error).have.properties({ code: 'EID_INVALID_INPUT' })
    should(error.message).equal(
      `${sentence('client', 'problems.listTooLarge', { path: 'Rows', row: 14, max: 64 })}. Nothing was sent.`,
    )
    flow.send({ payload: people(2).map((one) => ({ ...one, file })) })
    should((await flow.rows(2)).map(({ payload }) => (payload as { file: string }).file.length)).deepEqual([
      file.length,
      file.length,
    ])
  })

  it('continues when the same list is sent again, and creates nothing twice', async () => {
    await start(byNumber)
    const list = () => flow.send({ payload: people(4) })
    list()
    const first = await flow.rows(4)
    const [one, two, three] = first
    flow.send({ ...one, documentId: 'doc-1' })
    flow.send({ ...two, error: { message: 'broke', cause: { outcome: 'unknown' } } })
    await untilCount(() => flow.waiting().completed, 2)
    list()
    flow.send({ ...three, ...notDone() })
    const [again] = await flow.rows(1)
    should(again?.externalId).equal(three?.externalId)
    flow.send({ ...again, ...notDone() })
    flow.send({ ...first[3] })
    const { payload } = await flow.report()
    should(payload.rows.map(({ state }) => state)).deepEqual(['done', 'look first', 'failed', 'done'])
    await untilCount(() => flow.waiting().completed, 7)
    // After the report, the failed row is sent once more, but not the row that must be checked first.
    list()
    const [last] = await flow.rows(1)
    should(last).have.properties({ externalId: three?.externalId, payload: { number: 'C-3' } })
    flow.send({ ...last, documentId: 'doc-3' })
    const second = await flow.report()
    should(second.payload.rows.map(({ state }) => state)).deepEqual(['done', 'look first', 'done', 'done'])
    should(second.payload.rows.map(({ documentId }) => documentId)).deepEqual(['doc-1', undefined, 'doc-3', undefined])
    list()
    should((await flow.report()).payload.id).equal(payload.id)
    should(flow.waitingAt(0)).equal(0)
  })

  it('takes a corrected list under the same id: new rows go, done ones do not', async () => {
    await start(byNumber)
    flow.send({ batchId: 'b', payload: [{ number: 1, mail: 'a' }, { number: 2, mail: 'wrong' }, { mail: 'c' }] })
    const [one, two] = await flow.rows(2)
    flow.send({ ...one })
    flow.send({ ...two, ...notDone() })
    await flow.answer(1, (msg) => ({ ...msg, ...notDone() }))
    should((await flow.report()).payload).have.properties({ total: 3, done: 1, failed: 2 })
    const corrected = [
      { number: 1, mail: 'changed' },
      { number: 2, mail: 'b' },
      { number: 3, mail: 'c' },
    ]
    flow.send({ batchId: 'b', payload: corrected })
    const next = await flow.rows(2)
    should(next.map(({ payload }) => payload)).deepEqual(corrected.slice(1))
    should(next[0]?.externalId).equal(two?.externalId)
    for (const msg of next) flow.send(msg)
    const { payload } = await flow.report()
    should(payload).have.properties({ total: 3, done: 2, changed: 1, failed: 0 })
    should(payload.rows[0]).have.property('state', 'changed')
    should(payload.rows[0]?.problem).equal(sentence('batch', 'rows.changed'))
  })
})
