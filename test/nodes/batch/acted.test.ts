/** Each call for a row is recorded before it is made, so that no kill leads to a second one. */
import should from 'should'
import { configError } from '../../../lib/api/errors/errors'
import { keepActed, ownRows } from '../../../lib/runtime/monitor/row-owners'
import type { HostOwner } from '../../../lib/runtime/node-red/host'
import { markOfKey } from '../../../lib/runtime/monitor/pending'
import { callsFor, noteCall, noteMade } from '../../../lib/runtime/monitor/row-calls'
import shareCreate from '../../../nodes/share-create/share-create'
import { applyCommand, sendCommand } from '../../../nodes/batch/cluster/mailbox'
import { byNumber, people, startBatch, payslips } from '../../support/batch-flow'
import { RED as running } from '../../support/errors'
import { removeFlow } from '../../support/flow'
import { done, memory, openKept, take } from '../../support/kept-batches'
import type { FlowMessage } from '../../support/node-types'
import { startService } from '../../support/service'
import { untilCount } from '../../support/time'

const nodeId = 'acting'
const row = { node: nodeId, batch: 'b', key: 'key-0' }
const share = { call: 'POST /share/', subject: () => '', isKeyed: false }

describe('what was done for a row', () => {
  const { open, stop } = openKept()
  let RED: HostOwner
  beforeEach(() => (RED = {}))
  let stopKeeping = () => undefined as unknown
  afterEach(async () => {
    stopKeeping()
    await stop()
    await removeFlow()
  })

  type Opened = Awaited<ReturnType<typeof open>>
  /** Makes a call for the row of this message, in the same way as our nodes. */
  const act = async ({ batches }: Opened, msg: FlowMessage, ids: object) => {
    stopKeeping = ownRows(RED, nodeId, { acted: (acted, calls) => batches.acted(acted, calls) })
    const call = noteCall(RED, msg, share)
    if (!call) throw new Error('no row')
    await keepActed(RED, msg)
    call.outcome = 'done'
    noteMade(RED, msg, [call], { ...ids })
    await keepActed(RED, msg)
  }
  /** Stops the batch and its Node-RED: another one begins. */
  const kill = async ({ batches }: Opened) => {
    await batches.stop()
    RED = {}
  }

  it('is known after a kill, with its ids', async () => {
    const store = memory()
    const first = await open(store, { RED, nodeId })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await act(first, { ...first.sent[0] }, { shareId: 's-1' })
    await kill(first)
    const next = await open(store, { RED, nodeId })
    await untilCount(() => next.reports.length, 1)
    should(next.sent).be.empty()
    should(next.reports[0]?.[0]).have.property('phase', 'look first')
    should(next.reports[0]?.[0]?.result).have.properties({ shareId: 's-1', outcome: 'unknown' })
    should(next.reports[0]?.[0]?.result?.problem).startWith('rows.lostMade')
  })

  it('names the own document of the row as well, which alone would be no reason against sending it again', async () => {
    const store = memory()
    const first = await open(store, { RED, nodeId })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    const msg = { ...first.sent[0] }
    const own = noteCall(RED, msg, { call: 'POST /documents', subject: () => String(msg.externalId), isKeyed: true })
    if (own) Object.assign(own, { outcome: 'done', made: { documentId: 'd-1' } })
    await act(first, msg, { shareId: 's-1' })
    await kill(first)
    const next = await open(store, { RED, nodeId })
    await untilCount(() => next.reports.length, 1)
    should(next.reports[0]?.[0]?.result).have.properties({ shareId: 's-1', documentId: 'd-1' })
  })

  it('is known after a deploy of everything, which stops the node that holds the row', async () => {
    const store = memory()
    const first = await open(store, { RED, nodeId })
    await take(first.batches, 2)
    await untilCount(() => first.sent.length, 2)
    await act(first, { ...first.sent[0] }, { shareId: 's-1' })
    await first.batches.stop()
    const next = await open(store, { nodeId, graceMs: 1 })
    // No call was made for the other row, so it is sent again.
    await untilCount(() => next.sent.length, 1)
    should(next.sent[0]).have.properties({ payload: 1, redelivered: true })
    await next.batches.end({ id: 'b', key: 'key-1' }, done)
    await untilCount(() => next.reports.length, 1)
    should(next.reports[0]?.map(({ phase }) => phase)).deepEqual(['look first', 'done'])
    should(next.reports[0]?.[0]?.result?.problem).startWith('rows.lostMade')
    await kill(next)
  })

  it('is known after a second kill, when the row was kept by a wait over the first one', async () => {
    const store = memory()
    const waitingRows = () => Promise.resolve([{ mark: markOfKey('key-0'), sent: 1 }])
    const first = await open(store, { RED, nodeId })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await kill(first)
    const second = await open(store, { RED, nodeId, waitingRows })
    // The wait passes the row on, and the next node drops everything but the key.
    await act(second, { externalId: first.sent[0]?.externalId }, { shareId: 's-2' })
    await kill(second)
    const third = await open(store, { RED, nodeId })
    await untilCount(() => third.reports.length, 1)
    should([...second.sent, ...third.sent]).be.empty()
    should(third.reports[0]?.[0]?.result).have.property('shareId', 's-2')
  })

  it('is no hindrance when the call did nothing: the row is sent again', async () => {
    const store = memory()
    const first = await open(store, { RED, nodeId })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    const msg = { ...first.sent[0] }
    stopKeeping = ownRows(RED, nodeId, { acted: (acted, calls) => first.batches.acted(acted, calls) })
    const call = noteCall(RED, msg, share)
    await keepActed(RED, msg)
    if (call) call.outcome = 'not-done'
    await keepActed(RED, msg)
    await kill(first)
    const next = await open(store, { RED, nodeId })
    await untilCount(() => next.sent.length, 1)
    should(next.sent[0]).have.property('redelivered', true)
    await next.batches.end({ id: 'b', key: 'key-0' }, done)
    await untilCount(() => next.reports.length, 1)
    should(next.reports[0]?.[0]).have.property('phase', 'done')
  })

  it('by another Node-RED of a shared list is known to the one that leads it, and not of a list that was reset', async () => {
    const store = memory()
    const post = memory()
    const first = await open(store, { RED, nodeId })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    const msg = { ...first.sent[0] } as FlowMessage & { _batch: { run: string } }
    RED = {}
    stopKeeping = ownRows(RED, nodeId, {
      acted: (acted, calls) => sendCommand(post, { what: 'acted', row: acted, calls }),
    })
    noteCall(RED, msg, share)
    await keepActed(RED, msg)
    msg._batch = { ...msg._batch, run: 'before the reset' }
    noteCall(RED, msg, { ...share, call: 'POST /deposit/' })
    await keepActed(RED, msg)
    should(callsFor(RED, row)).be.empty()
    for (const letter of await post.claim(2)) await applyCommand(letter, first.batches)
    await kill(first)
    const next = await open(store, { RED, nodeId })
    await untilCount(() => next.reports.length, 1)
    should(next.sent).be.empty()
    should(next.reports[0]?.[0]?.result?.problem).startWith('rows.lostMayHaveMade')
    const [state] = (await store.list()).filter(({ id }) => id.startsWith('state/'))
    should(JSON.stringify((await store.get(state?.id ?? ''))?.body)).not.containEql('/deposit/')
  })

  it('is not done at all when it cannot be written down', async () => {
    const service = await startService()
    const flow = await startBatch(
      { ...byNumber, wires: [['make'], ['out1']], attempts: 1 },
      {
        modules: [shareCreate],
        client: { baseUrl: service.url },
        more: [
          {
            id: 'make',
            z: 'f',
            type: 'eid-share-create',
            client: 'c',
            wires: [['n']],
            ...payslips,
          },
        ],
      },
    )
    const unwritten = configError('storeUnwritten', { reason: 'ENOSPC' })
    stopKeeping = ownRows(running, 'n', { acted: () => Promise.reject(unwritten) })
    flow.send({ payload: people(1), batchId: 'a' })
    flow.send(await flow.caught())
    const { rows } = (await flow.report()).payload
    should(rows[0]).have.properties({ state: 'failed', outcome: 'not-done', code: 'EID_CONFIG' })
    should(
      (await service.requests()).filter(({ method, path }) => method === 'POST' && path.includes('share')),
    ).be.empty()
    await service.close()
  })
})
