/** Pending approvals: who is waited for, their addresses, and withdrawing one in the sidebar. */
import should from 'should'
import { askNow, listPending, stopWaiting } from '../../../lib/runtime/monitor/pending'
import { createVisitor } from '../../support/approval-visitor'
import { nins, propose, startApprove } from '../../support/approve-flow'
import { removeFlow, type Flow } from '../../support/flow'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'

describe('a pending approval', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  const listed = async () => (await listPending()).items.filter(({ kind }) => kind === 'approval')
  /** Waits until the node has noted whom it has notified. */
  const first = () => until(async () => (await listed()).find(({ waitingFor }) => waitingFor.length > 0))

  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  it('names those who may approve, each with the address, and until when', async () => {
    flow = await startApprove({ service, site }, { timeout: '2', timeoutUnit: 'days' }, {})
    const pages = await propose(flow)
    const item = await first()
    should(item).have.properties({ title: 'Release the deposit of Liv', client: 'c' })
    should(item.waitingFor).deepEqual([
      { name: 'Per Hansen', url: pages.per },
      { name: 'Kari Nordmann', url: pages.kari },
    ])
    should(Date.parse(item.until ?? '') - Date.parse(item.since)).be.approximately(2 * 86_400_000, 60_000)
    should(await askNow(item.wait)).equal(true)
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', { nin: nins.per })
    await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })
    await flow.next(0)
    await until(async () => (await listed()).length === 0)
  })

  it('ends without an output when it is withdrawn, and says so on its page', async () => {
    flow = await startApprove({ service, site }, {}, {})
    const pages = await propose(flow)
    const { wait } = await first()
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', { nin: nins.per })
    should(await stopWaiting(wait)).equal(true)
    await flow.completed()
    should(await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })).deepEqual({ state: 'withdrawn' })
    should(await (await visitor.open(pages.kari ?? '')).text()).containEql('"first":"withdrawn"')
    should(await stopWaiting(wait)).equal(false)
    should(await listed()).have.length(0)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('is either approved or withdrawn when both come in the same moment', async () => {
    flow = await startApprove({ service, site }, {}, {})
    const pages = await propose(flow)
    const { wait } = await first()
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', { nin: nins.per })
    const [isWithdrawn] = await Promise.all([
      stopWaiting(wait),
      visitor.view(pages.per ?? '', 'answer', { answer: 'approve' }),
    ])
    await flow.completed()
    should(flow.waiting()).deepEqual({ out: isWithdrawn ? 0 : 1, caught: 0, completed: 0 })
  })
})
