/** "identification session" against the sandbox: every operation, and the time limits. */
import should from 'should'
import node from '../../nodes/identification-session/identification-session'
import { startFlow, stopFlow } from '../support/flow'
import { identify, type Parties } from '../support/parties'
import type { Service } from '../support/service'
import { useParties } from '../support/service-and-site'
import { saying } from '../support/wording'

const minute = 60_000
const redirect = {
  flow: 'redirect',
  redirectSettings: {
    successUrl: 'https://us.example/ok',
    abortUrl: 'https://us.example/abort',
    errorUrl: 'https://us.example/error',
  },
  include: ['name'],
  externalReference: "O'Brien & Sønn <AS> 007",
}
const iframe = {
  flow: 'iframe',
  iframeSettings: { parentDomains: ['https://us.example'], postMessageTargetOrigin: 'https://us.example' },
}
const headless = {
  flow: 'headless',
  allowedProviders: ['no_eid_mobile'],
  prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' },
}

describe('identification session', () => {
  let service: Service
  let parties: Parties
  const realNow = Date.now
  const start = (settings: object = {}) =>
    startFlow({ type: 'eid-identification-session', module: node, settings, client: { baseUrl: service.url } })
  const created = () => parties.call<{ id: string; url: string }>('POST', '/identification/v2/sessions', redirect)
  /** Creates a session, ends it, and returns its id. */
  const ended = async (action = 'success') => {
    const { id, url } = await created()
    await identify(url, action)
    return id
  }
  const quietly = async () => (await service.requests()).filter((one) => one.operation !== 'token')

  useParties((sides) => ({ service, parties } = sides))
  afterEach(async () => {
    Date.now = realNow
    await stopFlow()
  })

  for (const payload of [redirect, iframe, headless]) {
    it(`creates a session with flow ${payload.flow} from an untouched payload`, async () => {
      const flow = await start()
      flow.send({ payload, kept: 1 })
      const msg = await flow.next()
      const made = msg.payload as { id: string; url?: string; created: string; expires: string }
      should((await service.requests('createSession')).at(-1)?.body).deepEqual(payload)
      should(msg).have.properties({ sessionId: made.id, status: 'created', statusV1: 'CREATED', kept: 1 })
      should(Date.parse(made.expires) - Date.parse(made.created)).equal(10 * minute)
      should(typeof made.url === 'string').equal(payload.flow !== 'headless')
      should(flow.statuses.at(-1)?.text).equal(made.url ? 'open for 10 minutes' : 'started on the phone')
    })
  }

  it('gets a session: identity at first, and only what survives after an hour, which it says', async () => {
    const flow = await start({ operation: 'get' })
    const sessionId = await ended()
    flow.send({ sessionId })
    const first = await flow.next()
    should(first).have.properties({ status: 'success', statusV1: 'SUCCESS' })
    should(first).not.have.property('sensitiveDataDeleted')
    should(first.payload).have.propertyByPath('identity', 'fullName')
    should(first.identity).have.properties({ provider: 'no_eid_mobile', fullName: 'Ola Nordmann' })
    await service.sandbox.clock.advance(61 * minute)
    flow.send({ sessionId })
    const later = await flow.next()
    should(later.payload).not.have.property('identity')
    should(later.identity).equal(undefined)
    should(later).have.properties({ sensitiveDataDeleted: true, status: 'success', sessionId })
    should(flow.warnings.join()).match(/one hour/)
    should(flow.statuses.at(-1)?.text).equal('identified, personal data deleted')
  })

  it('says the same of a session without success once an hour has passed, and not before', async () => {
    const flow = await start({ operation: 'get' })
    const sessionId = await ended('abort')
    flow.send({ sessionId })
    const first = await flow.next()
    should(first).have.property('status', 'user_aborted')
    should(first).not.have.property('sensitiveDataDeleted')
    const then = Date.parse((first.payload as { created: string }).created)
    await service.sandbox.clock.advance(61 * minute)
    Date.now = () => then + 61 * minute
    flow.send({ sessionId })
    should(await flow.next()).have.property('sensitiveDataDeleted', true)
  })

  it('reports when a session was not used within ten minutes', async () => {
    const flow = await start({ operation: 'get' })
    const { id } = await created()
    await service.sandbox.clock.advance(11 * minute)
    flow.send({ sessionId: id })
    should(await flow.next()).have.property('status', 'timed_out')
  })

  it('invalidates, says what was done, and may do it again', async () => {
    const flow = await start({ operation: 'invalidate' })
    const { id } = await created()
    for (let n = 0; n < 2; n++) {
      flow.send({ sessionId: id, kept: n })
      const msg = await flow.next()
      should(msg.payload).deepEqual({ id, operation: 'invalidateSession' })
      should(msg).have.properties({ sessionId: id, status: 'invalidated', kept: n })
    }
  })

  it('lists ended sessions only, page after page, up to the limit', async () => {
    for (let n = 0; n < 130; n++) await ended()
    await created()
    for (const [limit, count] of [
      ['1000', 130],
      ['', 100],
      ['7', 7],
    ] as const) {
      const flow = await start({ operation: 'list', limit })
      flow.send({ kept: 1 })
      const msg = await flow.next()
      should(msg.payload).have.property('data').with.length(count)
      should(JSON.stringify(msg.payload)).not.match(/Nordmann|identity/)
      should(msg).have.property('kept', 1)
      await stopFlow()
    }
  })

  it('refuses an invalid limit', async () => {
    for (const limit of ['0', '-1', '2.5']) {
      const flow = await start({ operation: 'list', limit })
      flow.send({})
      should((await flow.caught()).error.message).match(saying('client', 'problems.whole'))
      await stopFlow()
    }
    should(await quietly()).have.length(0)
  })

  for (const operation of ['get', 'invalidate']) {
    it(`refuses to ${operation} without an id, or with one that leads elsewhere`, async () => {
      for (const apiVersion of ['v2', 'v1']) {
        const flow = await start({ operation, apiVersion })
        for (const sessionId of [undefined, '', '..', '../x', 'a/b', 'a?b', 'a#b', 'x\n', {}]) {
          flow.send({ sessionId })
          should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
        }
        await stopFlow()
      }
      should(await quietly()).have.length(0)
    })
  }

  it('reports a session that does not exist', async () => {
    const flow = await start({ operation: 'get' })
    flow.send({ sessionId: 'nobody' })
    should((await flow.caught()).error.code).equal('EID_NOT_FOUND')
  })
})
