/** "deposit" against the sandbox: created, checked for its money, listed, corrected. */
import should from 'should'
import { operations } from '../../lib/api/operations/operations'
import node from '../../nodes/deposit/deposit'
import { inOperation, stopFlow } from '../support/flow'
import { startParties } from '../support/parties'
import { startService, type Service } from '../support/service'
import { sentence } from '../support/wording'

interface Done extends Record<string, unknown> {
  readonly status: string
  readonly warnings: string[]
}

describe('deposit', () => {
  let service: Service
  const start = inOperation('eid-deposit', node, () => service.url)
  const run = async (operation: string, settings: object = {}, msg: object = {}): Promise<Done> => {
    const flow = await start(operation, settings)
    flow.send({ kept: 1, ...msg })
    const out = await flow.next()
    should(out).have.properties({ kept: 1, statusCode: 200 })
    const status = flow.statuses.at(-1)?.text ?? ''
    const { warnings } = flow
    await stopFlow()
    return { ...out, status, warnings }
  }
  const refused = async (operation: string, settings: object = {}, msg: object = {}) => {
    const flow = await start(operation, settings)
    flow.send({ ...msg })
    const { error } = await flow.caught()
    await stopFlow()
    should(await service.requests()).have.length(0)
    return (error.cause.problems as { path: string }[] | undefined)?.map(({ path }) => path)
  }
  const sent = async (operation: string) => (await service.requests(operation)).at(-1)
  const lease = {
    externalId: 'lease-1',
    tenants: [{ info: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' } }],
    landlord: { name: 'Kari Nordmann' },
    contract: { monthlyRent: 9000, depositFactor: 3 },
  }
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('says whether it is funded, in a word for the flow and below the node', async () => {
    const ask = async (depositId: string) => {
      const asked = await run('get', {}, { depositId })
      return [asked.funded, asked.status]
    }
    should(await ask('deposit-unfunded-1')).deepEqual([false, 'not funded yet'])
    should(await ask('deposit-unfunded-2')).deepEqual([false, 'not funded yet'])
    should(await ask('deposit-funded-1')).deepEqual([true, 'funded'])
    const parties = await startParties(service)
    await parties.call('POST', '/deposit/personal/deposit-unfunded-1/cancel')
    should(await ask('deposit-unfunded-1')).deepEqual([false, 'has ended'])
    const release = { category: 'TENANT', username: 'ola' }
    await parties.call('POST', '/deposit/personal/deposit-funded-1/terminate', release)
    should(await ask('deposit-funded-1')).deepEqual([false, 'has ended'])
  })

  it('has the bank asked again on request', async () => {
    await run('get', {}, { depositId: 'deposit-funded-1' })
    should((await sent('getDeposit'))?.query).deepEqual({})
    await run('get', { queryPayment: true }, { depositId: 'deposit-funded-1' })
    should((await sent('getDeposit'))?.query).deepEqual({ queryPayment: 'true' })
  })

  it('is created from the form, with only the filled-in fields, and funded later', async () => {
    const settings = {
      externalId: 'lease-2031',
      monthlyRent: '9000.50',
      depositFactor: 'times',
      depositFactorType: 'msg',
      paymentDeadline: '30',
      paymentDeadlineType: 'days',
      contactEmail: 'kari.nordmann@example.com',
      tenants: '',
      tenantsType: 'form',
      tenantsRows: [
        { firstName: 'Ola', lastName: "O'Nordmann <AS>", email: 'mail', emailType: 'msg', mobile: '+4799999999' },
        {
          firstName: 'Kari',
          lastName: 'Nordmann',
          email: 'kari.nordmann@example.com',
          street: 'Storgata 1',
          aml: 'true',
        },
      ],
      landlordName: 'Utleie',
      organizationNumber: '999999999',
      landlordCity: 'Oslo',
      homeAddress: 'Storgata 1',
      tags: 'a, b',
      more: '{"contract":{"reference":"r-1"}}',
    }
    const bytes = Buffer.from('%PDF-1.4 rent')
    const made = await run('create', settings, { payload: bytes, times: 3, mail: 'ola.nordmann@example.com' })
    const { contract, ...rest } = (await sent('createDeposit'))?.body ?? {}
    const { paymentDeadline, ...others } = contract as { paymentDeadline: string }
    should((Date.parse(paymentDeadline) - Date.now()) / 86_400_000).be.within(29.9, 30)
    should(others).deepEqual({
      reference: 'r-1',
      dataToSign: { rentContractPDF: bytes.toString('base64') },
      monthlyRent: 9000.5,
      depositFactor: 3,
    })
    should(rest).deepEqual({
      externalId: 'lease-2031',
      tenants: [
        {
          info: {
            firstName: 'Ola',
            lastName: "O'Nordmann <AS>",
            email: 'ola.nordmann@example.com',
            mobile: '+4799999999',
          },
        },
        {
          aml: true,
          info: {
            firstName: 'Kari',
            lastName: 'Nordmann',
            email: 'kari.nordmann@example.com',
            address: { street: 'Storgata 1' },
          },
        },
      ],
      landlord: { name: 'Utleie', organizationNumber: '999999999', address: { city: 'Oslo' } },
      rentObject: { address: 'Storgata 1' },
      contactDetails: { email: 'kari.nordmann@example.com' },
      advanced: { tags: ['a', 'b'] },
    })
    should(made).match({ funded: false, status: 'deposit created' })
    const { depositId, url, payload } = made
    should(payload).have.property('id', depositId)
    should((await fetch(String(url))).status).equal(200)
    should((await run('get', {}, { depositId })).funded).be.false()
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ id: depositId })
    await fetch(`${service.url}/sandbox/fund-deposit`, { method: 'POST', headers, body })
    should((await run('get', {}, { depositId })).funded).be.true()
  })

  it('is created from the message, as it is', async () => {
    await run('create', {}, { payload: { ...lease, unknown: ['007'] } })
    should((await sent('createDeposit'))?.body).deepEqual({ ...lease, unknown: ['007'] })
    await run('create', { externalId: 'other', body: 'payload', bodyType: 'msg' }, { payload: lease })
    should((await sent('createDeposit'))?.body).deepEqual({ ...lease, externalId: 'other' })
  })

  it('names everything that a new one lacks at once, before any call', async () => {
    const nothing = ['tenants', 'landlord.name', 'contract.depositAmount']
    should(await refused('create', { externalId: 'x' })).deepEqual(nothing)
    should(await refused('create', {}, { payload: {} })).deepEqual(nothing)
    const wrong = { ...lease, tenants: [{ info: { firstName: 'Ola' } }], contract: { depositAmount: -1 } }
    should(await refused('create', {}, { payload: wrong })).deepEqual([
      'tenants[0].info.lastName',
      'contract.depositAmount',
    ])
    const past = { ...lease, contract: { depositAmount: 1, paymentDeadline: '2020-01-01T00:00:00Z' } }
    should(await refused('create', {}, { payload: past })).deepEqual(['contract.paymentDeadline'])
    should(await refused('create', {}, { payload: { ...lease, contract: { monthlyRent: 9000 } } })).deepEqual([
      'contract.depositAmount',
    ])
    const rows = { tenantsType: 'form', tenantsRows: [{ firstName: 'Ola' }], landlordName: 'x', depositAmount: '1' }
    should(await refused('create', rows)).deepEqual(['tenants[0].lastName'])
    for (const operation of ['get', 'change']) {
      should(await refused(operation, { landlordSsn: '1' }, { depositId: '../x' })).deepEqual(['depositId'])
      should(await refused(operation, { landlordSsn: '1' })).deepEqual(['depositId'])
    }
    should(await refused('change', {}, { depositId: 'd', payload: 'x' })).deepEqual(['body'])
    should(await refused('list', { limit: '0' })).deepEqual(['limit'])
  })

  it('opens no file of the server that a message brings as content', async () => {
    const settings = { file: 'contract', fileType: 'msg', body: 'payload', bodyType: 'msg' }
    should(await refused('create', settings, { payload: lease, contract: '/etc/hostname' })).deepEqual(['file'])
  })

  it('sends no contract with a password', async () => {
    const settings = { file: 'contract', fileType: 'msg', body: 'payload', bodyType: 'msg' }
    const contract = Buffer.from('%PDF-1.4\ntrailer\n<</Encrypt 5 0 R>>')
    should(await refused('create', settings, { payload: lease, contract })).deepEqual(['file'])
  })

  it('keeps its id whatever the answer says about its tenants', async () => {
    for (const tenants of [{}, 'none', null, [], [null], 7]) {
      const body = { id: 'deposit-1', tenants }
      await service.fault({ operation: 'createDeposit', kind: 'status', status: 200, body })
      const made = await run('create', {}, { payload: lease })
      should(made).have.property('depositId', 'deposit-1')
      should(made.payload).deepEqual(body)
    }
  })

  it('warns when the message has made one already: two messages are two deposits', async () => {
    const again = await run('create', {}, { payload: lease, depositId: 'deposit-funded-1' })
    should(again.warnings.join()).equal(sentence('deposit', 'warnings.second', { id: 'deposit-funded-1' }))
    should((await run('create', {}, { payload: lease })).warnings).be.empty()
  })

  it('warns of more time to pay than usual, and sends it anyway', async () => {
    const contract = { depositAmount: 1, paymentDeadline: new Date(Date.now() + 60 * 86_400_000).toISOString() }
    should((await run('create', {}, { payload: { ...lease, contract } })).warnings.join()).match(/45 days/)
  })

  it('is found again by its state', async () => {
    const all = await run('list')
    should(all).match({ status: '4 deposits' })
    const funded = await run('list', { depositStatus: 'PAID', limit: '1' })
    should(funded).have.property('status', '1 deposit')
    should((funded.payload as { data: object[] }).data).have.length(1)
    const { query } = (await sent('listDeposits')) ?? {}
    should(query).deepEqual({ status: 'PAID', offset: '0', limit: '1' })
  })

  it('is corrected in its landlord, and keeps the rest', async () => {
    const settings = { organizationNumber: '999999999', landlordStreet: 'Storgata 2', landlordName: 'typed for create' }
    const changed = await run('change', settings, { depositId: 'deposit-funded-1' })
    should((await sent('changeDeposit'))?.body).deepEqual({
      landlord: { organizationNumber: '999999999', address: { street: 'Storgata 2' } },
    })
    should(changed.payload).have.propertyByPath('landlord', 'name').equal('Kari Nordmann')
    should(changed).match({ depositId: 'deposit-funded-1', status: 'deposit changed' })
  })

  it('is created once if the call may have arrived, also when a gateway answers with Retry-After', async () => {
    should(operations.createDeposit.repeat).equal('never')
    for (const fault of [{ kind: 'close-after' }, { kind: 'status', status: 503, retryAfter: '0', after: true }]) {
      await service.reset()
      await service.fault({ operation: 'createDeposit', count: 5, ...fault })
      const flow = await start('create', {}, { retries: 3 })
      flow.send({ payload: lease })
      should((await flow.caught()).error.cause.outcome).equal('unknown')
      should(await service.requests('createDeposit')).have.length(1)
      await stopFlow()
    }
    await service.reset()
    await service.fault({ operation: 'createDeposit', kind: 'status', status: 429, retryAfter: '0', count: 1 })
    const flow = await start('create', {}, { retries: 1 })
    flow.send({ payload: lease })
    should(await flow.next()).have.property('depositId')
  })

  it('sends nothing after a deploy in the middle of its creation', async () => {
    await service.fault({ operation: 'createDeposit', kind: 'slow', delay: 60_000 })
    const flow = await start('create', {}, { retries: 3 })
    flow.send({ payload: lease })
    while ((await service.requests('createDeposit')).length === 0) await new Promise(setImmediate)
    await flow.redeploy({ name: 'again' })
    should(flow.waiting().out).equal(0)
    should(await service.requests('createDeposit')).have.length(1)
  })

  it('is no success when the answer is about another, or does not give its status', async () => {
    const bodies = [
      { id: 'another', status: { depositStatus: 'PAID' } },
      { id: 'deposit-funded-1' },
      { id: 'deposit-funded-1', status: { depositStatus: '' } },
      {},
    ]
    for (const body of bodies) {
      await service.fault({ operation: 'getDeposit', kind: 'status', status: 200, body })
      const flow = await start('get')
      flow.send({ depositId: 'deposit-funded-1' })
      should((await flow.caught()).error.code).equal('EID_SERVICE', JSON.stringify(body))
      await stopFlow()
    }
    for (const body of [{}, { id: 7 }, { externalId: 'lease-1' }]) {
      await service.fault({ operation: 'createDeposit', kind: 'status', status: 200, body, after: true })
      const flow = await start('create')
      flow.send({ payload: lease })
      should((await flow.caught()).error).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown' } })
      await stopFlow()
    }
  })
})
