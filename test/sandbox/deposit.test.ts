/** Deposits of the sandbox: who may end which deposit, when, and with what data. */
import should from 'should'
import { startCaller, type Caller } from './caller'

interface DepositBody {
  id: string
  status: { depositStatus: string; funds: number }
  tenants: { bankAccountNumber?: string }[]
}

describe('sandbox: deposit', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const get = async (id: string) => (await caller.call<DepositBody>('GET', `/deposit/personal/${id}`)).json
  const terminate = (id: string, body: unknown) => caller.call('POST', `/deposit/personal/${id}/terminate`, body)
  const cancel = (id: string) => caller.call('POST', `/deposit/personal/${id}/cancel`)
  const fund = (id: string, amount?: number) =>
    caller.open<DepositBody>('POST', '/sandbox/fund-deposit', { id, amount })
  const split = (tenant: unknown, landlord: unknown) => ({
    category: 'SPLIT',
    username: 'ola',
    amount: { tenant, landlord },
    transactionInfo: { landlord: { kid: '2345676', description: 'Damage' } },
  })
  const linksTo = (subject: RegExp) =>
    caller.sandbox.world.outbox
      .list()
      .filter((notice) => subject.test(notice.subject))
      .map(({ link }) => link)
  const events = () => [...caller.sandbox.world.notification.events.values()].map((one) => JSON.stringify(one))
  const lease = {
    externalId: 'lease-1',
    tenants: [
      { info: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' } },
      { info: { firstName: 'Kari', lastName: 'Nordmann', email: 'kari.nordmann@example.com' } },
    ],
    landlord: { name: 'Utleie' },
    contract: { monthlyRent: 9000, depositFactor: 3, dataToSign: { rentContractPDF: 'JVBERi0=' } },
  }

  it('starts with two deposits that are not fully funded and two that are', async () => {
    const ids = ['deposit-unfunded-1', 'deposit-unfunded-2', 'deposit-funded-1', 'deposit-funded-2']
    const states = await Promise.all(ids.map(async (id) => (await get(id)).status.depositStatus))
    states.should.deepEqual(['SIGNED', 'PAID_PARTIAL', 'PAID', 'PAID'])
  })

  it('cancels a deposit that is not fully funded, without a body in the answer', async () => {
    const answer = await cancel('deposit-unfunded-2')
    answer.should.containDeep({ status: 200, text: '' })
    const { status } = await get('deposit-unfunded-2')
    status.should.containDeep({ depositStatus: 'CANCELED', funds: 0 })
    // Canceling publishes no event, because the deposit was not terminated.
    events()
      .join()
      .should.not.match(/deposit_terminated/)
  })

  it('pays only the signed amounts: the rest stays on the account, and the page says so', async () => {
    await terminate('deposit-funded-1', split(10000, 2000))
    const [link = ''] = linksTo(/is split/)
    const page = await fetch(link, { headers: { Accept: 'text/html' } })
    should(await page.text()).match(/Stays in the account<\/dt><dd>15000</)
    await caller.open('POST', link)
    const deposit = caller.sandbox.world.deposit.deposits.get('deposit-funded-1')
    should(deposit?.payouts.map(({ to, amount }) => [to, amount])).deepEqual([
      ['tenant', 10000],
      ['landlord', 2000],
    ])
    should((await get('deposit-funded-1')).status).containEql({ depositStatus: 'TERMINATED', funds: 15000 })
  })

  it('opens the account once the landlord has signed as well, where that was asked for', async () => {
    const landlord = { name: 'Utleie', representativeSignature: true }
    const contactDetails = { email: 'utleie@example.com' }
    const { json } = await caller.call<DepositBody & { landlord: { signUrl: string } }>('POST', '/deposit/personal', {
      ...lease,
      landlord,
      contactDetails,
    })
    const links = linksTo(/agreement/).filter((link) => link !== json.landlord.signUrl)
    for (const link of links) await caller.open('POST', link)
    ;(await get(json.id)).status.depositStatus.should.equal('CREATED')
    await caller.open('POST', json.landlord.signUrl)
    ;(await get(json.id)).status.depositStatus.should.equal('SIGNED')
  })

  it('sends an SMS to a tenant without an e-mail address, and nothing where both are missing', async () => {
    const ola = { firstName: 'Ola', lastName: 'Nordmann', mobile: '+4799999999' }
    const kari = { firstName: 'Kari', lastName: 'Nordmann', mobile: '+4799999998', email: 'kari.nordmann@example.com' }
    const landlord = { name: 'Utleie', representativeSignature: true }
    await caller.call('POST', '/deposit/personal', { ...lease, tenants: [{ info: ola }, { info: kari }], landlord })
    const notices = caller.sandbox.world.outbox.list().map(({ channel, to, name }) => `${name}: ${channel} to ${to}`)
    notices.should.containEql('Ola Nordmann: sms to +4799999999')
    notices.should.containEql('Kari Nordmann: email to kari.nordmann@example.com')
    notices.should.have.length(2)
  })

  it('refuses to cancel what is fully funded or ended', async () => {
    const answer = await cancel('deposit-funded-1')
    answer.status.should.equal(422)
    answer.json.code.should.equal('DEPOSIT_FULLY_FUNDED')
    answer.json.should.have.properties('message', 'errors')
    await cancel('deposit-unfunded-1')
    ;(await cancel('deposit-unfunded-1')).json.code.should.equal('DEPOSIT_ENDED')
  })

  it('refuses to terminate what is not fully funded', async () => {
    const answer = await terminate('deposit-unfunded-2', { category: 'TENANT', username: 'ola' })
    answer.status.should.equal(422)
    answer.json.code.should.equal('DEPOSIT_NOT_FULLY_FUNDED')
  })

  it('releases everything to the tenant at once', async () => {
    const answer = await terminate('deposit-funded-1', { category: 'TENANT', username: 'ola' })
    answer.should.containDeep({ status: 200, text: '' })
    ;(await get('deposit-funded-1')).status.depositStatus.should.equal('TERMINATED')
    const [payout] = caller.sandbox.world.deposit.deposits.get('deposit-funded-1')?.payouts ?? []
    should(payout).containDeep({ to: 'tenant', amount: 27000 })
  })

  it('pays a split out when the tenant has signed, and takes new amounts until then', async () => {
    ;(await terminate('deposit-funded-1', split(25000, 2000))).status.should.equal(200)
    ;(await get('deposit-funded-1')).status.depositStatus.should.equal('PAID')
    ;(await terminate('deposit-funded-1', split(26000.5, 999.5))).status.should.equal(200)
    const [first = '', second = ''] = linksTo(/is split/)
    ;(await caller.open('POST', first)).status.should.equal(422)
    ;(await get('deposit-funded-1')).status.depositStatus.should.equal('PAID')
    ;(await caller.open('POST', second)).status.should.equal(200)
    const deposit = caller.sandbox.world.deposit.deposits.get('deposit-funded-1')
    should(deposit).containDeep({
      status: 'TERMINATED',
      payouts: [
        { to: 'tenant', amount: 26000.5 },
        { to: 'landlord', amount: 999.5, kid: '2345676', description: 'Damage' },
      ],
    })
    ;(await terminate('deposit-funded-1', split(1, 1))).json.code.should.equal('DEPOSIT_ENDED')
  })

  it('lets TENANT overtake a split that waits', async () => {
    await terminate('deposit-funded-1', split(25000, 2000))
    ;(await terminate('deposit-funded-1', { category: 'TENANT', username: 'ola' })).status.should.equal(200)
    const [link = ''] = linksTo(/is split/)
    ;(await caller.open('POST', link)).status.should.equal(422)
  })

  it('refuses parts beyond the funds, and invalid amounts', async () => {
    const tooMuch = await terminate('deposit-funded-1', split(27000, 0.01))
    tooMuch.should.containDeep({ status: 422, json: { code: 'AMOUNT_EXCEEDS_FUNDS' } })
    for (const [tenant, landlord] of [
      [-1, 5],
      ['5', 5],
      [1.005, 1],
      [0, 0],
      [undefined, 1],
    ]) {
      ;(await terminate('deposit-funded-1', split(tenant, landlord))).status.should.equal(400)
    }
    linksTo(/is split/).should.be.empty()
  })

  it('names every field that is missing in terminate', async () => {
    const { status, json } = await terminate('deposit-funded-1', { category: 'DISPUTE' })
    status.should.equal(400)
    json.errors.map(({ field }) => field).should.deepEqual(['category', 'username'])
  })

  it('creates a deposit that goes from created over signed and partly paid to paid', async () => {
    const { json } = await caller.call<DepositBody>('POST', '/deposit/personal', lease)
    json.status.depositStatus.should.equal('CREATED')
    json.should.containDeep({ externalId: 'lease-1', landlord: { name: 'Utleie' } })
    JSON.stringify(json).should.not.match(/JVBERi0/)
    for (const link of linksTo(/agreement/)) await caller.open('POST', link)
    const signed = await get(json.id)
    signed.status.depositStatus.should.equal('SIGNED')
    should(signed.tenants[1]?.bankAccountNumber).be.a.String()
    ;(await fund(json.id, 7000)).json.status.should.containDeep({ depositStatus: 'PAID_PARTIAL', funds: 7000 })
    ;(await fund(json.id)).json.status.should.containDeep({ depositStatus: 'PAID', funds: 27000 })
    const types = events().map((one) => (JSON.parse(one) as { type: string }).type)
    types.should.deepEqual([
      'deposit_created',
      'deposit_bank_account_created',
      'deposit_bank_account_created',
      'deposit_partially_funded',
      'deposit_fully_funded',
    ])
  })

  it('treats a payment of 0 as no payment, but the agreement as signed', async () => {
    const { json } = await caller.call<DepositBody>('POST', '/deposit/personal', lease)
    ;(await fund(json.id, 0)).json.status.should.containDeep({ depositStatus: 'SIGNED', funds: 0 })
    should((await fund(json.id, -1)).status).equal(400)
    should((await get(json.id)).status.funds).equal(0)
    events()
      .map((one) => (JSON.parse(one) as { type: string }).type)
      .should.not.matchAny(/funded/)
  })

  it('needs every tenant to sign a split', async () => {
    const { json } = await caller.call<DepositBody>('POST', '/deposit/personal', lease)
    await fund(json.id)
    await terminate(json.id, split(20000, 7000))
    const [first = '', second = ''] = linksTo(/is split/)
    await caller.open('POST', first)
    ;(await get(json.id)).status.depositStatus.should.equal('PAID')
    await caller.open('POST', second)
    ;(await get(json.id)).status.depositStatus.should.equal('TERMINATED')
  })

  it('shows the tenant what to sign, and what is no longer valid, on a page', async () => {
    const asBrowser = async (link: string, method = 'GET') =>
      (await fetch(link, { method, headers: { Accept: 'text/html' } })).text()
    await terminate('deposit-funded-1', split(25000, 2000))
    await terminate('deposit-funded-1', split(26000, 1000))
    const [first = '', second = ''] = linksTo(/is split/)
    ;(await asBrowser(first)).should.match(/no longer valid/)
    ;(await asBrowser(second)).should.match(/26000[^]*1000[^]*Damage[^]*<button>Sign/)
    ;(await asBrowser(second, 'POST')).should.match(/You have signed/)
    ;(await get('deposit-funded-1')).status.depositStatus.should.equal('TERMINATED')
  })

  it('shows deposits and a button to fund them in the control room', async () => {
    const { json } = await caller.open<{ deposits: string }>('GET', '/sandbox/panels')
    json.deposits.should.match(/deposit-funded-1/)
    json.deposits.match(/Pay in all: deposit-unfunded/g)?.length.should.equal(2)
  })

  it('says what a deposit lacks', async () => {
    const { status, json } = await caller.call('POST', '/deposit/personal', {
      tenants: [{ info: { firstName: 'Ola' } }],
    })
    status.should.equal(400)
    json.errors
      .map(({ field }) => field)
      .should.deepEqual([
        'tenants[0].info.lastName',
        'tenants[0].info.email',
        'landlord.name',
        'contract.depositAmount',
      ])
  })

  it('takes a tenant with a mobile number in place of an e-mail address', async () => {
    const { json } = await caller.call('POST', '/deposit/personal', {
      tenants: [{ info: { firstName: 'Ola', lastName: 'Nordmann', mobile: '+4799999999' } }],
    })
    json.errors.map(({ field }) => field).should.deepEqual(['landlord.name', 'contract.depositAmount'])
  })

  it('knows no other deposit', async () => {
    ;(await caller.call('GET', '/deposit/personal/other')).status.should.equal(404)
    ;(await cancel('other')).status.should.equal(404)
  })

  it('lists deposits in short, by status and in pages', async () => {
    interface List {
      size: number
      links: { next: string }
      data: { id: string; status: string; tenants: { firstName: string }[]; landlord: { name: string } }[]
    }
    const list = async (query: string) => (await caller.call<List>('GET', `/deposit/personal/summary${query}`)).json
    const paid = await list('?status=PAID&limit=1')
    should({ size: paid.size, ids: paid.data.map(({ id }) => id) }).deepEqual({ size: 2, ids: ['deposit-funded-1'] })
    should(paid.data[0]).containDeep({
      status: 'PAID',
      tenants: [{ firstName: 'Ola' }],
      landlord: { name: 'Kari Nordmann' },
    })
    const next = await caller.call<List>('GET', paid.links.next)
    should(next.json.data.map(({ id }) => id)).deepEqual(['deposit-funded-2'])
    await cancel('deposit-unfunded-1')
    should((await list('?status=CANCELED')).data.map(({ id }) => id)).deepEqual(['deposit-unfunded-1'])
  })

  it('changes what finds the landlord, and nothing else', async () => {
    const path = '/deposit/personal/deposit-unfunded-1'
    const { json } = await caller.call<{ landlord: object }>('PATCH', path, { landlord: { ssn: '00000000001' } })
    should(json.landlord).containEql({ name: 'Kari Nordmann', ssn: '00000000001' })
    const wrong = await caller.call('PATCH', path, { landlord: { name: 'Ola' }, externalId: 'other' })
    should(wrong.json.errors.map(({ field }) => field)).deepEqual(['externalId', 'landlord.name'])
    await cancel('deposit-unfunded-1')
    ;(await caller.call('PATCH', path, { landlord: { ssn: '00000000002' } })).status.should.equal(422)
  })
})
