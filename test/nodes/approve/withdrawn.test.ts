/** Pending approvals: who is waited for, their addresses, withdrawing one, and how they are listed when they have ended. */
import should from 'should'
import { listEnded } from '../../../lib/runtime/monitor/ended'
import { askNow, listPending, stopWaiting } from '../../../lib/runtime/monitor/pending'
import { actionsFor } from '../../../lib/runtime/people/waits'
import { createVisitor } from '../../support/approval-visitor'
import { nins, propose, startApprove } from '../../support/approve-flow'
import { RED } from '../../support/errors'
import { removeFlow, type Flow } from '../../support/flow'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'

describe('a pending approval', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  const listed = async () => (await listPending(RED)).items.filter(({ kind }) => kind === 'approval')
  /** Waits until the node has noted whom it has notified. */
  const first = () => until(async () => (await listed()).find(({ waitingFor }) => waitingFor.length > 0))

  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  it('names those who may approve, each with the address, and until when', async () => {
    flow = await startApprove({ service, site }, { timeout: '2', timeoutUnit: 'days' }, {})
    const pages = await propose(flow)
    const item = await first()
    should(item).have.properties({ title: 'Release the deposit of Liv', client: 'c' })
    // There is nothing to check at the service.
    should(item).not.have.property('nextQuestion')
    should(actionsFor(item)).deepEqual(['link', 'withdraw'])
    should(item.waitingFor).deepEqual([
      { name: 'Per Hansen', url: pages.per },
      { name: 'Kari Nordmann', url: pages.kari },
    ])
    should(Date.parse(item.until ?? '') - Date.parse(item.since)).be.approximately(2 * 86_400_000, 60_000)
    should(await askNow(RED, item.wait)).equal(true)
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', { nin: nins.per })
    await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })
    await flow.next(0)
    await until(async () => (await listed()).length === 0)
  })

  for (const [by, line] of [
    ['kari', 'kari has withdrawn the approval'],
    ['', 'was withdrawn'],
  ] as const)
    it(`ends without an output when ${by || 'a person without a login'} withdraws it, which its page and the log say`, async () => {
      flow = await startApprove({ service, site }, {}, {})
      const lines: string[] = []
      flow.node().on('call:log', (call: { args: unknown[] }) => void lines.push(String(call.args[0])))
      const pages = await propose(flow)
      const { wait } = await first()
      const visitor = createVisitor()
      await visitor.identifyAt(pages.per ?? '', { nin: nins.per })
      should(await stopWaiting(RED, wait, by)).equal(true)
      await flow.completed()
      should(await visitor.view(pages.per ?? '', 'answer', { answer: 'approve' })).deepEqual({ state: 'withdrawn' })
      should(await (await visitor.open(pages.kari ?? '')).text()).containEql('"first":"withdrawn"')
      should(await stopWaiting(RED, wait, by)).equal(false)
      should(await listed()).have.length(0)
      should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
      should(lines.filter((one) => one.includes('withdrawn'))).have.length(1)
      should(lines.join('\n')).containEql(line)
      const { items } = await listEnded(RED)
      should(items).match([{ kind: 'approval', outcome: 'withdrawn', who: [], title: 'Release the deposit of Liv' }])
      should(items[0]?.reason ?? '').equal(by)
    })

  for (const [answer, outcome, who, reason] of [
    ['approve', 'approved', [{ name: 'Per Hansen', done: true }], undefined],
    ['reject', 'rejected', [], 'Per Hansen: wrong amount'],
  ] as const)
    it(`is under Done when it is ${outcome}, also after a restart`, async () => {
      flow = await startApprove({ service, site }, {}, {})
      const pages = await propose(flow)
      const visitor = createVisitor()
      await visitor.identifyAt(pages.per ?? '', { nin: nins.per })
      await visitor.view(pages.per ?? '', 'answer', { answer, reason: 'wrong amount' })
      await flow.completed()
      await flow.redeploy({ name: 'again' })
      const items = await until(async () => {
        const found = await listEnded(RED)
        return found.items.length > 0 && found.items
      })
      should(items).have.length(1)
      should(items[0]).containDeep({ kind: 'approval', what: 'approval', outcome, who, node: { id: 'n' }, client: 'c' })
      should(items[0]?.reason).equal(reason)
    })

  it('is either approved or withdrawn when both come in the same moment', async () => {
    flow = await startApprove({ service, site }, {}, {})
    const pages = await propose(flow)
    const { wait } = await first()
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', { nin: nins.per })
    const [isWithdrawn] = await Promise.all([
      stopWaiting(RED, wait),
      visitor.view(pages.per ?? '', 'answer', { answer: 'approve' }),
    ])
    await flow.completed()
    should(flow.waiting()).deepEqual({ out: isWithdrawn ? 0 : 1, caught: 0, completed: 0 })
  })
})
