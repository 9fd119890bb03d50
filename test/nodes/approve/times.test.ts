/** "approve" and time: the time limit, reminders, a clock that is set, and a restart. */
import should from 'should'
import { createVisitor } from '../../support/approval-visitor'
import { nins, propose, startApprove } from '../../support/approve-flow'
import { inMemory, removeFlow, type Flow } from '../../support/flow'
import type { PublicSide } from '../../support/public-site'
import { startPublicSide } from '../../support/public-site'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'
import { listAll } from '../../../lib/store/list-all'

const hour = 3_600_000
const per = { nin: nins.per }
/** A time limit of half a second, in minutes. */
const short = { timeout: String(0.5 / 60), timeoutUnit: 'minutes' }

describe('approve and time', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  let restarts = 0
  const wall = Date.now
  const start = async (settings: object = {}) => (flow = await startApprove({ service, site }, settings, {}))
  /** Restarts the node: a deploy restarts only nodes that have changed. */
  const restart = (settings: object = {}) => flow.redeploy({ ...settings, name: `restart ${++restarts}` })
  const stateAt =
    (page = '') =>
    async () =>
      (await createVisitor().view(page, 'state')).state

  // A new service for each test, because a token from before a change of the clock would be invalid after it.
  beforeEach(async () => {
    service = await startService()
    site = await startPublicSide()
  })
  afterEach(async () => {
    Date.now = wall
    await removeFlow()
    await site.close()
    await service.close()
  })

  it('sends a message to the third output when no one has answered in time', async () => {
    const pages = await propose(await start(short))
    const { approval, kept } = await flow.next(2)
    should(kept).equal('yes')
    should(approval).have.properties({ by: [], what: 'Release the deposit of Liv' })
    await flow.completed()
    should(await stateAt(pages.per)()).equal('expired')
    should(await createVisitor().view(pages.per ?? '', 'start')).deepEqual({ state: 'expired' })
  })

  it('counts an identification that began before the time limit, and begins none afterwards', async () => {
    const pages = await propose(await start(short))
    const early = createVisitor()
    const late = createVisitor()
    const session = await early.begin(pages.per ?? '')
    await until(async () => (await stateAt(pages.kari)()) === 'late')
    should(await late.view(pages.kari ?? '', 'start')).deepEqual({ state: 'late' })
    await early.identify(session, per)
    await until(async () => (await early.view(pages.per ?? '', 'state')).state === 'identified')
    await early.view(pages.per ?? '', 'answer', { answer: 'approve' })
    should((await flow.next(0)).approval)
      .have.propertyByPath('by', '0', 'name')
      .equal('Per Hansen')
    await flow.completed()
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  for (const [way, shift] of [
    ['an hour forward', hour],
    ['an hour back', -hour],
  ] as const) {
    it(`keeps a limit of ten minutes when the clock is set ${way}`, async () => {
      const pages = await propose(await start({ timeout: '10', timeoutUnit: 'minutes' }))
      Date.now = () => wall() + shift
      await flow.redeploy({ timeout: '10', timeoutUnit: 'minutes' })
      should(await stateAt(pages.per)()).equal('start')
      const visitor = createVisitor()
      should((await visitor.identifyAt(pages.per ?? '', per)).state).equal('identified')
      await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })
      should((await flow.next(0)).approval)
        .have.propertyByPath('by', 'length')
        .equal(1)
      should(flow.waitingAt(2)).equal(0)
    })
  }

  it('waits for longer than a month, and then counts an answer', async () => {
    const pages = await propose(await start())
    Date.now = () => wall() + 40 * 24 * hour
    await restart()
    await until(async () => (await stateAt(pages.per)()) === 'start')
    const visitor = createVisitor()
    should((await visitor.identifyAt(pages.per ?? '', per)).state).equal('identified')
    await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })
    should((await flow.next(0)).approval)
      .have.propertyByPath('by', '0', 'name')
      .equal('Per Hansen')
  })

  it('sends each reminder once to those who have not answered, across deploys', async () => {
    const settings = { remindAfter: '1, 2', remindAt: '00:00', required: '2' }
    const pages = await propose(await start(settings))
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })
    const days = async (count: number) => {
      const day = new Date(wall())
      day.setDate(day.getDate() + count)
      day.setHours(1, 0, 0, 0)
      Date.now = () => day.getTime()
      await restart(settings)
      const { approver, reminder, url, topic } = await flow.next(3)
      should(String(topic)).equal('Reminder, please approve: Release the deposit of Liv')
      return { approver, reminder, isSame: url === pages.kari }
    }
    should(await days(1)).deepEqual({ approver: 'Kari Nordmann', reminder: 1, isSame: true })
    await restart(settings)
    should(await days(2)).deepEqual({ approver: 'Kari Nordmann', reminder: 2, isSame: true })
    should(flow.waitingAt(3)).equal(0)
  })

  it('counts an answer that was stored just before Node-RED was stopped', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    // Everything but the answer's last step: the approval is not made due.
    const notes = inMemory('n', 'approvalnotes')
    const attempt = (await listAll(notes)).find(({ id }) => id.startsWith('session/'))
    const { body } = (await notes.get(attempt?.id ?? '')) ?? {}
    const { approval, sessionId, who } = body as { approval: string; sessionId: string; who: { marks: object } }
    const vote = {
      answer: 'approve',
      row: 'per',
      name: 'Per Hansen',
      at: 'now',
      provider: 'no_eid',
      sessionId,
      reason: '',
    }
    await notes.add(`answer/${approval}/per`, { body: { ...vote, marks: who.marks } })
    await restart()
    should((await flow.next(0)).approval)
      .have.propertyByPath('by', '0', 'name')
      .equal('Per Hansen')
  })

  it('answers 503 while it is disabled, and continues when it is enabled', async () => {
    const pages = await propose(await start())
    // The flow of the test watches its node, which is gone now.
    await should(flow.redeploy({ d: true })).be.rejectedWith('no node n')
    should((await fetch(pages.per ?? '')).status).equal(503)
    await flow.redeploy({})
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })
    should(await flow.next(0)).have.property('kept', 'yes')
  })
})
