/** "overview": a failed contract is one row of the page, with its reason. */
import should from 'should'
import node from '../../nodes/overview/overview'
import wait from '../../nodes/wait/wait'
import { dismissError, listErrors } from '../support/errors'
import { queryHeader, type OverviewRow, type OverviewView, type PressAnswer } from '../../nodes/overview/view'
import { removeFlow, startFlow, type Flow } from '../support/flow'
import { act, type Parties } from '../support/parties'
import { kari, overviewUsers } from '../support/overview-users'
import type { PublicSide } from '../support/public-site'
import type { Service } from '../support/service'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'
import { sentence } from '../support/wording'

describe('the failures on the overview page', () => {
  let service: Service
  let parties: Parties
  let site: PublicSide
  let flow: Flow
  useSides((sides) => ({ service, parties, site } = sides))
  beforeEach(() => void dismissError())
  afterEach(removeFlow)

  const start = async (settings: object, own: object = {}) => {
    flow = await startFlow({
      type: 'eid-overview',
      module: node,
      modules: [site.module, wait],
      settings: { client: '', ...own },
      secrets: { users: overviewUsers },
      client: { baseUrl: service.url },
      credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
      more: [{ id: 'w', z: 'f', type: 'eid-wait', client: 'c', pullInterval: '0.2', ...settings, wires: [['out0']] }],
    })
    await until(async () => (await fetch(`${site.url}/contracts`, { headers: kari })).status === 200)
  }
  const rows = async (section: string, find = '', headers = {}) => {
    const asked = { [queryHeader]: encodeURIComponent(JSON.stringify({ section, find })) }
    const answer = await fetch(`${site.url}/contracts/rows`, { headers: { ...kari, ...headers, ...asked } })
    return (await answer.json()) as OverviewView
  }
  const cancel = (documentId: string) =>
    parties.call('POST', `/signature/documents/${documentId}/cancel?reason=moved`, {})
  const pressCancel = async ({ id }: OverviewRow, reason: string) => {
    const body = JSON.stringify({ id, action: 'cancel', reason })
    const headers = { ...kari, origin: site.url, 'Content-Type': 'application/json' }
    const answer = await fetch(`${site.url}/contracts/press`, { method: 'POST', headers, body })
    return (await answer.json()) as PressAnswer
  }

  it('name each canceled contract once, with the error that the wait raised', async () => {
    await start({ raiseFailed: true })
    const titles = ['first of these leases', 'second of these leases']
    for (const title of titles) {
      const { documentId } = await parties.createDocument(title)
      flow.send({ documentId }, 'w')
      await until(async () => (await rows('waiting', title)).found === 1)
      await cancel(documentId)
    }
    // Contracts from other tests may still be waiting.
    await until(async () => (await rows('waiting', 'of these leases')).found === 0)
    // The sections are read apart, each of them once a second at most.
    await until(async () => (await rows('failed', 'of these leases')).found === titles.length)
    const { rows: shown } = await rows('failed', 'of these leases')
    should(shown.map(({ title }) => title.replace('Contract ', '')).sort()).deepEqual(titles)
    for (const { text = '' } of shown) should(text).match(/^canceled: .+/)
    should(listErrors()).be.empty()
  })

  it('say the reason that a person typed on the page for canceling, in the file as well', async () => {
    await start({}, { mayAct: true })
    const { documentId } = await parties.createDocument('lease with a reason')
    flow.send({ documentId }, 'w')
    const row = await until(async () => (await rows('waiting', 'lease with a reason')).rows[0])
    await pressCancel(row, 'signed on paper')
    const ended = await until(async () => (await rows('failed', 'lease with a reason')).rows[0])
    should(ended.text).equal('canceled: signed on paper')
    const query = encodeURIComponent(JSON.stringify({ section: 'failed', find: 'lease with a reason' }))
    const file = await fetch(`${site.url}/contracts/rows.csv`, { headers: { ...kari, [queryHeader]: query } })
    should(await file.text()).containEql('canceled: signed on paper')
  })

  it('say that reason also if the answer of the service was lost, but not if nothing was done', async () => {
    await start({ pollInterval: '0.2', maxInterval: '0.3' }, { mayAct: true })
    for (const [title, fault, text] of [
      ['lease with a lost answer', { kind: 'close-after' }, 'canceled: signed on paper'],
      ['lease with a refusal', { kind: 'status', status: 403 }, 'canceled'],
    ] as const) {
      const { documentId } = await parties.createDocument(title)
      flow.send({ documentId }, 'w')
      const row = await until(async () => (await rows('waiting', title)).rows[0])
      await service.fault({ operation: 'cancelDocument', ...fault })
      should(await pressCancel(row, 'signed on paper')).have.property('ok', false)
      if (text === 'canceled') await cancel(documentId)
      const ended = await until(async () => (await rows('failed', title)).rows[0])
      should(ended.text).equal(text)
    }
  })

  it('are counted once for a contract that two waits were about, as are those that are done', async () => {
    await start({})
    for (const [title, end, section] of [
      ['lease asked for twice', cancel, 'failed'],
      ['lease signed once', (_id: string, url: string) => act(url), 'done'],
    ] as const) {
      const { documentId, signers } = await parties.createDocument(title)
      flow.send({ documentId }, 'w')
      flow.send({ documentId }, 'w')
      await until(async () => (await rows('waiting', title)).found === 2)
      await end(documentId, signers[0]?.url ?? '')
      await until(async () => (await rows('waiting', title)).found === 0)
      await until(async () => (await rows(section, title)).found > 0)
      should((await rows(section, title)).found).equal(1)
    }
  })

  it('still list an error that is more than the ends of waits', async () => {
    await start({ raiseFailed: true })
    flow.send({}, 'w')
    await until(() => listErrors().length === 1)
    should((await rows('failed', 'missing')).rows).have.length(1)
  })

  it('are no reason to say that a contract has ended which waits for attachments', async () => {
    await start({}, { mayAct: true })
    const { documentId } = await parties.createDocument('lease without its attachments')
    flow.send({ documentId }, 'w')
    const row = await until(async () => (await rows('waiting', 'without its attachments')).rows[0])
    Object.assign(service.sandbox.world.signature.documents.get(documentId) ?? {}, {
      status: 'waiting_for_attachments',
    })
    const headers = { ...kari, 'Content-Type': 'application/json', Origin: site.url }
    const body = JSON.stringify({ id: row.id, action: 'remind' })
    const answer = await fetch(`${site.url}/contracts/press`, { method: 'POST', headers, body })
    should(await answer.json()).match({
      ok: false,
      text: sentence('overview', 'notOpen'),
    })
  })
})
