/** "approve" over HTTP: a message is sent only when another person, proven by eID, has approved exactly this message. */
import should from 'should'
import node from '../../nodes/approve/approve'
import { createVisitor, type Visitor } from '../support/approval-visitor'
import { removeFlow, startFlow, type Flow } from '../support/flow'
import type { PublicSide } from '../support/public-site'
import type { Service } from '../support/service'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'

const person = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  email: `${id}@example.com`,
  by: 'nin',
  provider: 'no_eid',
  ...more,
})
const per = { person: '0' }
const kari = { person: '1' }
const proposer = { provider: 'no_eid', providerId: 'ola', nin: '01010000000', fullName: 'Ola Nordmann' }

describe('approve', () => {
  let service: Service
  let site: PublicSide
  const start = (settings: object = {}, more: object = {}) =>
    startFlow({
      type: 'eid-approve',
      module: node,
      modules: [site.module],
      outputs: 4,
      settings: {
        what: 'Release the deposit of {tenant}',
        whatType: 'tpl',
        detailsRows: [{ label: 'Amount', labelType: 'tpl', text: '{amount}', textType: 'tpl' }],
        approversRows: [person('per', 'Per Hansen'), person('kari', 'Kari Nordmann')],
        publicUrl: site.url,
        ...settings,
      },
      client: { baseUrl: service.url },
      ...more,
    })
  /** Sends a message, and returns the addresses of its approvers by their names. */
  const propose = async (flow: Flow, msg: object = {}, count = 2) => {
    flow.send({ payload: { tenant: 'Liv', amount: 12500 }, identity: proposer, kept: 'yes', ...msg })
    const notices = []
    while (notices.length < count) notices.push(await flow.next(3))
    return Object.fromEntries(notices.map(({ approver, url }) => [String(approver), String(url)]))
  }
  const approve = (visitor: Visitor, page: string) => visitor.view(page, 'answer', { answer: 'approve' })

  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  it('sends each approver an address, and the message on when one of them has approved', async () => {
    const flow = await start()
    const pages = await propose(flow)
    should(Object.keys(pages)).deepEqual(['Per Hansen', 'Kari Nordmann'])
    const page = pages['Per Hansen'] ?? ''
    const visitor = createVisitor()
    const before = await (await visitor.open(page)).text()
    should(before).containEql('Release the deposit of Liv').and.not.containEql('12500')
    const { state, shown } = await visitor.identifyAt(page, per)
    should(state).equal('identified')
    should(shown).have.properties({ name: 'Per Hansen', proposer: 'Ola Nordmann' })
    should(shown?.details).deepEqual([{ label: 'Amount', text: '12500' }])
    should((await approve(visitor, page)).state).equal('answered')
    const msg = await flow.next(0)
    should(msg).have.properties({ kept: 'yes' }).and.not.have.property('identity')
    const approval = msg.approval as { digest: string; by: Record<string, string>[] }
    should(approval).have.properties({ what: 'Release the deposit of Liv', digest: shown?.digest })
    should(approval.by).have.length(1)
    should(approval.by[0]).have.properties({ name: 'Per Hansen', provider: 'no_eid' })
    await flow.completed()
    should(await visitor.view(page, 'state')).have.property('state', 'approved')
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
    const records = (await service.requests()).map((one) => JSON.stringify(one.body ?? {})).join('\n')
    should(records).not.containEql(proposer.nin)
    await until(() => flow.statuses.find(({ text }) => text === 'approved'))
  })

  it('sends the message to the second output when a listed person rejects it', async () => {
    const flow = await start()
    const page = (await propose(flow))['Kari Nordmann'] ?? ''
    const visitor = createVisitor()
    await visitor.identifyAt(page, kari)
    await visitor.view(page, 'answer', { answer: 'reject', reason: 'wrong amount' })
    const msg = await flow.next(1)
    should(msg.approval).have.propertyByPath('rejected', 'reason').equal('wrong amount')
    should(msg.approval).have.propertyByPath('rejected', 'name').equal('Kari Nordmann')
    should(await visitor.view(page, 'state')).have.property('state', 'rejected')
  })
})
