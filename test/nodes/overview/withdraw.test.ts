/** A person who may act on the page of "overview" withdraws an approval there. */
import should from 'should'
import approve from '../../../nodes/approve/approve'
import node from '../../../nodes/overview/overview'
import { queryHeader, type OverviewView, type PressAnswer } from '../../../nodes/overview/view'
import { approverRow, ola } from '../../support/approve-flow'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { kari, overviewUsers } from '../../support/overview-users'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'

describe('an approval on the page of overview', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  let lines: string[]
  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  const start = async (mayAct: boolean) => {
    const people = [approverRow('per', 'Per Hansen'), approverRow('kari', 'Kari Nordmann')]
    const settings = { what: 'Release the deposit', approversRows: people, publicUrl: site.url }
    flow = await startFlow({
      type: 'eid-overview',
      module: node,
      modules: [site.module, approve],
      settings: { client: '', mayAct },
      secrets: { users: overviewUsers },
      client: { baseUrl: service.url },
      more: [{ id: 'a', z: 'f', type: 'eid-approve', client: 'c', ...settings, wires: [['out0'], [], [], []] }],
    })
    lines = []
    flow.node('a').on('call:log', (call: { args: unknown[] }) => void lines.push(String(call.args[0])))
    flow.send({ payload: 1, identity: ola }, 'a')
  }
  const rows = async (section = 'waiting') => {
    const asked = { [queryHeader]: encodeURIComponent(JSON.stringify({ section })) }
    const answer = await fetch(`${site.url}/contracts/rows`, { headers: { ...kari, ...asked } })
    return answer.ok ? ((await answer.json()) as OverviewView).rows : []
  }
  const press = (body: object) =>
    fetch(`${site.url}/contracts/press`, {
      method: 'POST',
      headers: { ...kari, 'Content-Type': 'application/json', Origin: site.url },
      body: JSON.stringify(body),
    })
  const listed = () =>
    until(async () => (await rows()).find(({ kind, people }) => kind === 'approval' && people.length === 2))
  const said = async (body: object) => (await (await press(body)).json()) as PressAnswer

  it('is withdrawn once, the log says by whom, and the page lists it as withdrawn', async () => {
    await start(true)
    const { id, actions, title } = await listed()
    should({ actions, title }).deepEqual({ actions: ['withdraw'], title: 'Release the deposit' })
    // It has no signers to remind and no document to cancel.
    for (const action of ['remind', 'cancel'])
      should(await said({ id, action })).match({ ok: false, text: /Nothing was done/ })
    // No one approves here, whatever rights they have.
    should((await press({ id, action: 'approve' })).status).equal(400)
    const order = { id, action: 'withdraw' }
    should(await Promise.all([said(order), said(order)])).matchEach({ ok: true })
    should(lines.filter((line) => line.includes('kari has withdrawn the approval'))).have.length(1)
    const ended = () => rows('failed').then((all) => all.find(({ kind }) => kind === 'approval'))
    should(await until(ended)).have.property('text', 'withdrawn: kari')
    should(await rows()).deepEqual([])
    should(flow.waiting()).have.properties({ out: 0, caught: 0 })
  })

  it('is only shown if the page may not act', async () => {
    await start(false)
    const { id, actions } = await listed()
    should(actions).deepEqual([])
    should((await press({ id, action: 'withdraw' })).status).equal(403)
    should(await rows()).have.length(1)
  })
})
