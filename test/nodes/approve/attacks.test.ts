/** Attacks on "approve": each fails, and a legitimate visitor gets a clear answer. */
import should from 'should'
import { createVisitor, identifyAt, type Visitor } from '../../support/approval-visitor'
import { approverRow, nins, ola, propose, startApprove } from '../../support/approve-flow'
import { inMemory, removeFlow, type Flow } from '../../support/flow'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'
import { listAll } from '../../../lib/store/list-all'

const per = { nin: nins.per }
const kari = { nin: nins.kari }

describe('approve, attacked', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  const start = async (settings: object = {}) => (flow = await startApprove({ service, site }, settings, {}))
  const answer = (visitor: Visitor, page: string, said = 'approve') => visitor.view(page, 'answer', { answer: said })
  const state = async (visitor: Visitor, page: string) => (await visitor.view(page, 'state')).state
  /** Shows that nothing has left the node so far: an approval made afterwards is the first message. */
  const nothingLeft = async (page: string) => {
    const visitor = createVisitor()
    should((await visitor.identifyAt(page, kari)).state).equal('identified')
    await answer(visitor, page)
    const { approval } = await flow.next(0)
    should(approval).have.propertyByPath('by', 'length').equal(1)
    should(approval).have.propertyByPath('by', '0', 'name').equal('Kari Nordmann')
    await flow.completed()
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  }

  const three = [approverRow('per', 'Per Hansen'), approverRow('kari', 'Kari Nordmann'), approverRow('liv', 'Liv Berg')]
  const startThree = async () => {
    const ids = { per: nins.per, kari: nins.kari, liv: nins.liv }
    return (flow = await startApprove({ service, site }, { required: '2', approversRows: three }, { ids }))
  }
  /** Lets Liv approve, and returns the names of those whose approvals have counted. */
  const namesAfterLiv = async (pages: Record<string, string>) => {
    const visitor = createVisitor()
    await visitor.identifyAt(pages.liv ?? '', { nin: nins.liv })
    await answer(visitor, pages.liv ?? '')
    const { by } = (await flow.next(0)).approval as { by: { name: string }[] }
    should(flow.waiting()).have.properties({ out: 0, caught: 0 })
    return by.map(({ name }) => name)
  }

  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  it('counts no identification that one person began and another completed', async () => {
    const pages = await propose(await start())
    const mallory = createVisitor()
    const victim = createVisitor()
    const session = await mallory.begin(pages.per ?? '')
    // Per follows the link of the attacker, and identifies in his own browser.
    const ended = await victim.identify(session, per)
    should(await (await victim.open(ended)).text()).containEql('"first":"elsewhere"')
    should(await state(victim, pages.per ?? '')).equal('start')
    // The attacker has the cookie, but not the secret of the return address.
    should(await state(mallory, pages.per ?? '')).equal('start')
    should(await answer(mallory, pages.per ?? '')).deepEqual({ state: 'start' })
    await nothingLeft(pages.kari ?? '')
  })

  it('does not take the return address from a browser that has begun another identification', async () => {
    const pages = await propose(await start())
    const others = await propose(flow)
    const mallory = createVisitor()
    const victim = createVisitor()
    const session = await mallory.begin(pages.per ?? '')
    await victim.begin(others.per ?? '')
    const back = await identifyAt(session, per)
    should(await (await victim.open(back)).text()).containEql('"first":"elsewhere"')
    // The cookie and the identification of one approval are worth nothing for another.
    const owner = createVisitor()
    await owner.identifyAt(pages.kari ?? '', kari)
    should(await answer(owner, others.kari ?? '')).deepEqual({ state: 'start' })
    should(await answer(owner, pages.per ?? '')).deepEqual({ state: 'start' })
    // Not even under the name of the other approval's cookie.
    const [cookie = ''] = owner.cookies.values()
    const name = (page = '') => `eid-approve-${new URL(page).pathname.split('/').at(-1)?.split('.')[0]}`
    owner.cookies.set(name(others.kari), cookie)
    should(await answer(owner, others.kari ?? '')).deepEqual({ state: 'start' })
    should(flow.waiting().out).equal(0)
  })

  it('never lets the proposer approve or reject, whichever address is used', async () => {
    flow = await startApprove(
      { service, site },
      {
        approversRows: [
          approverRow('per', 'Per Hansen'),
          approverRow('ola', 'Ola N'),
          approverRow('kari', 'Kari Nordmann'),
        ],
      },
      { ids: { per: nins.per, ola: '010000 00001', kari: nins.kari } },
    )
    const pages = await propose(flow)
    should(Object.keys(pages)).deepEqual(['per', 'kari'])
    const visitor = createVisitor()
    should(await visitor.identifyAt(pages.per ?? '', { nin: nins.ola })).deepEqual({ state: 'proposer' })
    for (const said of ['approve', 'reject'])
      should(await answer(visitor, pages.per ?? '', said)).deepEqual({ state: 'proposer' })
    await nothingLeft(pages.kari ?? '')
  })

  it('counts a person once, however many addresses the person uses', async () => {
    const pages = await propose(await startThree(), {}, 3)
    const first = createVisitor()
    const second = createVisitor()
    await first.identifyAt(pages.per ?? '', per)
    should(await answer(first, pages.per ?? '')).deepEqual({ state: 'answered' })
    should(await second.identifyAt(pages.kari ?? '', per)).deepEqual({ state: 'answered' })
    should(await answer(second, pages.kari ?? '')).deepEqual({ state: 'answered' })
    should(await answer(first, pages.per ?? '', 'reject')).deepEqual({ state: 'answered' })
    should(await namesAfterLiv(pages)).deepEqual(['Per Hansen', 'Liv Berg'])
  })

  it('shows nothing to a stranger who has got an address, and writes no id to the log', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    should(await visitor.identifyAt(pages.per ?? '', { nin: nins.stranger })).deepEqual({ state: 'stranger' })
    should(await answer(visitor, pages.per ?? '')).deepEqual({ state: 'stranger' })
    should(await answer(visitor, pages.per ?? '', 'reject')).deepEqual({ state: 'stranger' })
    await nothingLeft(pages.kari ?? '')
  })

  it('asks only about the session that it has stored, never about one in an address', async () => {
    const pages = await propose(await start())
    const owner = createVisitor()
    const mallory = createVisitor()
    const finished = await owner.identify(await owner.begin(pages.kari ?? ''), kari)
    const sessionId =
      new URL(finished).searchParams.get('sessionId') ?? (await service.requests('getSession')).at(-1)?.path
    await mallory.begin(pages.per ?? '')
    for (const more of ['', '/back', '/back/x', `/back/${'x'.repeat(43)}`])
      await mallory.open(`${pages.per}${more}?sessionId=${sessionId}&status=success`)
    should(await state(mallory, `${pages.per}`)).equal('start')
    should((await mallory.call(pages.per ?? '', `state?sessionId=${sessionId}`)).status).equal(200)
    should(await answer(mallory, pages.per ?? '')).deepEqual({ state: 'start' })
    should(flow.waiting().out).equal(0)
  })

  it('answers a replayed page with what has become of the approval', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    const back = await identifyAt(await visitor.begin(pages.per ?? ''), per)
    for (let again = 0; again < 2; again++) should((await visitor.open(back)).status).equal(303)
    await until(async () => (await state(visitor, pages.per ?? '')) === 'identified')
    await answer(visitor, pages.per ?? '')
    await flow.next(0)
    // Back and forward, and the same calls once more, also from a browser without a cookie.
    await until(async () => (await state(visitor, pages.per ?? '')) === 'approved')
    for (const one of [visitor, createVisitor()]) {
      should(await (await one.open(back)).text()).containEql('"first":"approved"')
      should(await answer(one, pages.per ?? '', 'reject')).deepEqual({ state: 'approved' })
      should(await one.view(pages.per ?? '', 'start')).deepEqual({ state: 'approved' })
    }
    await flow.completed()
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  for (const said of ['approve', 'reject']) {
    it(`ends once when two answer in the same second, and the second says ${said}`, async () => {
      const pages = await propose(await start())
      const first = createVisitor()
      const second = createVisitor()
      await first.identifyAt(pages.per ?? '', per)
      await second.identifyAt(pages.kari ?? '', kari)
      const calls = Array.from({ length: 4 }, () => [
        answer(first, pages.per ?? ''),
        answer(second, pages.kari ?? '', said),
      ])
      await Promise.all(calls.flat())
      await flow.completed()
      const end = await until(async () => {
        const now = await state(first, pages.per ?? '')
        return now === 'approved' || now === 'rejected' ? now : undefined
      })
      should(await state(second, pages.kari ?? '')).equal(end)
      should(flow.waiting()).deepEqual({ out: 1, caught: 0, completed: 0 })
      should(flow.waitingAt(end === 'approved' ? 0 : 1)).equal(1)
    })
  }

  it('takes calls only from its own page', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    const said = { answer: 'approve' }
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      // The address comes from the settings, not from what a request claims.
      { Origin: 'https://evil.example', Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    ]
    for (const headers of foreign)
      should((await visitor.call(pages.per ?? '', 'answer', said, headers)).status).equal(403)
    const bare = await fetch(`${pages.per}/answer`, { method: 'POST', body: JSON.stringify(said) })
    should(bare.status).equal(403)
    await until(() => flow.statuses.find(({ text }) => text === 'foreign call refused'))
    await nothingLeft(pages.kari ?? '')
  })

  it('gives the cookie to scripts of no page, and to no other site', async () => {
    const pages = await propose(await start())
    const response = await createVisitor().call(pages.per ?? '', 'start')
    const [cookie = ''] = response.headers.getSetCookie()
    should(cookie).match(/^eid-approve-\w+=[\w-]{43}; Path=\/approve; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    const page = await fetch(pages.per ?? '')
    should(page.headers.get('content-security-policy'))
      .containEql("frame-ancestors 'none'")
      .and.containEql("form-action 'none'")
    should(page.headers.get('referrer-policy')).equal('no-referrer')
    const [sent] = await service.requests('createSession')
    should(sent?.body)
      .have.property('redirectSettings')
      .which.has.property('successUrl')
      .which.startWith(`${pages.per}/back/`)
    should(sent?.body)
      .have.properties({ include: ['nin'], allowedProviders: ['no_eid'] })
      .and.not.have.property('sandboxPeople')
  })

  it('knows none of the addresses that it has not made', async () => {
    const pages = await propose(await start())
    const [approval = '', row = '', seal = ''] = new URL(pages.per ?? '').pathname.split('/').at(-1)?.split('.') ?? []
    const other = new URL(pages.kari ?? '').pathname.split('.')[1] ?? ''
    const base = `${site.url}/approve`
    for (const token of [
      `${approval}.${other}.${seal}`,
      `${approval}.${row}.`,
      `${approval}.${row}.${seal.slice(1)}`,
      approval,
    ]) {
      should((await fetch(`${base}/${token}`)).status).equal(410)
      should(await createVisitor().view(`${base}/${token}`, 'start')).deepEqual({ state: 'gone' })
    }
    should((await fetch(base)).status).equal(404)
  })

  it('begins one identification a minute with an address', async () => {
    const pages = await propose(await start())
    const all = await Promise.all(Array.from({ length: 5 }, () => createVisitor().view(pages.per ?? '', 'start')))
    should(all.filter((one) => one.state === 'wait')).have.length(4)
    should(await service.requests('createSession')).have.length(1)
  })

  it('does not count the approval of a person who has been removed since', async () => {
    const pages = await propose(await startThree(), {}, 3)
    const first = createVisitor()
    const second = createVisitor()
    await first.identifyAt(pages.per ?? '', per)
    await answer(first, pages.per ?? '')
    await second.identifyAt(pages.kari ?? '', kari)
    await flow.redeploy({ approversRows: three.slice(1) })
    should(await (await first.open(pages.per ?? '')).text()).containEql('"first":"gone"')
    should(await answer(first, pages.per ?? '')).deepEqual({ state: 'gone' })
    await answer(second, pages.kari ?? '')
    should(await namesAfterLiv(pages)).deepEqual(['Kari Nordmann', 'Liv Berg'])
  })

  it('sends what was shown, whatever happens to the message or the settings meanwhile', async () => {
    await start()
    const msg = { payload: { tenant: 'Liv', amount: 12500, file: Buffer.from('lease') }, identity: ola }
    const sending = propose(flow, msg)
    msg.payload.amount = 99999
    msg.payload.file.fill(0)
    const pages = await sending
    await flow.redeploy({ what: 'Buy a boat for {tenant}', detailsRows: [] })
    const visitor = createVisitor()
    should(await (await visitor.open(pages.per ?? '')).text()).containEql('Release the deposit of Liv')
    const { shown } = await visitor.identifyAt(pages.per ?? '', per)
    should(shown?.details).deepEqual([{ label: 'Amount', text: '12500' }])
    await answer(visitor, pages.per ?? '')
    const sent = await flow.next(0)
    should(sent.payload).deepEqual({ tenant: 'Liv', amount: 12500, file: Buffer.from('lease') })
    should(sent.approval).have.properties({ what: 'Release the deposit of Liv', digest: shown?.digest })
  })

  it('sends nothing if someone has changed what is stored', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    const store = inMemory('n', 'approvals')
    const [listed] = await listAll(store)
    const item = await store.get(listed?.id ?? '')
    const body = item?.body as { message: { payload: object } }
    const changed = { ...body, message: { ...body.message, payload: { tenant: 'Liv', amount: 99999 } } }
    await store.put(item?.id ?? '', {
      body: changed,
      subject: item?.subject ?? '',
      summary: item?.summary,
      dueMs: 60_000,
    })
    await answer(visitor, pages.per ?? '')
    const { error } = await flow.caught()
    should(error).have.properties({ code: 'EID_FAILED' })
    should(error.message).match(/Release the deposit of Liv.*approved again/)
    should(error.cause).have.property('outcome', 'not-done')
    should(flow.waiting().out).equal(0)
  })

  it('waits while the client uses another service, and never lets that service say who approves', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    await flow.redeploy({ baseUrl: 'http://127.0.0.1:9' }, 'c')
    for (const place of ['start', 'state', 'answer'])
      should(await visitor.view(pages.per ?? '', place, { answer: 'approve' })).deepEqual({ state: 'paused' })
    await flow.redeploy({ baseUrl: service.url }, 'c')
    await answer(visitor, pages.per ?? '')
    should((await flow.next(0)).approval)
      .have.propertyByPath('by', '0', 'name')
      .equal('Per Hansen')
  })

  it('counts nothing that the service does not say, and says that it is being checked meanwhile', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    await service.fault({ kind: 'status', operation: 'getSession', status: 503, count: 2 })
    await visitor.identify(await visitor.begin(pages.per ?? ''), per)
    should(await state(visitor, pages.per ?? '')).equal('checking')
    should(await answer(visitor, pages.per ?? '')).deepEqual({ state: 'checking' })
    should(await state(visitor, pages.per ?? '')).equal('identified')
    // An hour later, the service no longer knows who it was.
    const late = createVisitor()
    await late.identify(await late.begin(pages.kari ?? ''), kari)
    await service.sandbox.clock.advance(61 * 60_000)
    should(await late.view(pages.kari ?? '', 'state')).deepEqual({ state: 'again' })
    should(flow.waiting().out).equal(0)
  })

  it('takes no session as its own that the service has made for something else', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    const session = await visitor.begin(pages.per ?? '')
    const [[, kept] = []] = [...service.sandbox.world.identification.sessions.before()]
    Object.assign(kept ?? {}, { externalReference: 'another approval' })
    await visitor.identify(session, per)
    should(await visitor.view(pages.per ?? '', 'state')).deepEqual({ state: 'again' })
    await nothingLeft(pages.kari ?? '')
  })

  it('keeps no proposer, wherever the message names the person', async () => {
    await start({ proposer: 'proposal.by' })
    const pages = await propose(flow, { identity: { secret: nins.stranger }, proposal: { by: ola, total: 1 } })
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    await answer(visitor, pages.per ?? '')
    const sent = await flow.next(0)
    should(sent).have.property('proposal').which.deepEqual({ total: 1 })
    should(JSON.stringify(sent)).not.containEql(nins.ola).and.not.containEql(nins.stranger)
  })

  it('keeps no id of an approver or of the proposer, not even that of a stranger', async () => {
    const pages = await propose(await start())
    const visitor = createVisitor()
    await visitor.identifyAt(pages.per ?? '', per)
    const strange = createVisitor()
    await strange.identifyAt(pages.kari ?? '', { nin: nins.stranger })
    await answer(visitor, pages.per ?? '')
    const kept: string[] = []
    for (const kind of ['approvals', 'approvalnotes']) {
      const store = inMemory('n', kind)
      for (const { id } of await listAll(store)) kept.push(JSON.stringify(await store.get(id)))
    }
    const sent = JSON.stringify(await flow.next(0))
    const secrets = [...Object.values(nins), ola.providerId, ...visitor.cookies.values()]
    for (const one of secrets) should(kept.join('\n') + sent).not.containEql(one)
    should(kept.length).be.above(3)
  })
})
