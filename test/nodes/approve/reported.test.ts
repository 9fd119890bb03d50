/** What people have reported about approvals in other programs, played against "approve". */
import should from 'should'
import { createVisitor } from '../../support/approval-visitor'
import { approverRow, nins, propose, startApprove } from '../../support/approve-flow'
import { removeFlow, type Flow } from '../../support/flow'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'

describe('an approval', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  it('is not decided or used up by a mail scanner that opens every address it finds', async () => {
    flow = await startApprove({ service, site }, {}, {})
    const { per = '' } = await propose(flow)
    const places = [
      '',
      '/start',
      '/state',
      '/answer',
      '/answer?answer=approve',
      '/approve',
      '/confirm',
      '/back/x',
      '/?answer=approve',
    ]
    for (const place of places)
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'])
        should((await fetch(per + place, { method, redirect: 'manual' })).status).not.equal(500)
    const form = { method: 'POST', body: new URLSearchParams({ answer: 'approve' }) }
    should((await fetch(`${per}/answer`, form)).status).equal(403)
    should(await service.requests('createSession')).have.length(0)
    // The person comes afterwards, and need not wait a minute.
    const visitor = createVisitor()
    should((await visitor.identifyAt(per, { nin: nins.per })).state).equal('identified')
    await visitor.view(per, 'answer', { answer: 'approve' })
    should((await flow.next(0)).approval)
      .have.propertyByPath('by', 'length')
      .equal(1)
  })

  it('is not skipped when a second one follows: it says that it does not know who proposes', async () => {
    const second = { what: 'Second', approversRows: [approverRow('kari', 'Kari Nordmann')], publicUrl: site.url }
    flow = await startApprove({ service, site }, { wires: [['two'], [], [], ['out3']] }, false, {
      more: [
        { ...second, id: 'two', z: 'f', type: 'eid-approve', client: 'c', path: '/two', wires: [['out0'], [], [], []] },
      ],
    })
    const { per = '' } = await propose(flow)
    const visitor = createVisitor()
    await visitor.identifyAt(per, { person: '0' })
    await visitor.view(per, 'answer', { answer: 'approve' })
    const { error } = await flow.caught()
    should(error).have.property('code', 'EID_INVALID_INPUT')
    should(error.message).match(/does not say who proposes/)
    should(flow.waiting().out).equal(0)
  })
})
