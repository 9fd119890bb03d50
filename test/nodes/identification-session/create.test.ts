/** The request of "identification session": from the form, from the message, checked before it is sent. */
import should from 'should'
import node from '../../../nodes/identification-session/identification-session'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

const redirectSettings = {
  successUrl: 'https://us.example/ok',
  abortUrl: 'https://us.example/abort',
  errorUrl: 'https://us.example/error',
}
const redirect = { flow: 'redirect', redirectSettings }
const iframeSettings = { parentDomains: ['https://us.example'], postMessageTargetOrigin: 'https://us.example' }
const headless = {
  flow: 'headless',
  allowedProviders: ['no_eid_mobile'],
  prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' },
}

describe('the request of an identification session', () => {
  let service: Service
  const start = (settings: object = {}) =>
    startFlow({ type: 'eid-identification-session', module: node, settings, client: { baseUrl: service.url } })
  const body = async () => (await service.requests('createSession')).at(-1)?.body
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('comes from the form, with only the fields of the chosen flow', async () => {
    const flow = await start({
      flow: 'redirect',
      ...redirectSettings,
      allowedProviders: 'no_eid_mobile, sms_otp',
      include: '["name","nin"]',
      includeType: 'json',
      language: 'no',
      externalReference: 'ref',
      externalReferenceType: 'msg',
      parentDomains: 'https://never.example',
      phoneNumber: '+4799999999',
    })
    flow.send({ payload: { flow: 'headless' }, ref: '007' })
    await flow.next()
    should(await body()).deepEqual({
      ...redirect,
      allowedProviders: ['no_eid_mobile', 'sms_otp'],
      include: ['name', 'nin'],
      language: 'no',
      externalReference: '007',
    })
  })

  it('holds the typed More fields unchanged, also empty ones', async () => {
    const flow = await start({
      flow: 'redirect',
      ...redirectSettings,
      more: '{"ui":{"themeMode":""},"departmentId":""}',
    })
    flow.send({})
    await flow.next()
    should(await body()).have.properties({ ui: { themeMode: '' }, departmentId: '' })
  })

  it('says how the page looks, where there is a page', async () => {
    const look = { themeMode: 'dark', colorTheme: 'light_blue', topBarTitle: 'Utleie AS' }
    const person = { allowedProviders: 'no_eid_mobile', phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' }
    const flow = await start({ flow: 'how', flowType: 'msg', ...redirectSettings, ...look, ...person })
    flow.send({ how: 'redirect' })
    await flow.next()
    should(await body()).have.property('ui', {
      themeMode: 'dark',
      colorTheme: 'light_blue',
      topBar: { title: 'Utleie AS' },
    })
    flow.send({ how: 'headless' })
    await flow.next()
    should(await body())
      .have.property('flow', 'headless')
      .and.not.have.property('ui')
  })

  it('has an invalid address named once', async () => {
    const flow = await start({ flow: 'redirect', ...redirectSettings, successUrl: 'example.com/done' })
    flow.send({})
    const { error } = await flow.caught()
    should((error.cause.problems as { path: string }[]).map(({ path }) => path)).deepEqual(['successUrl'])
  })

  it('holds only what belongs to the flow, also when the flow comes with the message', async () => {
    const origin = 'https://us.example'
    const both = { ...redirectSettings, parentDomains: origin, postMessageTargetOrigin: origin }
    const flow = await start({ flow: 'how', flowType: 'msg', ...both })
    for (const sent of [redirect, { flow: 'iframe', iframeSettings }]) {
      flow.send({ how: sent.flow })
      await flow.next()
      should(await body()).deepEqual(sent)
    }
  })

  it('is the form over what "more" adds, over an object', async () => {
    const more = '{"ui":{"themeMode":"dark"},"language":"no"}'
    const externalReference = "  O'Brien & Sønn <AS> 🪪 007"
    const flow = await start({ more, language: 'sv', externalReference, body: 'base', bodyType: 'msg' })
    const base = { ...redirect, include: ['name', 'nin'], unknown: { deep: ['007'] } }
    flow.send({ base, payload: { flow: 'never' } })
    await flow.next()
    should(await body()).deepEqual({ ...base, ui: { themeMode: 'dark' }, language: 'sv', externalReference })
  })

  const pages = ['redirectSettings.successUrl', 'redirectSettings.abortUrl', 'redirectSettings.errorUrl']
  const phone = ['prefilledInput.phoneNumber', 'prefilledInput.dateOfBirth']
  const wrong: readonly [string, object, string[]][] = [
    ['no flow', {}, ['flow']],
    ['another flow', { flow: 'popup' }, ['flow']],
    ['a flow that every object has', { flow: 'constructor' }, ['flow']],
    ['redirect without its addresses', { flow: 'redirect' }, pages],
    [
      'iframe without its origins',
      { flow: 'iframe' },
      ['parentDomains', 'postMessageTargetOrigin'].map((one) => `iframeSettings.${one}`),
    ],
    ['headless without a provider', { flow: 'headless' }, ['allowedProviders']],
    ['a phone without number and birth date', { flow: 'headless', allowedProviders: ['no_eid_mobile'] }, phone],
    [
      'the Swedish one without a national id',
      { flow: 'headless', allowedProviders: ['se_eid'] },
      ['prefilledInput.nin'],
    ],
    [
      'a birth date in another form',
      { ...headless, prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '010190' } },
      ['prefilledInput.dateOfBirth'],
    ],
    [
      'a birth date that is no day',
      { ...headless, prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-13-45' } },
      ['prefilledInput.dateOfBirth'],
    ],
  ]
  for (const [what, payload, paths] of wrong) {
    it(`is refused before any call: ${what}`, async () => {
      const flow = await start()
      flow.send({ payload, kept: 1 })
      const caught = await flow.caught()
      should((caught.error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual(paths)
      should(caught).have.property('kept', 1)
      should(JSON.stringify(caught.error)).not.match(/99999999|010190|1990-13/)
      should(await service.requests()).have.length(0)
    })
  }

  const doubtful: readonly [string, object, RegExp][] = [
    ['a provider that is not known for headless', { flow: 'headless', allowedProviders: ['fi_eid'] }, /headless/],
    [
      'a phone number without its prefix',
      { ...headless, prefilledInput: { phoneNumber: '99999999', dateOfBirth: '1990-01-01' } },
      /country prefix/,
    ],
  ]
  for (const [what, payload, warning] of doubtful) {
    it(`is sent with a warning: ${what}`, async () => {
      const flow = await start()
      flow.send({ payload })
      await Promise.race([flow.next(), flow.caught()])
      should(await body()).deepEqual(payload)
      should(flow.warnings.join()).match(warning)
    })
  }

  it('is sent without a word when nothing is doubtful, whatever the provider is called', async () => {
    const flow = await start()
    flow.send({ payload: headless })
    await flow.next()
    // The sandbox does not know these providers. The node sends them, because only the service can decide.
    for (const provider of ['new_mobile_id', 'se_new']) {
      flow.send({ payload: { ...headless, allowedProviders: [provider] } })
      should((await flow.caught()).error.code).equal('EID_REFUSED')
    }
    should(await service.requests('createSession')).have.length(3)
    should(flow.warnings).have.length(0)
  })

  for (const [apiVersion, operation, body] of [
    ['v2', 'createSession', { id: 's-1', status: 'created' }],
    ['v1', 'v1CreateSession', { RequestId: 's-1' }],
  ] as const) {
    it(`brought no success when the answer of ${apiVersion} names no page`, async () => {
      await service.fault({ kind: 'status', operation, status: 201, body })
      const flow = await start({ apiVersion, flow: 'redirect', ...redirectSettings })
      flow.send({ url: 'https://earlier.example/page' })
      const { error } = await flow.caught()
      should(error).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown' } })
    })
  }
})
