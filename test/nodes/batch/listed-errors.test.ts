/** "batch": a failed row is listed once among the errors, where its own error says all that a person needs. */
import should from 'should'
import { inputError, nodeError } from '../../../lib/api/errors/errors'
import { dismissError, listErrors, recordError, settleList, settleRows } from '../../../lib/runtime/monitor/error-log'
import { firstRows } from '../../../lib/runtime/monitor/error-rows'
import { onOccurrence } from '../../../lib/runtime/monitor/occurrences'
import type { FlowMessage, RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import { byNumber, people, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { until } from '../../support/time'
import { longestTurn } from '../../support/turns'

describe('a failed row of a list among the errors', () => {
  let flow: BatchFlow
  beforeEach(() => void dismissError())
  let stopListening: () => void = () => undefined
  afterEach(() => stopListening())
  afterEach(removeFlow)

  const node = { id: 'create', type: 'eid-create-document' } as RuntimeNode
  /** The row fails in a node, which lists its error as our nodes do. */
  const fail = (msg: FlowMessage, error = nodeError('EID_REFUSED', 'noAddress', {}, { outcome: 'not-done' })) => {
    recordError(node, error, error, msg)
    return { ...msg, error: { message: error.message, code: error.code, cause: error.cause } }
  }
  const listed = () => listErrors().map(({ node: { type }, rows, outcome }) => [type, rows, outcome])

  it('is there once, with the error of the node that failed', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(3), batchId: 'b' })
    const [one, two, three] = await flow.rows(3)
    flow.send({ ...one })
    flow.send(fail({ ...two }))
    flow.send({ ...three })
    should((await flow.report()).payload).have.properties({ done: 2, failed: 1 })
    should(listed()).deepEqual([['eid-create-document', ['2 (C-2)'], 'not-done']])
  })

  it('is named by the error about the list too, if another row has no error of its own', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(2), batchId: 'b' })
    const [one, two] = await flow.rows(2)
    flow.send(fail({ ...one }))
    flow.send({ ...two, error: { message: 'It broke.' } })
    await flow.report()
    should(listed().map(([type]) => type)).deepEqual(['eid-batch', 'eid-create-document'])
  })

  it('is named by the error about the list too, if only that error says that the row has to be checked', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(1), batchId: 'b' })
    const [one] = await flow.rows(1)
    flow.send({ ...fail({ ...one }), documentId: 'made-earlier' })
    const [row] = (await flow.report()).payload.rows
    should(row).have.property('state', 'look first')
    should(listed()).deepEqual([
      ['eid-batch', ['1 (C-1)'], 'unknown'],
      ['eid-create-document', ['1 (C-1)'], 'not-done'],
    ])
  })

  it('is named with the reason of its last attempt, and not with that of an earlier one or of an earlier list', async () => {
    flow = await startBatch({ ...byNumber, attempts: 2 })
    const network = nodeError('EID_NETWORK', 'errors.EID_NETWORK', { reason: 'refused' }, { outcome: 'not-done' })
    const own = (msg: FlowMessage) => ({ ...msg, error: { message: 'No rent.', cause: { outcome: 'not-done' } } })
    for (const rent of [1, 2]) {
      flow.send({ payload: [{ number: 'C-1', rent }], batchId: 'b' })
      const [one] = await flow.rows(1)
      flow.send(rent === 1 ? fail({ ...one }, network) : own({ ...one }))
      const [two] = await flow.rows(1)
      flow.send(own({ ...two }))
      should((await flow.report()).payload.rows[0]).have.property('problem', 'No rent.')
      should(listed()).deepEqual([['eid-batch', ['1 (C-1)'], 'not-done']])
    }
  })

  it('is named without the title of another row that had its number in an earlier list', async () => {
    const alerts: unknown[] = []
    stopListening = onOccurrence((one) => void (one.what === 'list' && alerts.push(one.rows)))
    alerts.splice(0)
    flow = await startBatch({ attempts: 1 })
    const titled = { outcome: 'not-done', title: 'Lease for Ola' } as const
    // Rows without a key are named by their number.
    flow.send({ payload: [{ name: 'Ola' }], batchId: 'b' })
    await flow.answer(1, (msg) => fail(msg, nodeError('EID_REFUSED', 'noAddress', {}, titled)))
    await flow.report()
    flow.send({ payload: [{ name: 'Kari' }], batchId: 'b' })
    await flow.answer(1, (msg) => ({ ...msg, error: { message: 'No rent.', cause: { outcome: 'not-done' } } }))
    await flow.report()
    await until(() => alerts.length === 2)
    should(alerts).deepEqual([['1: Lease for Ola'], ['1']])
    should(listed()).deepEqual([['eid-batch', ['1'], 'not-done']])
  })

  it('is named without the title of another row also if their keys are not shown, and if that error stays', async () => {
    const alerts: unknown[] = []
    stopListening = onOccurrence((one) => void (one.what === 'list' && alerts.push(one.rows)))
    alerts.splice(0)
    flow = await startBatch({ ...byNumber, attempts: 1 })
    for (const outcome of ['not-done', 'unknown'] as const) {
      const titled = nodeError('EID_REFUSED', 'noAddress', {}, { outcome, title: 'Lease, Storgata 1' })
      const untitled = nodeError('EID_REFUSED', 'noAddress', {}, { outcome: 'not-done' })
      flow.send({ payload: [{ number: `ola-${outcome}@example.com` }], batchId: outcome })
      await flow.answer(1, (msg) => fail(msg, titled))
      await flow.report()
      flow.send({ payload: [{ number: 'kari@example.com' }, { number: 'per@example.com' }], batchId: outcome })
      const [kari, per] = await flow.rows(2)
      flow.send({ ...kari, error: { message: 'No rent.', cause: { outcome: 'not-done' } } })
      flow.send(fail({ ...per }, untitled))
      await flow.report()
    }
    await until(() => alerts.length === 4)
    should(alerts).deepEqual([['1: Lease, Storgata 1'], ['1', '2'], ['1: Lease, Storgata 1'], ['1', '2']])
    const errors = listErrors().map((one) => [one.node.type, firstRows(one, listErrors())])
    should(errors.filter(([type]) => type === 'eid-batch')).deepEqual([
      ['eid-batch', ['1', '2']],
      ['eid-batch', ['1', '2']],
    ])
  })

  it('gets no title from another row with its number that failed in the same way', () => {
    const titled = nodeError('EID_REFUSED', 'noAddress', {}, { outcome: 'not-done', title: 'Lease, Storgata 1' })
    const batch = { id: 'b', row: 1 }
    fail({ batch: { ...batch, key: 'ola@example.com' }, _batch: { node: 'n' } }, titled)
    fail({ batch: { ...batch, key: 'kari@example.com' }, _batch: { node: 'n' } })
    should(listErrors().map((one) => [one.count, firstRows(one, listErrors())])).deepEqual([[2, ['1']]])
  })

  it('stays listed if something may have been done, but not as an error of the next list of that name', async () => {
    const alerts: unknown[] = []
    stopListening = onOccurrence((one) => void (one.what === 'list' && alerts.push(one.rows)))
    alerts.splice(0)
    flow = await startBatch({ attempts: 1 })
    const unknown = { outcome: 'unknown', title: 'Deposit of Ola' } as const
    flow.send({ payload: [{ name: 'Ola' }, { name: 'Per' }], batchId: 'rent' })
    await flow.answer(2, (msg) => fail(msg, nodeError('EID_TIMEOUT', 'errors.EID_TIMEOUT', { seconds: 1 }, unknown)))
    await flow.report()
    const doubtful = ['eid-create-document', ['2', '1'], 'unknown']
    should(listed()).deepEqual([doubtful])
    flow.send({ reset: true, batchId: 'rent' })
    flow.send({ payload: [{ name: 'Kari' }], batchId: 'rent' })
    await flow.answer(1, (msg) => ({ ...msg, error: { message: 'No rent.', cause: { outcome: 'not-done' } } }))
    await flow.report()
    await until(() => alerts.length === 2)
    should(alerts[1]).deepEqual(['1'])
    should(listed()).deepEqual([['eid-batch', ['1'], 'not-done'], doubtful])
  })

  it('stays listed too if a shorter list of that name does not contain the number of the row', async () => {
    flow = await startBatch({ attempts: 1 })
    flow.send({ payload: [{ name: 'Ola' }, { name: 'Per' }], batchId: 'fees' })
    const [one, two] = await flow.rows(2)
    flow.send({ ...one })
    flow.send(fail({ ...two }, nodeError('EID_TIMEOUT', 'errors.EID_TIMEOUT', { seconds: 1 }, { outcome: 'unknown' })))
    await flow.report()
    flow.send({ reset: true, batchId: 'fees' })
    flow.send({ payload: [{ name: 'Kari' }], batchId: 'fees' })
    await flow.answer(1, (msg) => msg)
    await flow.report()
    should(listed()).deepEqual([['eid-create-document', ['2'], 'unknown']])
  })

  it('stays listed if a row that was done failed later, however often its list is sent again', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(2), batchId: 'b' })
    const [one, two] = await flow.rows(2)
    for (const msg of [one, two]) flow.send({ ...msg })
    await flow.report()
    fail({ ...two })
    // The row has another number now.
    flow.send({ payload: [{ number: 'C-0' }, ...people(2)], batchId: 'b' })
    await flow.answer(1)
    should((await flow.report()).payload).have.properties({ done: 3, failed: 0 })
    flow.send({ payload: people(2), batchId: 'b' })
    await flow.report()
    should(listed()).deepEqual([['eid-create-document', ['2 (C-2)'], 'not-done']])
  })

  it('is gone when the row is done, though its number has changed and its key is not shown', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    const [ola, kari, per] = ['ola', 'kari', 'per'].map((name) => ({ number: `${name}@example.com` }))
    flow.send({ payload: [ola, kari, per], batchId: 'b' })
    const [first, second, third] = await flow.rows(3)
    flow.send({ ...first })
    flow.send(fail({ ...second }))
    flow.send({ ...third })
    await flow.report()
    should(listed()).deepEqual([['eid-create-document', ['2'], 'not-done']])
    flow.send({ payload: [kari, per], batchId: 'b' })
    await flow.answer(1)
    await flow.report()
    should(listed()).be.empty()
  })

  it('is gone when the row is done in another way, unless it came later or says that something may be missing', async () => {
    flow = await startBatch({ ...byNumber, attempts: 1 })
    flow.send({ payload: people(2), batchId: 'b' })
    const [one, two] = await flow.rows(2)
    const unsaved = inputError([{ path: 'saveTo', key: 'fileNotWritableOf', params: { id: 'd-1', savedFile: 'pdf' } }])
    const [failedOne, failedTwo] = [one, two].map((msg) => ({ ...fail({ ...msg }), error: undefined }))
    fail({ ...one }, unsaved)
    fail({ ...one }, nodeError('EID_TIMEOUT', 'errors.EID_TIMEOUT', { seconds: 1 }, { outcome: 'unknown' }))
    // A Catch node has led the rows to another node.
    flow.send({ ...failedOne, documentId: 'd-1' })
    await until(() => !listErrors().some(({ code, rows }) => code === 'EID_REFUSED' && rows?.includes('1 (C-1)')))
    fail({ ...one }, nodeError('EID_NETWORK', 'errors.EID_NETWORK', { reason: 'refused' }, { outcome: 'not-done' }))
    flow.send({ ...failedTwo, documentId: 'd-2' })
    should((await flow.report()).payload).have.properties({ done: 2, failed: 0 })
    should(listErrors().map(({ code }) => code)).deepEqual(['EID_NETWORK', 'EID_TIMEOUT', 'EID_INVALID_INPUT'])
  })

  const rowsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_none, at) => ({ id: 'b', row: at + first, key: `p${at + 1}@example.com` }))
  const failAll = (count: number) => {
    for (const batch of rowsFrom(1, count)) fail({ _msgid: batch.key, batch, _batch: { node: 'n' } })
  }

  it('stays listed for more than a hundred rows, though they have other numbers when their list ends again', () => {
    failAll(101)
    settleList('n', 'b', rowsFrom(2, 101))
    // Another row is sent under one of the numbers.
    settleRows('n', 'b', [{ id: 'b', row: 101, key: 'new@example.com' }])
    should(listErrors().map(({ rows }) => rows?.length)).deepEqual([100])
    settleList('n', 'b', rowsFrom(2, 51))
    should(listErrors().map(({ rows }) => rows?.length)).deepEqual([50])
  })

  it('stays listed if its row cannot be recognized when its list ends again', () => {
    // A version before this one stored no hashes of keys.
    fail({ batch: { id: 'b', row: 3 }, _batch: { node: 'n' } })
    settleList('n', 'b', [{ id: 'b', row: 4, key: 'C-3' }])
    should(listed()).deepEqual([['eid-create-document', ['3'], 'not-done']])
  })

  it('stays listed when a row without a key is refused that has its number now, and does not name that row', async () => {
    const alerts: unknown[] = []
    stopListening = onOccurrence((one) => void (one.what === 'list' && alerts.push(one.rows)))
    alerts.splice(0)
    flow = await startBatch({ ...byNumber, attempts: 1 })
    const titled = nodeError('EID_REFUSED', 'noAddress', {}, { outcome: 'not-done', title: 'Lease, Storgata 1' })
    flow.send({ payload: [{ number: 'ola@example.com', name: 'Ola' }], batchId: 'b' })
    const [one] = await flow.rows(1)
    flow.send({ ...one })
    await flow.report()
    fail({ ...one }, titled)
    flow.send({ payload: [{ name: 'Kari' }, { number: 'ola@example.com', name: 'Ola' }], batchId: 'b' })
    should((await flow.report()).payload).have.properties({ done: 1, failed: 1 })
    await until(() => alerts.length === 1)
    should(alerts).deepEqual([['1']])
    should(listed().map(([type]) => type)).deepEqual(['eid-batch', 'eid-create-document'])
  })

  it('does not make other work wait when its long list ends', async () => {
    // Masking long keys takes long.
    const count = 4000
    const long = people(count).map(({ number }) => ({ number: number.padEnd(100, '-') }))
    flow = await startBatch({ ...byNumber, attempts: 1, parallel: String(count) })
    flow.send({ payload: long, batchId: 'b' })
    const [first, second, ...others] = await flow.rows(count)
    for (const msg of [second, ...others]) flow.send({ ...msg })
    const isBack = ({ payload }: FlowMessage) => (payload as { done: number }).done === count - 1
    while (!isBack(await flow.next(1)));
    fail({ ...second })
    const longest = await longestTurn(async () => {
      flow.send({ ...first })
      await flow.report()
    })
    should(longest).be.below(0.5)
    should(listed().map(([type]) => type)).deepEqual(['eid-create-document'])
  })

  it('is one error if the same document is in doubt again when its row is sent once more', () => {
    const msg = { externalId: 'k', batch: { id: 'b', row: 1, key: 'C-1' }, _batch: { node: 'n' } }
    const asked = { client: 'c', service: 's' }
    const call = { outcome: 'unknown', method: 'POST', path: '/signature/documents' } as const
    const doubt = () => nodeError('EID_TIMEOUT', 'errors.EID_TIMEOUT', { seconds: 1 }, call)
    recordError(node, doubt(), undefined, msg, { asked })
    settleRows('n', 'b', [msg.batch])
    should(listErrors()[0]?.list).be.undefined()
    recordError(node, doubt(), undefined, msg, { asked })
    should(listErrors().map(({ count, list, rows }) => [count, list, rows])).deepEqual([[2, 'n/b', ['1 (C-1)']]])
  })
})
