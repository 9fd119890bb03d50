/** "deposit terminate" against the sandbox: both categories, the checks, the dry run, the payment reference. */
import should from 'should'
import { isRequired, isStarred, problemOf } from '../../lib/settings/validation'
import { isKid } from '../../lib/settings/kid'
import { kid } from '../../lib/settings/rules'
import node from '../../nodes/deposit-terminate/deposit-terminate'
import { fields } from '../../nodes/deposit-terminate/deposit-terminate.fields'
import { startFlow, stopFlow } from '../support/flow'
import { startService, type Service } from '../support/service'
import { sentence } from '../support/wording'

describe('deposit terminate', () => {
  let service: Service
  const start = (settings: object = {}, client: object = {}) =>
    startFlow({ type: 'eid-deposit-terminate', module: node, settings, client: { baseUrl: service.url, ...client } })
  const body = async () => (await service.requests('terminateDeposit')).at(-1)?.body
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('releases everything to the tenant at once', async () => {
    const flow = await start({ category: 'TENANT', username: 'ola' })
    flow.send({ depositId: 'deposit-funded-1', kept: 1 })
    const msg = await flow.next()
    should(await body()).deepEqual({ category: 'TENANT', username: 'ola' })
    should(msg.payload).have.properties({ id: 'deposit-funded-1', operation: 'terminateDeposit' })
    should(msg.payload).have.properties({ category: 'TENANT', effect: 'paid-out' })
    should((msg.payload as { text: string }).text).equal(sentence('deposit-terminate', 'effects.paid-out'))
    should(msg).have.properties({ depositId: 'deposit-funded-1', kept: 1 })
    should(flow.statuses.at(-1)?.text).equal('paid out to the tenant')
  })

  it('says which deposit it is that was released before', async () => {
    const flow = await start({ category: 'TENANT', username: 'ola' })
    const msg = { depositId: 'deposit-funded-1' }
    flow.send({ ...msg })
    await flow.next()
    flow.send({ ...msg })
    const { error } = await flow.caught()
    should(error).have.property('code', 'EID_REFUSED')
    should(error.message).match(/^Refused for deposit deposit-funded-1: .* Nothing was done\.$/)
  })

  it('splits, with everything as it was typed, and can change the amounts until the tenant signs', async () => {
    const flow = await start({
      category: 'SPLIT',
      username: 'kari',
      amountTenant: '25000.50',
      amountLandlord: 'rest',
      amountLandlordType: 'msg',
      kid: '0012345674',
      landlordDescription: "O'Brien & Sønn <AS>",
    })
    for (const rest of [1999.5, 1000]) {
      flow.send({ depositId: 'deposit-funded-2', rest })
      const msg = await flow.next()
      should(msg.payload).have.properties({ category: 'SPLIT', effect: 'waiting-for-signature' })
      should((msg.payload as { text: string }).text).match(/document to sign/)
      should(await body()).deepEqual({
        category: 'SPLIT',
        username: 'kari',
        amount: { tenant: 25000.5, landlord: rest },
        transactionInfo: { landlord: { kid: '0012345674', description: "O'Brien & Sønn <AS>" } },
      })
    }
    // Green means done, but nothing is paid out before the tenants have signed.
    const text = "waiting for the tenant's signature"
    should(flow.statuses.at(-1)).deepEqual({ fill: 'blue', shape: 'dot', text })
  })

  it('names an invalid amount once', async () => {
    const flow = await start({ category: 'SPLIT', username: 'kari', amountTenant: '1.234', amountLandlord: '10' })
    flow.send({ depositId: 'deposit-funded-2' })
    const { error } = await flow.caught()
    should((error.cause.problems as { path: string }[]).map(({ path }) => path)).deepEqual(['amountTenant'])
    should(await service.requests('terminateDeposit')).have.length(0)
  })

  for (const type of ['num', 'msg', 'env']) {
    it(`sends nothing for 2.000, which is two or two thousand (${type})`, async () => {
      process.env.EID_TEST_PART = '2.000'
      const value = { num: '2.000', msg: 'part', env: 'EID_TEST_PART' }[type]
      const split = { category: 'SPLIT', username: 'kari', amountTenant: '10' }
      const flow = await start({ ...split, amountLandlord: value, amountLandlordType: type })
      flow.send({ depositId: 'deposit-funded-2', part: '2.000' })
      const { error } = await flow.caught()
      should(error.message).startWith(sentence('client', 'problems.amount', { path: "Landlord's share" }))
      should(error.cause.outcome).equal('not-done')
      should(await service.requests('terminateDeposit')).have.length(0)
      delete process.env.EID_TEST_PART
    })
  }

  it('sends an untouched payload as it is', async () => {
    const flow = await start()
    const payload = { category: 'SPLIT', username: 'kari', amount: { tenant: 1, landlord: 0 }, more: { x: '01' } }
    flow.send({ depositId: 'deposit-funded-2', payload })
    await flow.next()
    should(await body()).deepEqual(payload)
  })

  it('sends nothing in a dry run', async () => {
    const flow = await start({ category: 'TENANT', username: 'ola', dryRun: true })
    flow.send({ depositId: 'deposit-funded-1' })
    const msg = await flow.next()
    should(msg.payload).have.properties({ dryRun: true, id: 'deposit-funded-1', effect: 'paid-out' })
    should((msg.payload as { wouldSend: object }).wouldSend).have.property('body', {
      category: 'TENANT',
      username: 'ola',
    })
    should(await service.requests()).have.length(0)
    // A green status would mean that the service has done it, or would do it.
    should(flow.statuses.at(-1)).deepEqual({ fill: 'grey', shape: 'dot', text: 'dry run, nothing sent' })
  })

  it('splits nothing in a dry run', async () => {
    const parts = { username: 'ola', amountTenant: '20000', amountLandlord: '7000', kid: '12345674' }
    const flow = await start({ category: 'SPLIT', ...parts, dryRun: true })
    flow.send({ depositId: 'deposit-funded-1' })
    should((await flow.next()).payload).have.properties({ dryRun: true, effect: 'waiting-for-signature' })
    should(await service.requests('terminateDeposit')).have.length(0)
  })

  const ticks: readonly (readonly [unknown, 'on' | 'off'])[] = [
    ...[true, 1, '1', 'true', 'TRUE', ' Yes ', 'on', 'maybe', 'ja', 5, {}].map((one) => [one, 'on'] as const),
    ...[false, 0, '0', 'false', 'FALSE', ' no', 'Off'].map((one) => [one, 'off'] as const),
  ]
  for (const [dryRun, meaning] of ticks) {
    for (const type of typeof dryRun === 'string' ? ['msg', 'bool', 'env'] : ['msg']) {
      it(`${meaning === 'on' ? 'pays nothing out' : 'pays out'} if Dry run is ${JSON.stringify(dryRun)} (${type})`, async () => {
        process.env.EID_TEST_DRY = String(dryRun)
        const value = { msg: 'dry', env: 'EID_TEST_DRY', bool: '${EID_TEST_DRY}' }[type]
        const flow = await start({ category: 'TENANT', username: 'ola', dryRun: value, dryRunType: type })
        flow.send({ depositId: 'deposit-funded-1', dry: dryRun })
        await flow.next()
        should(await service.requests('terminateDeposit')).have.length(meaning === 'on' ? 0 : 1)
        delete process.env.EID_TEST_DRY
      })
    }
  }

  for (const guard of ['dryRun', 'expectedTotal'])
    for (const [type, value, msg] of [
      ['msg', 'wish', {}],
      ['msg', 'wish', { wish: '' }],
      ['msg', 'wish', { wish: null }],
      ['msg', 'wish.deep', {}],
      ['flow', 'wish', {}],
      ['global', 'wish', {}],
      ['env', 'EID_TEST_UNSET', {}],
      ['jsonata', 'wish', {}],
    ] as const)
      for (const category of ['TENANT', 'SPLIT'])
        it(`pays nothing out if ${guard} has no value: ${category} ${type} ${value} ${JSON.stringify(msg)}`, async () => {
          const parts = { amountTenant: '10000', amountLandlord: '17000' }
          const flow = await start({ category, username: 'ola', ...parts, [guard]: value, [`${guard}Type`]: type })
          flow.send({ depositId: 'deposit-funded-1', ...msg })
          const { error } = await flow.caught()
          should(error.cause.problems).match([{ path: guard }])
          should(error.message).match(/^(Dry run|Whole deposit \(for checking\)) is missing.*Nothing was sent\.$/)
          should(await service.requests('terminateDeposit')).have.length(0)
        })

  it('does not split what is not the whole deposit, although the parts add up', async () => {
    const parts = { amountTenant: '15000', amountLandlord: '5000' }
    const flow = await start({ category: 'SPLIT', username: 'kari', ...parts, expectedTotal: '20000' })
    flow.send({ depositId: 'deposit-funded-1' })
    const { error } = await flow.caught()
    should(error.message).match(/^Whole deposit \(for checking\): the deposit is 27000, not 20000/)
    should(await service.requests('terminateDeposit')).have.length(0)
    // A client that may not see deposits can only compare the parts with what the person typed.
    await service.fault({ operation: 'getDeposit', kind: 'status', status: 403 })
    flow.send({ depositId: 'deposit-funded-1' })
    should((await flow.next()).payload).have.property('effect', 'waiting-for-signature')
  })

  it('asks in the form for who releases it, once the form is the request', () => {
    const typed = (stored: Record<string, string>) => (name: string) => ({ value: stored[name], type: undefined })
    for (const name of ['category', 'username'] as const) {
      should(isStarred(fields[name], fields, typed({}))).be.true()
      should(isRequired(fields[name], fields, typed({}))).be.false()
    }
    should(isRequired(fields.username, fields, typed({ category: 'TENANT' }))).be.true()
    should(isRequired(fields.category, fields, typed({ username: 'ola' }))).be.true()
  })

  const wrong: readonly [string, object, string[]][] = [
    ['nothing at all', {}, ['category', 'username']],
    ['another category', { category: 'DISPUTE', username: 'ola' }, ['category']],
    ['a split without amounts', { category: 'SPLIT', username: 'ola' }, ['amount.tenant', 'amount.landlord']],
    ['two zeros', { category: 'SPLIT', username: 'ola', amount: { tenant: 0, landlord: 0 } }, ['amount']],
    ['negative', { category: 'SPLIT', username: 'ola', amount: { tenant: -1, landlord: 5 } }, ['amount.tenant']],
    [
      'three decimals',
      { category: 'SPLIT', username: 'ola', amount: { tenant: 1.005, landlord: 5 } },
      ['amount.tenant'],
    ],
    ['a text', { category: 'SPLIT', username: 'ola', amount: { tenant: '1', landlord: 5 } }, ['amount.tenant']],
  ]
  for (const [what, payload, paths] of wrong) {
    it(`refuses ${what} before any call`, async () => {
      const flow = await start()
      flow.send({ depositId: 'deposit-funded-1', payload })
      const { error } = await flow.caught()
      should((error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual(paths)
      should(await service.requests()).have.length(0)
    })
  }

  it('compares the parts with the whole deposit, to the hundredth', async () => {
    const settings = { category: 'SPLIT', username: 'a', amountTenant: '26999.9', amountLandlord: '0.1' }
    let flow = await start({ ...settings, expectedTotal: '27000' })
    flow.send({ depositId: 'deposit-funded-1' })
    await flow.next()
    await stopFlow()
    flow = await start({ ...settings, expectedTotal: '27000.01' })
    flow.send({ depositId: 'deposit-funded-1' })
    should((await flow.caught()).error.message).match(/add up to 27000, not to 27000\.01/)
  })

  it('guards a request that comes with the message, too', async () => {
    const flow = await start({ expectedTotal: 'total', expectedTotalType: 'msg' })
    const payload = { category: 'SPLIT', username: 'kari', amount: { tenant: 25000, landlord: 2000 } }
    flow.send({ depositId: 'deposit-funded-1', payload, total: 27000.01 })
    should((await flow.caught()).error.message).match(/add up to 27000, not to 27000\.01/)
    should(await service.requests()).have.length(0)
    flow.send({ depositId: 'deposit-funded-1', payload, total: 27000 })
    await flow.next()
    should(await body()).deepEqual(payload)
  })

  it('keeps the parts of a split out of a TENANT request whose category comes with the message', async () => {
    const parts = { amountTenant: '1', amountLandlord: '2', kid: '12345674' }
    const flow = await start({ category: 'who', categoryType: 'msg', username: 'ola', ...parts })
    flow.send({ depositId: 'deposit-funded-1', who: 'TENANT' })
    await flow.next()
    should(await body()).deepEqual({ category: 'TENANT', username: 'ola' })
    flow.send({ depositId: 'deposit-funded-2', who: 'SPLIT' })
    await flow.next()
    should(await body()).have.property('amount', { tenant: 1, landlord: 2 })
    should(flow.warnings.filter((one) => !one.startsWith('The two parts leave'))).be.empty()
  })

  it('warns when a TENANT request contains amounts', async () => {
    const flow = await start()
    const payload = { category: 'TENANT', username: 'ola', amount: { tenant: 1, landlord: 2 } }
    flow.send({ depositId: 'deposit-funded-1', payload })
    await flow.next()
    should(await body()).deepEqual(payload)
    should(flow.warnings.join()).match(/whole amount/)
  })

  it('merges the form over an object, and sends typed values unchanged', async () => {
    const flow = await start({ username: "  O'Brien & Sønn <AS> 🏠 ", body: 'release', bodyType: 'msg' })
    const release = { category: 'TENANT', username: 'x', unknown: ['007'] }
    flow.send({ depositId: 'deposit-funded-1', payload: { never: true }, release })
    await flow.next()
    should(await body()).deepEqual({ ...release, username: "  O'Brien & Sønn <AS> 🏠 " })
  })

  it('says all that is missing at once, the id as well, and refuses ids that lead elsewhere', async () => {
    const flow = await start({ category: 'SPLIT' })
    flow.send({ kept: 1 })
    const { error, ...msg } = await flow.caught()
    should((error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual([
      'depositId',
      'username',
      'amount.tenant',
      'amount.landlord',
    ])
    should(msg).have.property('kept', 1)
    for (const depositId of ['../x', 'a/b', 'a?b', 'a#b', 'a\\b', 'x\n']) {
      flow.send({ depositId })
      should((await flow.caught()).error.message).match(/^Deposit id is not an id/)
    }
    should(await service.requests()).have.length(0)
  })

  for (const kind of ['close-after', 'status'] as const) {
    it(`never repeats a release that may have taken effect (${kind})`, async () => {
      const flow = await start({ category: 'TENANT', username: 'ola' }, { retries: 3 })
      await service.fault({ operation: 'terminateDeposit', kind, status: 500, after: true, count: 5 })
      flow.send({ depositId: 'deposit-funded-1' })
      should((await flow.caught()).error.cause.outcome).equal('unknown')
      should(await service.requests('terminateDeposit')).have.length(1)
    })
  }

  it('sends no KID with a wrong check digit, from the form or the message', async () => {
    const settings = { category: 'SPLIT', username: 'a', amountTenant: '1', amountLandlord: '1', kid: '12345' }
    let flow = await start(settings)
    flow.send({ depositId: 'deposit-funded-1' })
    should((await flow.caught()).error.message).equal(
      `${sentence('client', 'problems.kid', { path: 'KID' })}. Nothing was sent.`,
    )
    await stopFlow()
    flow = await start()
    const landlord = { kid: '12345', description: 'Cleaning' }
    const payload = { category: 'SPLIT', username: 'a', amount: { tenant: 1, landlord: 1 } }
    flow.send({ depositId: 'deposit-funded-1', payload: { ...payload, transactionInfo: { landlord } } })
    should((await flow.caught()).error.message).equal(
      `${sentence('client', 'problems.kid', { path: 'KID' })}. Nothing was sent.`,
    )
    should(await service.requests('terminateDeposit')).have.length(0)
    should(problemOf(fields.kid, { value: '12345', type: 'str' }, false, { kid })).equal('kid')
  })

  it('sends it with a warning when the person says so', async () => {
    const settings = { category: 'SPLIT', username: 'a', amountTenant: '1', amountLandlord: '1', kid: '12345' }
    const flow = await start({ ...settings, sendAnyKid: true })
    flow.send({ depositId: 'deposit-funded-1' })
    await flow.next()
    should(flow.warnings.join()).match(/check digit/)
    should(await body())
      .have.propertyByPath('transactionInfo', 'landlord', 'kid')
      .equal('12345')
  })

  it('warns when a split leaves a part of the deposit unassigned, and sends it', async () => {
    const flow = await start({
      category: 'SPLIT',
      username: 'a',
      amountTenant: '10000',
      amountLandlord: 'rest',
      amountLandlordType: 'msg',
    })
    flow.send({ depositId: 'deposit-funded-1', rest: 2000 })
    should((await flow.next()).payload).have.property('effect', 'waiting-for-signature')
    should(flow.warnings.join()).match(/leave 15000 of the deposit of 27000 unassigned/)
    flow.send({ depositId: 'deposit-funded-1', rest: 17_000 })
    await flow.next()
    should(flow.warnings).have.length(1)
  })

  it('sends a split when it may not look at the deposit, and asks no more', async () => {
    const flow = await start({ category: 'SPLIT', username: 'a', amountTenant: '1', amountLandlord: '1' })
    await service.fault({ operation: 'getDeposit', kind: 'status', status: 403 })
    for (let time = 0; time < 2; time++) {
      flow.send({ depositId: 'deposit-funded-1' })
      should((await flow.next()).payload).have.property('effect', 'waiting-for-signature')
    }
    should(await service.requests('getDeposit')).have.length(1)
    should(flow.warnings).be.empty()
  })

  it('pays nothing out to the tenant when the deposit is another amount', async () => {
    const flow = await start({ category: 'TENANT', username: 'ola', expectedTotal: '27000.50' })
    flow.send({ depositId: 'deposit-funded-1' })
    const { error } = await flow.caught()
    should(error.message).match(/^Whole deposit \(for checking\): the deposit is \d+, not 27000\.50/)
    should(error).match({ code: 'EID_INVALID_INPUT', cause: { outcome: 'not-done' } })
    should(await service.requests('terminateDeposit')).have.length(0)
    await stopFlow()
    const right = await start({ category: 'TENANT', username: 'ola', expectedTotal: '27000' })
    right.send({ depositId: 'deposit-funded-1' })
    should((await right.next()).payload).have.property('effect', 'paid-out')
  })

  it('knows check digits by mod 10 and mod 11', () => {
    for (const kid of ['12345674', '0012345674', '2345676', '000002']) should(isKid(kid)).equal(/4$|6$/.test(kid), kid)
    // Check digits by mod 10 and by mod 11, one of them with a dash for 10, and one with leading zeros.
    for (const kid of ['1234567897', '12345678903', '6-', '00123456789' + '7']) should(isKid(kid)).be.true()
    for (const kid of ['1234567890', '12345678904', '-', '7', '1234567897 ', '1'.repeat(26)])
      should(isKid(kid)).be.false()
    should(isKid('1234567')).be.false()
    should(isKid('12x45')).be.false()
  })
})
