/** "pending": the pending list, filtered as the form says, and an error if the list would be incomplete. */
import should from 'should'
import { nodeError } from '../../lib/api/errors/errors'
import { registerPending, type PendingItem } from '../../lib/runtime/monitor/pending'
import pending from '../../nodes/pending/pending'
import wait from '../../nodes/wait/wait'
import { RED } from '../support/errors'
import { removeFlow, startFlow, stopFlow, type Flow } from '../support/flow'
import { startParties, type Parties } from '../support/parties'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'

type Entry = Omit<PendingItem, 'wait'>

const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()

const item = (id: string, more: Partial<PendingItem> = {}): PendingItem => ({
  wait: `w-${id}`,
  kind: 'document',
  id,
  title: `Lease ${id}`,
  since: ago(1),
  client: 'c',
  waitingFor: [],
  node: { id: 'n1', name: 'wait for the tenant', flow: 'Leases' },
  replica: 'one',
  ...more,
})

describe('pending', () => {
  let flow: Flow
  let forget = () => {}
  const ask = async (settings: object = {}, msg: Record<string, unknown> = {}): Promise<Entry[]> => {
    await flow.redeploy(settings)
    flow.send(msg)
    return (await flow.next()).payload as Entry[]
  }
  const ids = (list: readonly Entry[]) => list.map(({ id }) => id)
  const source = (items: readonly PendingItem[]) => ({
    list: () => Promise.resolve([...items]),
    find: () => Promise.resolve(undefined),
    askNow: () => Promise.resolve(false),
    stopWaiting: () => Promise.resolve(false),
  })
  const start = async (items: readonly PendingItem[]) => {
    forget = registerPending(RED, 'test', source(items))
    const settings = { client: '' }
    flow = await startFlow({ type: 'eid-pending', module: pending, settings, client: { name: 'Our company' } })
  }
  afterEach(async () => {
    forget()
    await stopFlow()
  })

  it('takes its own error off the message, and leaves that of another node', async () => {
    await start([])
    for (const id of ['n', 'other']) flow.send({ error: { message: 'It failed.', source: { id } } })
    should((await flow.next()).error).equal(undefined)
    should((await flow.next()).error).have.property('message', 'It failed.')
  })

  it('lists pending items, the oldest first, exactly as documented', async () => {
    const person = { name: 'Kari Nordmann', url: 'https://sign.example/1', since: ago(2) }
    const whole = { until: ago(-5), nextQuestion: ago(-1), waitingFor: [person] }
    await start([item('new'), item('old', { since: ago(50), ...whole })])
    const list = await ask()
    should(ids(list)).deepEqual(['old', 'new'])
    const names = ['kind', 'id', 'title', 'since', 'until', 'nextQuestion', 'waitingFor', 'node', 'client']
    should(Object.keys(list[0] ?? {})).deepEqual(names)
    should(list[0]).match({ title: 'Lease old', node: { flow: 'Leases' }, client: 'c', ...whole })
    await until(() => flow.statuses.at(-1)?.text === '2 pending')
  })

  it('gives an empty list when nothing waits, and keeps the rest of the message', async () => {
    await start([])
    await flow.redeploy({})
    flow.send({ payload: 'x', other: 1, req: { here: true } })
    should(await flow.next()).match({ payload: [], other: 1, req: { here: true } })
    should(await flow.completed()).match({ other: 1 })
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('narrows by kind, client and age, from the form or the message', async () => {
    const all = [
      item('a', { since: ago(100) }),
      item('b', { kind: 'share', since: ago(30) }),
      item('c', { client: 'other', since: ago(20) }),
      item('d', { since: ago(0.1) }),
      item('e', { kind: 'approval', since: ago(0.1), client: 'approving' }),
    ]
    await start(all)
    should(ids(await ask({ kind: 'share' }))).deepEqual(['b'])
    should(ids(await ask({ kind: 'approval' }))).deepEqual(['e'])
    should(ids(await ask({ kind: 'kind', kindType: 'msg' }, { kind: 'deposit' }))).deepEqual([])
    should(ids(await ask({ client: 'other' }))).deepEqual(['c'])
    should(ids(await ask({ client: 'Our company' }))).deepEqual(['a', 'b', 'd'])
    should(ids(await ask({ olderThan: '1' }))).deepEqual(['a', 'b'])
    should(ids(await ask({ olderThan: 'age', olderThanType: 'msg', olderThanUnit: 'hours' }, { age: 10 }))).deepEqual([
      'a',
      'b',
      'c',
    ])
    should(ids(await ask())).have.length(5)
  })

  it('refuses an unknown kind and an invalid age, naming both at once', async () => {
    await start([item('a')])
    await flow.redeploy({ kind: 'contract', olderThan: '-1' })
    flow.send({})
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.cause).have.property('problems').with.length(2)
    should(error.message).match(
      /^Kind must be one of: document, session, share, deposit, approval\. Older than must be 0 or more/,
    )
  })

  it('is an error where a store cannot be read: a part of the list would pass for the whole', async () => {
    await start([item('a')])
    const away = { ...source([]), list: () => Promise.reject(nodeError('EID_NETWORK', 'errors.EID_NETWORK', {})) }
    const known = registerPending(RED, 'away', away)
    flow.send({ kept: true })
    const { error, kept } = await flow.caught()
    known()
    should([error.code, kept]).deepEqual(['EID_NETWORK', true])
  })

  it('lists ten thousand', async () => {
    await start(Array.from({ length: 10_000 }, (_none, index) => item(`d${index}`)))
    should(await ask()).have.length(10_000)
  })

  describe('with "wait"', () => {
    let service: Service
    let parties: Parties
    before(async () => {
      service = await startService()
      parties = await startParties(service)
    })
    after(() => service.close())
    afterEach(() => removeFlow())

    it('describes a message that waits: title, whose turn, where', async () => {
      const document = await parties.createDocument('pending-1', 2)
      flow = await startFlow({
        type: 'eid-wait',
        module: wait,
        outputs: 3,
        client: { baseUrl: service.url },
        more: [
          { id: 'p', z: 'f', type: 'eid-pending', wires: [['list']] },
          { id: 'list', z: 'f', type: 'helper' },
        ],
        modules: [pending],
        settings: { name: 'signed', store: 'memory' },
      })
      flow.send({ documentId: document.documentId })
      const [entry] = await until(async () => {
        const listed = new Promise<Entry[]>((resolve) =>
          flow.node('list').on('input', ({ payload }: { payload: unknown }) => resolve(payload as Entry[])),
        )
        flow.send({}, 'p')
        const list = await listed
        return list[0]?.title ? list : undefined
      })
      should(entry).match({
        kind: 'document',
        id: document.documentId,
        title: 'Contract pending-1',
        client: 'c',
        node: { id: 'n', name: 'signed', flow: 'test' },
      })
      should(entry?.waitingFor.map(({ url }) => url)).deepEqual(document.signers.map(({ url }) => url))
    })
  })
})
