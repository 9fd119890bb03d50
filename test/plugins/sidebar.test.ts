/** What the sidebar tab gets from a real Node-RED, and what its buttons do. */
import should from 'should'
import type { SidebarView } from '../../plugins/sidebar/view'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'
import { startService, type Service } from '../support/service'
import { until, untilCount } from '../support/time'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })

const hostile = '<img src=x onerror="alert(1)"> $t(label) __count__'

const withEmail = { email: 'ola.nordmann@example.com' }

const signer = (firstName: string, info: object) => ({
  externalSignerId: `${firstName}-1`,
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
  signerInfo: { firstName, lastName: 'Nordmann', ...info },
})

describe('the sidebar tab', () => {
  let service: Service
  let red: RedProcess
  const flows = () => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: 'ours', baseUrl: service.url, retries: 0 },
    { ...place('in'), type: 'http in', url: '/run', method: 'post', wires: [['create']] },
    { ...place('create'), type: 'eid-create-document', client: 'c', wires: [['wait', 'out']] },
    { ...place('wait'), type: 'eid-wait', name: 'the tenant', client: 'c', wires: [[], [], []] },
    { ...place('out'), type: 'http response', wires: [] },
    { ...place('cancel'), type: 'eid-deposit-cancel', name: 'nightly', client: 'c', wires: [[]] },
    { ...place('list'), type: 'http in', url: '/batch', method: 'post', wires: [['batch', 'out']] },
    // The flow sends nothing back, so the rows stay in flight.
    { ...place('batch'), type: 'eid-batch', name: 'payslips', parallel: 1, wires: [[], []] },
    { ...place('fail'), type: 'http in', url: '/fail', method: 'post', wires: [['cancel', 'out']] },
  ]
  before(async () => {
    service = await startService()
    red = await startRed({ flows: flows(), people: { reader: 'read', writer: '*' } })
  })
  after(async () => {
    await red?.stop()
    await service?.close()
  })

  const view = async (query = 'rows=50', who = 'reader', find = '') => {
    const headers = { ...(await red.logIn(who)), ...(find !== '' && { 'X-EID-Find': find }) }
    const answer = await red.admin(`/eid/sidebar?${query}`, { headers })
    should(answer.status).equal(200)
    should(answer.headers.get('cache-control')).equal('no-store')
    return (await answer.json()) as SidebarView
  }
  const act = async (path: string, body: object) => {
    const { headers, ...init } = json(body)
    const answer = await red.admin(path, { ...init, headers: { ...headers, ...(await red.logIn('writer')) } })
    should(answer.status).equal(200)
    return (await answer.json()) as { ok: boolean; text?: string; links?: { name: string; url: string }[] }
  }
  const run = async (
    title: string,
    names: readonly string[] = ['Ola', 'Kari'],
    info: object = withEmail,
    more: object = {},
  ) => {
    const body = {
      ...more,
      title,
      externalId: `key-${title.length}-${Math.random()}`,
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
      signers: names.map((name) => signer(name, info)),
    }
    const answer = await fetch(`${red.url}/run`, json(body))
    return (await answer.json()) as { documentId: string }
  }
  const rowOf = (title: string) =>
    until(async () => (await view()).waiting.rows.find((one) => one.title === title && one.waitingFor.length > 0))

  it('lists who has not signed, without the addresses at which they could be signed for', async () => {
    const { documentId } = await run('Lease 12')
    const row = await rowOf('Lease 12')
    should(row).match({ kind: 'document', id: documentId, node: 'wait', client: 'c' })
    should(row.urgency).be.undefined()
    should(row.waitingFor.map(({ name, hasLink }) => [name, hasLink])).deepEqual([
      ['Ola Nordmann', true],
      ['Kari Nordmann', true],
    ])
    should(JSON.stringify(await view('rows=50', 'writer'))).not.match(/"url"|token=|\/sign\//)
  })

  it('gives the addresses to who may write, and only for the asking', async () => {
    const { wait } = await rowOf('Lease 12')
    const { links } = await act('/eid/sidebar/waiting', { wait, action: 'link' })
    should(links).have.length(2)
    for (const { url } of links ?? []) should(url).startWith(service.url)
    const { headers, ...init } = json({ wait, action: 'link' })
    const refused = await red.admin('/eid/sidebar/waiting', {
      ...init,
      headers: { ...headers, ...(await red.logIn('reader')) },
    })
    should(refused.status).equal(401)
  })

  it('takes nothing that a form on another page could send', async () => {
    const headers = { ...(await red.logIn('writer')), 'Content-Type': 'text/plain' }
    const { wait } = await rowOf('Lease 12')
    const body = JSON.stringify({ wait, action: 'cancel' })
    should((await red.admin('/eid/sidebar/waiting', { method: 'POST', headers, body })).status).equal(415)
  })

  it('reminds once, however often the button is pressed', async () => {
    const { wait } = await rowOf('Lease 12')
    const press = () => act('/eid/sidebar/waiting', { wait, action: 'remind' })
    // The three presses share the call, because it is still running when the last of them arrives.
    await service.fault({ operation: 'remindDocument', kind: 'slow', delay: 1500, count: 1 })
    should(await Promise.all([press(), press(), press()])).matchEach({ ok: true, channel: 'sendEmail' })
    const later = await press()
    should(later).match({ ok: true, earlier: { by: 'writer', isSure: true } })
    should(later).not.have.property('channel')
    should(await service.requests('remindDocument')).have.length(1)
  })

  it('shows others who has reminded, and when', async () => {
    await run('Lease 12 b')
    const { wait, reminded } = await rowOf('Lease 12 b')
    should(reminded).be.undefined()
    await act('/eid/sidebar/waiting', { wait, action: 'remind' })
    const row = await until(async () => ((one) => one.reminded && one)(await rowOf('Lease 12 b')))
    should(row.reminded).have.property('by', 'writer')
    should(Date.now() - Number(row.reminded?.at)).be.below(60_000)
    await act('/eid/sidebar/waiting', { wait, action: 'stopWaiting' })
  })

  it('says why something did not work, and lets it be tried again', async () => {
    await run('Lease 13')
    const { wait } = await rowOf('Lease 13')
    await service.fault({ operation: 'remindDocument', kind: 'status', status: 400 })
    const failed = await act('/eid/sidebar/waiting', { wait, action: 'remind' })
    should(failed.ok).be.false()
    should(failed.text).be.a.String().and.not.be.empty()
    should(await act('/eid/sidebar/waiting', { wait, action: 'remind' })).match({ ok: true })
  })

  it('reminds people where they can be reached, and says so when no one can be', async () => {
    const mobile = { countryCode: '+47', number: '99999999' }
    for (const [title, info, channel] of [
      ['By SMS', { mobile }, 'sendSms'],
      ['By both', { mobile, ...withEmail }, 'sendEmail'],
      ['Nowhere', {}, undefined],
    ] as const) {
      await run(title, ['Ola'], info)
      const { wait } = await rowOf(title)
      const answer = await act('/eid/sidebar/waiting', { wait, action: 'remind' })
      should(answer).match({ ok: channel !== undefined, ...(channel && { channel }) })
      if (!channel) should(answer.text).match(/^No reminder was sent/)
      await act('/eid/sidebar/waiting', { wait, action: 'stopWaiting' })
    }
  })

  it('hands out the document, and never as a page', async () => {
    const { wait } = await rowOf('Lease 12')
    const answer = await red.admin(`/eid/sidebar/file/${wait}`, { headers: await red.logIn('writer') })
    should(answer.status).equal(200)
    should(answer.headers.get('content-disposition')).equal('attachment')
    should(answer.headers.get('x-content-type-options')).equal('nosniff')
    should(await answer.text()).equal('ABC')
    const unknown = await red.admin('/eid/sidebar/file/none', { headers: await red.logIn('writer') })
    should(unknown.status).equal(404)
  })

  it('stops waiting for one of several, and leaves its document alone', async () => {
    const { wait, id } = await rowOf('Lease 13')
    should(await act('/eid/sidebar/waiting', { wait, action: 'stopWaiting' })).match({ ok: true })
    await until(async () => !(await view()).waiting.rows.some((one) => one.wait === wait))
    should(await service.requests('cancelDocument')).be.empty()
    should((await act('/eid/sidebar/waiting', { wait, action: 'stopWaiting' })).ok).be.true()
    should((await act('/eid/sidebar/waiting', { wait: 'other', action: 'stopWaiting' })).ok).be.false()
    should(id).be.a.String()
  })

  it('cancels once, with the reason, and the wait ends by itself', async () => {
    const { wait, id } = await rowOf('Lease 12')
    const press = () => act('/eid/sidebar/waiting', { wait, action: 'cancel', reason: 'moved out' })
    should(await Promise.all([press(), press()])).matchEach({ ok: true })
    const calls = await service.requests('cancelDocument')
    should(calls.map(({ path, query }) => [path, query.reason])).deepEqual([
      [`/signature/documents/${id}/cancel`, 'moved out'],
    ])
    await until(async () => (await view()).waiting.count === 0)
  })

  it('passes on titles and names as they are, and finds by them', async () => {
    await run(hostile, ['Ola'])
    await run('Plain', ['Kari'])
    const row = await rowOf(hostile)
    should(row.title).equal(hostile)
    const found = await view('rows=50', 'reader', encodeURIComponent('kari NORD'))
    should(found.waiting.rows.map(({ title }) => title)).deepEqual(['Plain'])
    should(found.waiting).match({ count: 2, found: 1 })
    should((await view('rows=50', 'reader', '%')).waiting.found).equal(2)
  })

  it('gives as many rows as were asked for, and the count of all', async () => {
    const { waiting } = await view('rows=1')
    should(waiting.rows).have.length(1)
    should(waiting.count).equal(2)
    for (const odd of ['rows=-5', 'rows=x', 'rows[]=1', ''])
      should((await view(odd)).waiting.rows.length).be.belowOrEqual(1)
  })

  it('puts first what ends soonest, and says of the last day that it is urgent', async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const ending = (hours: number) => ({ advanced: { timeToLive: { deadline: inHours(hours) } } })
    await run('In days', ['Ola'], withEmail, ending(70))
    await run('In hours', ['Ola'], withEmail, ending(5))
    await rowOf('In days')
    await rowOf('In hours')
    const { waiting } = await view()
    should(waiting.urgent).equal(1)
    should(waiting.rows.slice(0, 2).map(({ title, urgency }) => [title, urgency])).deepEqual([
      ['In hours', 'soon'],
      ['In days', undefined],
    ])
  })

  it('asks the service now', async () => {
    const { wait, id } = await rowOf('In days')
    const asked = async () => (await service.requests()).filter(({ path }) => path.includes(id)).length
    const before = await asked()
    should(await act('/eid/sidebar/waiting', { wait, action: 'askNow' })).match({ ok: true })
    await untilCount(asked, before + 1)
  })

  it('lists errors, with the node and the outcome, until they are dismissed', async () => {
    await fetch(`${red.url}/fail`, json({}))
    const [trouble] = (await until(async () => {
      const { troubles } = await view()
      return troubles.some(({ code }) => code === 'EID_INVALID_INPUT') && troubles
    })) as SidebarView['troubles']
    should(trouble).match({ outcome: 'not-done', node: { type: 'eid-deposit-cancel', name: 'nightly' } })
    should(trouble?.text).match(/Nothing was sent/)
    const inNorwegian = (await view('rows=0&lang=nb')).troubles.find(({ id }) => id === trouble?.id)
    should(inNorwegian?.text).match(/Ingenting ble sendt\.$/)
    should(trouble?.text).match(/Nothing was sent\.$/)
    should(inNorwegian).not.have.property('said')
    await act('/eid/sidebar/troubles', { id: trouble?.id })
    should((await view()).troubles.some(({ id }) => id === trouble?.id)).be.false()
  })

  it('shows the progress of a batch, pauses it and resumes it', async () => {
    await fetch(`${red.url}/batch`, json([{ n: 1 }, { n: 2 }, { n: 3 }]))
    const batch = () => until(async () => (await view()).batches[0])
    const { id, node } = await batch()
    should(await batch()).match({ node: 'batch', name: 'payslips', total: 3, done: 0, failed: 0, paused: false })
    for (const [action, paused] of [
      ['pause', true],
      ['pause', true],
      ['resume', false],
    ] as const) {
      should(await act('/eid/sidebar/batches', { node, id, action })).deepEqual({ ok: true })
      await until(async () => (await batch()).paused === paused)
    }
    should((await act('/eid/sidebar/batches', { node, id, action: 'reset' })).ok).be.false()
    should((await act('/eid/sidebar/batches', { node: 'gone', id, action: 'pause' })).ok).be.false()
    for (const action of ['pause', 'resume']) {
      const said = await act('/eid/sidebar/batches', { node, id: 'gone', action })
      should(said.ok).be.false()
      should(said.text).match(/no longer exists/)
    }
  })

  it('shows a refused list until the earlier one is forgotten', async () => {
    const refused = async () => (await view()).batches.find((one) => one.refused !== undefined)
    await fetch(`${red.url}/batch`, json([{ n: 1, rent: 9000 }]))
    const { id, node, ...row } = await until(refused)
    should(row).match({ name: 'payslips', total: 1, refused: 'otherShape' })
    should((await act('/eid/sidebar/batches', { node, id: 'gone', action: 'forget' })).ok).be.false()
    should((await act('/eid/sidebar/batches', { node, id: 'gone', action: 'sendAnyway' })).ok).be.false()
    should(await act('/eid/sidebar/batches', { node, id, action: 'forget' })).deepEqual({ ok: true })
    should(await refused()).equal(undefined)
    should((await view()).batches).be.empty()
  })

  it('shows the health of each client', async () => {
    const { clients } = await view()
    should(clients).have.length(1)
    should(clients[0]).match({ id: 'c', name: 'ours', environment: 'sandbox', address: service.url })
    should(clients[0]?.calls).be.above(10)
    should(clients[0]?.failures).equal(1)
    should(clients[0]?.tokenUntil).be.above(Date.now())
    should(JSON.stringify(clients)).not.match(/Bearer|access/)
  })

  it('leaves nothing behind over fifty deployments', async () => {
    const writer = await red.logIn('writer')
    const deploy = async () => {
      const { headers, ...init } = json(flows())
      const answer = await red.admin('/flows', { ...init, headers: { ...headers, ...writer } })
      should(answer.status).equal(204)
    }
    await deploy()
    await view()
    const before = await red.measure()
    for (let count = 0; count < 50; count++) await deploy()
    await view()
    const after = await red.measure()
    should(after.layers).deepEqual(before.layers)
    should(after.listeners).deepEqual(before.listeners)
    should((await view()).clients).have.length(1)
  })
})
