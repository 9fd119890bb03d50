/**
 * "alerts" against the sandbox: what needs a person is reported once, also across restarts, with the text of an e-mail.
 */
import should from 'should'
import alerts from '../../nodes/alerts/alerts'
import deposit from '../../nodes/deposit-cancel/deposit-cancel'
import batch from '../../nodes/batch/batch'
import wait from '../../nodes/wait/wait'
import { registerEnded, type EndedItem } from '../../lib/runtime/monitor/ended'
import { registerPending, type PendingItem } from '../../lib/runtime/monitor/pending'
import { reportOccurrence } from '../../lib/runtime/monitor/occurrences'
import { translateInto } from '../../lib/runtime/node-red/texts'
import { RED } from '../support/errors'
import { removeFlow, startFlow, type Flow, type FlowOptions } from '../support/flow'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import type { FlowMessage } from '../support/node-types'
import { saying, sentence } from '../support/wording'

describe('alerts', () => {
  let service: Service
  const undo: (() => void)[] = []
  const start = (settings: object = {}, more: Partial<FlowOptions> = {}) =>
    startFlow({
      type: 'eid-alerts',
      module: alerts,
      modules: [wait, batch, deposit],
      settings: { client: '', ...settings },
      client: { baseUrl: service.url },
      ...more,
    })
  const node = { id: 'w', name: 'wait for the tenant', flow: 'Leases' }
  let number = 0
  /** Waits until it is stored that the alert was sent; otherwise, a flow that is stopped would send it again. */
  const isKept = (flow: Flow) => until(() => flow.statuses.some(({ fill }) => fill === 'green'))
  const ended = (changes: Partial<EndedItem> = {}): EndedItem => ({
    wait: `w-${++number}`,
    what: 'document',
    kind: 'document',
    id: `doc-${number}`,
    title: 'Lease, Storgata 12',
    who: [
      { name: 'Ola Nordmann', done: true },
      { name: 'Kari Nordmann', done: false },
    ],
    since: '2026-11-01T08:00:00.000Z',
    when: new Date().toISOString(),
    outcome: 'expired',
    node,
    client: 'c',
    ...changes,
  })
  const show = (items: EndedItem[]) => undo.push(registerEnded(RED, 'w', { list: () => Promise.resolve(items) }))
  const pending = (changes: Partial<PendingItem> = {}): PendingItem => ({
    wait: `p-${++number}`,
    kind: 'document',
    id: `doc-${number}`,
    title: 'Lease, Storgata 14',
    since: new Date().toISOString(),
    waitingFor: [{ name: 'Kari Nordmann' }],
    node,
    client: 'c',
    ...changes,
  })
  const showPending = (items: PendingItem[]) =>
    undo.push(
      registerPending(RED, 'w', {
        list: () => Promise.resolve(items),
        find: () => Promise.resolve(undefined),
        askNow: () => Promise.resolve(false),
        stopWaiting: () => Promise.resolve(false),
      }),
    )
  const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(async () => {
    for (const one of undo.splice(0)) one()
    await removeFlow()
  })

  it('says that a document expired, ready to be sent as an e-mail', async () => {
    show([ended({ id: 'doc-x', when: later(1000) })])
    const flow = await start()
    const msg = await flow.next()
    should(msg).have.properties({ topic: 'expired', subject: 'Expired: Lease, Storgata 12' })
    should(msg.payload).containDeep({
      kind: 'expired',
      title: 'Lease, Storgata 12',
      who: ['Kari Nordmann'],
      documentId: 'doc-x',
      node,
      client: 'c',
    })
    should(msg.text).match(saying('alerts', 'sentences.expired', { title: 'Lease, Storgata 12' }))
    should(msg.text).endWith(
      `\n\n${sentence('alerts', 'todo.expired')}\n\nFor: Kari Nordmann\nDocument id: doc-x\nNode: wait for the tenant, Leases`,
    )
    should(msg).not.have.property('redelivered')
  })

  it('says of an expired share that it was not downloaded, and counts in its status what it has sent', async () => {
    show([ended({ when: later(1000), kind: 'share' }), ended({ when: later(1000) })])
    const flow = await start()
    const texts = [String((await flow.next()).text), String((await flow.next()).text)]
    for (const key of ['expiredShare', 'expired']) {
      should(texts.filter((text) => saying('alerts', `sentences.${key}`).test(text))).have.length(1)
    }
    await until(() => flow.statuses.at(-1)?.text === '2 sent')
  })

  it('says each thing once, after a deploy as well', async () => {
    const items = [ended({ when: later(1000), outcome: 'canceled', reason: 'moved out' })]
    show(items)
    const flow = await start()
    const first = await flow.next()
    should(first).have.property('topic', 'canceled')
    should(first.payload).have.property('reason', 'moved out')
    should(first.text).match(/\nReason: moved out\n/)
    await isKept(flow)
    await flow.redeploy({ name: 'again' })
    items.push(ended({ when: later(1000), outcome: 'canceled', title: 'Lease, Storgata 16' }))
    should(((await flow.next()).payload as FlowMessage).title).equal('Lease, Storgata 16')
    should(flow.waiting().out).equal(0)
  })

  it('sends at once what was collected for a digest when it sends at once from now on', async () => {
    let looks = 0
    const items = [ended({ when: later(1000) }), ended({ when: later(1000), title: 'Lease, Storgata 16' })]
    undo.push(registerEnded(RED, 'w', { list: () => (looks++, Promise.resolve(items)) }))
    const at = `${(new Date().getHours() + 12) % 24}:00`
    const flow = await start({ digest: 'daily', at })
    // Before the node closes, it finishes its first look and stores what it found.
    await until(() => looks > 0)
    await flow.redeploy({ digest: 'now' })
    should(await flow.next()).have.properties({ topic: 'digest', subject: '2 things need attention' })
    should(flow.waiting().out).equal(0)
  })

  it('leaves out waits that ended before it was deployed, and identifications', async () => {
    show([
      ended({ when: '2026-11-02T08:00:00.000Z' }),
      ended({ when: later(1000), kind: 'session', outcome: 'expired' }),
      ended({ when: later(1000), title: 'the only one' }),
    ])
    const flow = await start()
    should(((await flow.next()).payload as FlowMessage).title).equal('the only one')
    should(flow.waiting().out).equal(0)
  })

  it('says what is overdue, and who left without signing', async () => {
    const left = pending({ waitingFor: [{ name: 'Ola Nordmann', last: { what: 'left', at: later(1000) } }] })
    showPending([pending({ since: later(-9 * 86_400_000) }), left, pending()])
    const flow = await start({ language: 'nb' })
    const overdue = await flow.next()
    const gone = await flow.next()
    should(overdue).have.properties({ topic: 'overdue', subject: 'Ventet for lenge: Lease, Storgata 14' })
    should(gone).have.property('topic', 'left-without-signing')
    should(gone.text).match(
      saying('alerts', 'sentences.leftNamed', { name: 'Ola Nordmann', title: 'Lease, Storgata 14' }, 'nb'),
    )
    should(flow.waiting().out).equal(0)
  })

  it('says that an approval is overdue, and who has not answered', async () => {
    showPending([pending({ kind: 'approval', since: later(-9 * 86_400_000), waitingFor: [{ name: 'Per Hansen' }] })])
    const flow = await start()
    const msg = await flow.next()
    should(msg).have.properties({ topic: 'approval-overdue', subject: 'Approval overdue: Lease, Storgata 14' })
    should(msg.text)
      .match(/has been waiting for approval since/)
      .and.match(/Per Hansen/)
    should(msg.payload).not.have.property('approvalId')
  })

  it('says once that a document is overdue when two messages wait for it', async () => {
    const since = later(-9 * 86_400_000)
    showPending([pending({ since, id: 'same' }), pending({ since, id: 'same' }), pending({ since, title: 'the last' })])
    const flow = await start()
    should(((await flow.next()).payload as FlowMessage).title).equal('Lease, Storgata 14')
    should(((await flow.next()).payload as FlowMessage).title).equal('the last')
    should(flow.waiting().out).equal(0)
  })

  it('says that a document was deleted at the service', async () => {
    show([ended({ outcome: 'deleted', when: later(1000) })])
    const flow = await start()
    const msg = await flow.next()
    should(msg).have.property('topic', 'canceled')
    should(msg.text).match(saying('alerts', 'sentences.deleted', { title: 'Lease, Storgata 12' }))
  })

  it('says what failed when no Catch node handled it', async () => {
    const cancel = { id: 'd', z: 'f', type: 'eid-deposit-cancel', name: 'cancel', client: 'c', wires: [[]] }
    const own = { ...cancel, id: 'e', z: 'g', name: 'uncaught' }
    const flow = await start({}, { more: [{ id: 'g', type: 'tab', label: 'Deposits' }, cancel, own] })
    flow.send({ depositId: 'no-such' }, 'd')
    await flow.caught()
    flow.send({ depositId: 'no-such' }, 'e')
    const msg = await flow.next()
    should(msg).have.property('topic', 'failed')
    should(msg.payload).containDeep({ code: 'EID_NOT_FOUND', node: { id: 'e', name: 'uncaught', flow: 'Deposits' } })
    should(flow.waiting().out).equal(0)
  })

  it('says in its own language what failed', async () => {
    const own = { id: 'e', z: 'g', type: 'eid-deposit-cancel', name: 'uncaught', client: 'c', wires: [[]] }
    const flow = await start({ language: 'nb' }, { more: [{ id: 'g', type: 'tab', label: 'Deposits' }, own] })
    flow.send({ depositId: 'no-such' }, 'e')
    const { sentence } = (await flow.next()).payload as FlowMessage
    should(translateInto('nb', 'alerts')?.('digest.subject', { count: 1 })).equal('1 ting krever oppmerksomhet')
    should(sentence)
      .match(/finnes ikke/)
      .and.not.match(/does not exist|Nothing was/)
  })

  it('reports errors that a Catch node handled if chosen, and the same error once a day', async () => {
    const cancel = { id: 'd', z: 'f', type: 'eid-deposit-cancel', client: 'c', wires: [[]] }
    const flow = await start({ kinds: 'failed,failed-caught' }, { more: [cancel] })
    for (const depositId of ['one', 'one', 'two']) flow.send({ depositId }, 'd')
    const said = [await flow.next(), await flow.next()].map(({ payload }) => String((payload as FlowMessage).sentence))
    should(said.filter((one) => one.includes('Deposit one'))).have.length(1)
    should(flow.waiting().out).equal(0)
  })

  it('says that a list has finished with failures', async () => {
    const list = { id: 'b', z: 'f', type: 'eid-batch', attempts: 1, wires: [['d'], []] }
    const flow = await start({}, { more: [list] })
    const rows = ['3 (A-3): Lease, Storgata 12', '5 (A-5)']
    for (const list of [1, 2].map(() => ({ id: 'leases', started: 1, total: 9, done: 7, failed: 2, rows })))
      reportOccurrence(RED, { what: 'list', node: 'b', ...list })
    const msg = await flow.next()
    should(msg).have.property('topic', 'list-finished-with-failures')
    should(msg.payload).containDeep({ batchId: 'leases', total: 9, done: 7, failed: 2 })
    should(msg.text).match(/7 of 9 rows done, 2 failed/)
    should(flow.waiting().out).equal(0)
  })

  it('says that a document is about to be deleted unless it was saved', async () => {
    const flow = await start()
    reportOccurrence(RED, { what: 'saved', documentId: 'doc-saved' })
    for (const documentId of ['doc-saved', 'doc-lost'])
      reportOccurrence(RED, { what: 'deletion', client: 'c', documentId, title: documentId })
    const msg = await flow.next()
    should(msg).have.property('topic', 'not-archived-before-deletion')
    should(msg.payload).have.property('documentId', 'doc-lost')
    should(flow.waiting().out).equal(0)
  })

  it('says it the day before the service deletes it, as long as that document is kept', async () => {
    const day = 86_400_000
    const signed = (title: string, ago: number, keptHours?: number) =>
      ended({ title, when: later(-ago * day), outcome: 'signed', ...(keptHours && { keptHours }) })
    const week = [signed('day 5', 5), signed('day 6', 6.5), signed('long ago', 20)]
    show([...week, signed('two days', 1.5, 48), signed('a month', 6.5, 744), signed('a month, last day', 30.5, 744)])
    const flow = await start()
    const said = [await flow.next(), await flow.next(), await flow.next()]
    should(said.map(({ payload }) => (payload as FlowMessage).title).sort()).deepEqual([
      'a month, last day',
      'day 6',
      'two days',
    ])
    should(flow.waiting().out).equal(0)
  })

  it('says once that the service rejects the credentials, after a deploy as well', async () => {
    const cancel = { id: 'd', z: 'f', type: 'eid-deposit-cancel', client: 'c', wires: [[]] }
    const credentials = { clientId: 'sandbox', clientSecret: 'nope' }
    const flow = await start({ kinds: 'credentials-rejected' }, { more: [cancel], credentials })
    const fails = async () => {
      flow.send({ depositId: 'no-such' }, 'd')
      return (await flow.caught()).error.code
    }
    should(await fails()).equal('EID_CREDENTIALS')
    const msg = await flow.next()
    should(msg).have.property('topic', 'credentials-rejected')
    should(msg.payload).containDeep({ client: 'c', title: 'c' })
    should(msg.text).match(saying('alerts', 'sentences.rejected', { title: 'c' }))
    should(msg.text).containEql(sentence('alerts', 'todo.credentials-rejected'))
    await isKept(flow)
    await fails()
    await flow.redeploy({ name: 'again' })
    await fails()
    should(flow.waiting().out).equal(0)
  })

  it('narrows to kinds and to a client', async () => {
    show([
      ended({ when: later(1000), outcome: 'canceled' }),
      ended({ when: later(1000), client: 'other' }),
      ended({ when: later(1000), title: 'wanted' }),
    ])
    const flow = await start({ client: 'c', kinds: 'expired' })
    should(((await flow.next()).payload as FlowMessage).title).equal('wanted')
    should(flow.waiting().out).equal(0)
  })

  it('refuses kinds and times that do not exist', async () => {
    const flow = await start({ kinds: 'expired,late', digest: 'daily', at: '25:00' })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message)
      .match(/late is not a kind/)
      .and.match(/time of day/)
  })
})
