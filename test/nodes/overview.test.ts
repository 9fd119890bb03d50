/** "overview": who may log in, what the page lists, and what its buttons do. */
import { registerBatches } from '../../lib/runtime/monitor/batches'
import should from 'should'
import node from '../../nodes/overview/overview'
import wait from '../../nodes/wait/wait'
import { RED, failIn } from '../support/errors'
import { noteReminder } from '../../lib/runtime/monitor/last-reminder'
import { registerPending } from '../../lib/runtime/monitor/pending'
import { joinReplicas } from '../../lib/runtime/monitor/replicas'
import { configError } from '../../lib/api/errors/errors'
import { queryHeader, type OverviewView, type PressAnswer } from '../../nodes/overview/view'
import { removeFlow, startFlow, type Flow } from '../support/flow'
import { basic, kari, ola, overviewUsers } from '../support/overview-users'
import { act, type Parties } from '../support/parties'
import type { PublicSide } from '../support/public-site'
import type { Service } from '../support/service'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'
import { sentence } from '../support/wording'

describe('overview', () => {
  let service: Service
  let parties: Parties
  let site: PublicSide
  let flow: Flow
  useSides((sides) => ({ service, parties, site } = sides))
  afterEach(removeFlow)

  const start = async (settings: object = {}, secrets: object = { users: overviewUsers }) => {
    flow = await startFlow({
      type: 'eid-overview',
      module: node,
      modules: [site.module, wait],
      settings: { client: '', ...settings },
      secrets,
      client: { baseUrl: service.url },
      credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
      more: [{ id: 'w', z: 'f', type: 'eid-wait', client: 'c', wires: [['out0']] }],
    })
    return flow
  }
  const get = (path: string, headers: Record<string, string> = kari) => fetch(site.url + path, { headers })
  const isOpen = () => until(async () => (await get('/contracts')).status === 200)
  const rows = async (query: object = {}, headers: Record<string, string> = kari) => {
    const asked = { [queryHeader]: encodeURIComponent(JSON.stringify(query)) }
    const answer = await get('/contracts/rows', { ...headers, ...asked })
    should(answer.status).equal(200)
    return (await answer.json()) as OverviewView
  }
  const press = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${site.url}/contracts/press`, {
      method: 'POST',
      headers: { ...kari, 'Content-Type': 'application/json', Origin: site.url, ...headers },
      body: JSON.stringify(body),
    })
  const waiting = async (title: string) => {
    const document = await parties.createDocument(title)
    flow.send({ documentId: document.documentId }, 'w')
    const row = await until(async () => (await rows()).rows.find((one) => one.title.includes(title)))
    return { ...document, row }
  }

  it('refuses to start without users, and serves nothing', async () => {
    await start({}, {})
    const { error } = await flow.caught()
    should(error.code).equal('EID_CONFIG')
    should(error.message).containEql('no users')
    await until(() => flow.statuses.at(-1)?.fill === 'red')
    should(flow.statuses.at(-1)?.text).equal('no users')
    should((await get('/contracts')).status).equal(404)
  })

  it('refuses a list of users with a mistake, and names the line', async () => {
    for (const [list, words] of [
      ['kari correct horse\nola', 'line 2: ola has no password'],
      ['kari short', 'fewer than 8'],
      ['kari correct horse\nkari battery staple', 'twice'],
      ['ka:ri correct horse', 'colon'],
    ] as const) {
      await start({}, { users: list })
      const { error } = await flow.caught()
      should(error.code).equal('EID_CONFIG')
      should(error.message).containEql(words)
      should((await get('/contracts')).status).equal(404)
      await removeFlow()
    }
  })

  it('asks everyone for a name and a password, at each of its addresses', async () => {
    await start({ mayAct: true })
    await isOpen()
    for (const headers of [{}, basic('kari', 'correct horses'), basic('per', 'correct horse'), basic('', '')]) {
      for (const path of ['/contracts', '/contracts/', '/contracts/rows', '/contracts/rows.csv', '/contracts/other']) {
        const answer = await get(path, headers)
        should([401, 429]).containEql(answer.status)
        should(await answer.text()).not.containEql('script')
      }
    }
    should((await press({}, basic('kari', 'wrong password'))).status).equalOneOf(401, 429)
    should((await get('/contracts', kari)).status).equal(200)
    should((await get('/contracts/', kari)).status).equal(200)
    should((await get('/contracts/other', kari)).status).equal(404)
  })

  it('lists pending contracts, their types and counts, for names in any letters', async () => {
    await start()
    await isOpen()
    const { row } = await waiting('Lease, Storgata 12')
    should(row).have.properties({ kind: 'document', flow: 'test', actions: [] })
    should(row.people.map(({ name }) => name)).not.be.empty()
    should((await rows({ find: 'STORGATA' })).found).equal(1)
    should((await rows({ find: 'no such title' })).found).equal(0)
    should((await rows({ kind: 'share' })).found).equal(0)
    should((await rows({ flow: 'test' })).found).equal(1)
    for (const odd of ['1', 1, { id: 1 }, { id: '', until: 'now', since: {} }, [null]])
      should((await rows({ after: odd, before: odd })).rows).have.length(1)
    should(JSON.stringify(await rows())).not.containEql('http')
  })

  it('moves ended contracts to the right list', async () => {
    await start({ mayAct: true })
    await isOpen()
    const signed = await waiting('signed today')
    await act(signed.signers[0]?.url ?? '')
    flow.send({ documentId: signed.documentId }, 'w')
    const [done] = await until(async () =>
      ((found) => found.length > 0 && found)((await rows({ section: 'done' })).rows),
    )
    should(done).have.properties({ kind: 'document', text: 'signed', flow: 'test', actions: [] })
    const canceled = await waiting('canceled today')
    await press({ id: canceled.row.id, action: 'cancel' })
    const found = () => rows({ section: 'failed', find: 'canceled today' })
    await until(async () => (await found()).found === 1)
    should((await found()).rows[0]).have.properties({ text: 'canceled' })
  })

  it('shows lists that are being sent, and those that have ended', async () => {
    await start()
    await isOpen()
    const of = { pause: () => Promise.resolve(false), resume: () => Promise.resolve(false) }
    const list = { id: 'May', node: { id: 'b', name: 'leases', flow: 'Leases' }, total: 40, done: 39, failed: 1 }
    const ended = [{ ...list, started: 1, ended: 2, changed: 0, offersChanged: false }]
    const undo = registerBatches(RED, 'b', { ...of, list: () => Promise.resolve([]), ended: () => ended })
    const { rows: shown } = await rows({ section: 'lists' })
    undo()
    should(shown).have.length(1)
    should(shown[0]).have.properties({ title: 'leases (May)', ended: 2, flow: 'Leases' })
    should(shown[0]?.progress).deepEqual({ done: 39, failed: 1, changed: 0, total: 40, paused: false })
  })

  it('lists errors in the language of the browser', async () => {
    await start()
    await isOpen()
    failIn({ id: 'x', type: 'eid-overview' } as never, configError('noClient'))
    const norwegian = await rows({ section: 'failed' }, { ...kari, 'Accept-Language': 'nb-NO,nb;q=0.9' })
    should(norwegian.rows.some(({ title }) => title.startsWith('Ingen'))).be.true()
    should((await rows({ section: 'failed' })).rows.some(({ title }) => title.startsWith('No client'))).be.true()
  })

  it('lists the errors of the other Node-REDs too', async () => {
    const now = Date.now()
    const entry = {
      id: 'e',
      subject: 's',
      request: 's',
      at: now,
      since: now,
      count: 1,
      code: 'EID_CONFIG',
      text: 'Elsewhere.',
      outcome: 'not-done',
    }
    const node = { id: 'x', type: 'eid-document', name: '', places: ['x'] }
    const body = { name: 'another-machine', process: 1, clients: [], troubles: [{ ...entry, node }] }
    const leave = joinReplicas(
      RED,
      'shared',
      {
        put: () => Promise.resolve(),
        remove: () => Promise.resolve(true),
        list: () => Promise.resolve([{ id: 'another' }]),
        get: () => Promise.resolve({ body }),
      } as never,
      () => [],
    )
    try {
      await start()
      await isOpen()
      should((await rows({ section: 'failed' })).rows.map(({ title }) => title)).containEql('Elsewhere.')
    } finally {
      await leave()
    }
  })

  it('reminds and cancels only if that is allowed', async () => {
    await start()
    await isOpen()
    const { row } = await waiting('not to be touched')
    should((await press({ id: row.id, action: 'cancel' })).status).equal(403)
    should(await service.requests('cancelDocument')).have.length(0)
  })

  it('reminds, and cancels with a reason, once', async () => {
    await start({ mayAct: true })
    await isOpen()
    const { row, documentId } = await waiting('to be canceled')
    should(row.actions).deepEqual(['remind', 'cancel'])
    const order = { id: row.id, action: 'cancel', reason: 'signed on paper' }
    const answers = await Promise.all([press(order), press(order)])
    for (const one of answers) should(((await one.json()) as PressAnswer).ok).be.true()
    const calls = await service.requests('cancelDocument')
    should(calls).have.length(1)
    should(calls[0]).have.properties({ query: { reason: 'signed on paper' } })
    should(calls[0]?.path).containEql(documentId)
  })

  it('says that a contract has ended, if its reminder is asked for before its wait knows, and ends the wait', async () => {
    await start({ mayAct: true })
    await isOpen()
    const { row, documentId } = await waiting('ended elsewhere')
    await parties.call('POST', `/signature/documents/${documentId}/cancel`)
    const answer = (await (
      await press({ id: row.id, action: 'remind' }, { 'Accept-Language': 'nb' })
    ).json()) as PressAnswer
    should(answer).match({ ok: false, text: sentence('overview', 'hasEnded', {}, 'nb') })
    await until(async () => (await rows()).counts.waiting === 0)
  })

  it('shows others who has reminded, and reminds a second time only after a question', async () => {
    await start({ mayAct: true })
    await isOpen()
    const { row, documentId, signers } = await waiting('by whom')
    const signer = `/signature/documents/${documentId}/signers/${signers[0]?.id}`
    await parties.call('PATCH', signer, { signerInfo: { email: 'ola@example.com' } })
    const remind = async (more: object = {}) =>
      (await (await press({ id: row.id, action: 'remind', ...more })).json()) as PressAnswer
    should(await Promise.all([remind(), remind()])).matchEach({ ok: true, channel: 'sendEmail' })
    should(await remind()).match({ ok: true, earlier: { by: 'kari' } })
    should((await rows({ find: 'by whom' }, ola)).rows[0]?.reminded?.by).equal('kari')
    // Another Node-RED sent the reminder, or it was sent before a restart, so the row does not show it.
    noteReminder(RED, documentId, 'nobody', false, 0)
    await flow.redeploy({ mayAct: true, name: 'again' })
    await isOpen()
    should(await remind()).match({ ok: true, earlier: { by: 'kari', isSure: true } })
    should((await rows({ find: 'by whom' }, ola)).rows[0]?.reminded).have.property('by', 'kari')
    should(await service.requests('remindDocument')).have.length(1)
    should(await remind({ again: true })).have.property('ok', true)
    should(await service.requests('remindDocument')).have.length(2)
  })

  it('finds the one contract whose button was pressed, and reads no list for it', async () => {
    await start({ mayAct: true })
    await isOpen()
    const { documentId, row } = await waiting('one of many')
    const item = { ...row, wait: 'elsewhere-1', kind: 'document', id: documentId, client: 'c', waitingFor: [] }
    const away = () => Promise.reject(new Error('read'))
    const find = (wait: string) => Promise.resolve(wait === item.wait ? (item as never) : undefined)
    const undo = registerPending(RED, 'elsewhere', { list: away, find, askNow: away, stopWaiting: away })
    try {
      const answer = (await (await press({ id: item.wait, action: 'cancel' })).json()) as PressAnswer
      // The document is canceled, even if its wait only learns of it later.
      should(answer).match({ ok: true })
      should(await service.requests('cancelDocument')).have.length(1)
    } finally {
      undo()
    }
  })

  it('does nothing that a page of another origin, or of none, asks for', async () => {
    await start({ mayAct: true })
    await isOpen()
    const { row } = await waiting('forged')
    const order = { id: row.id, action: 'cancel' }
    const forged: Record<string, string>[] = [
      { Origin: 'https://attacker.example' },
      { Origin: 'null' },
      { Origin: '' },
      { Origin: site.url, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: site.url.replace('127.0.0.1', '127.0.0.2') },
      { Origin: 'https://attacker.example', 'X-Forwarded-Host': 'attacker.example' },
    ]
    for (const headers of forged) should((await press(order, headers)).status).equal(403)
    should((await press(order, { 'Content-Type': 'text/plain' })).status).equal(415)
    should((await press({ ...order, action: 'stopWaiting' })).status).equal(400)
    should((await get('/contracts/rows', { ...kari, 'Sec-Fetch-Site': 'cross-site' })).status).equal(403)
    should(await service.requests('cancelDocument')).have.length(0)
    should(((await (await press({ ...order, id: 'none' })).json()) as PressAnswer).ok).be.false()
  })

  it('lets a password be tried a few times only, and people who are logged in stay so', async () => {
    await start()
    await isOpen()
    const codes = await Promise.all(
      Array.from(
        { length: 40 },
        async (_none, index) => (await get('/contracts', basic('ola', `guess ${index}`))).status,
      ),
    )
    const count = (code: number) => codes.filter((one) => one === code).length
    should(count(401) + count(429)).equal(40)
    should(count(401)).be.belowOrEqual(10)
    // A logged-in person stays logged in.
    should((await get('/contracts', kari)).status).equal(200)
    const refused = await get('/contracts', basic('ola', 'guess'))
    should(Number(refused.headers.get('retry-after'))).be.within(1, 30)
  })
})
