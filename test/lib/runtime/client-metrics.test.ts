/** What a client has done in the last hour: every call once, including failed ones, but not aborted ones. */
import should from 'should'
import type { ApiClient } from '../../../lib/api/client'
import { nodeError } from '../../../lib/api/errors/errors'
import type { HostOwner } from '../../../lib/runtime/node-red/host'
import { listMetrics, openMetrics } from '../../../lib/runtime/monitor/client-metrics'

let RED: HostOwner

const about = { id: 'activity', name: 'ours', environment: 'sandbox' }

/** A client whose next call ends as given. */
function clientOf(call: () => Promise<unknown>): ApiClient {
  const client = { baseUrl: 'http://127.0.0.1:1', axios: {}, send: call, request: call, tokenUntil: () => 42 }
  return client as unknown as ApiClient
}

const answer = { status: 200, headers: {}, data: {} }

describe('the activity of a client', () => {
  beforeEach(() => (RED = {}))

  it('counts calls and failures, and passes on the result of the call', async () => {
    const record = openMetrics(RED, about)
    const error = new Error('refused')
    const good = record.instrument(clientOf(() => Promise.resolve(answer)))
    should(await good.send('ping')).equal(answer)
    should(await good.request({ method: 'GET', path: '/', repeat: 'safe' })).equal(answer)
    const bad = record.instrument(clientOf(() => Promise.reject(error)))
    should(await bad.send('ping').catch((thrown: unknown) => thrown)).equal(error)
    const [activity] = listMetrics(RED)
    should(activity).match({ ...about, calls: 3, failures: 1, tokenUntil: 42, address: 'http://127.0.0.1:1' })
    should(activity?.lastSuccess).be.a.Number()
    should(activity?.lastFailure).be.a.Number()
  })

  it('is unavailable when an answer comes from somewhere else, and available when the service refuses', async () => {
    const fails = async (status: number, code: 'EID_SERVICE' | 'EID_REFUSED') => {
      const cause = { outcome: 'not-done', status, attempts: 1 } as const
      const error = nodeError(code, `errors.${code}`, {}, cause)
      await openMetrics(RED, about)
        .instrument(clientOf(() => Promise.reject(error)))
        .send('ping')
        .catch(() => undefined)
      return listMetrics(RED)[0]?.unavailableSince
    }
    should(await fails(200, 'EID_SERVICE')).be.a.Number()
    should(await fails(422, 'EID_REFUSED')).be.undefined()
    should(await fails(302, 'EID_SERVICE')).be.a.Number()
  })

  it('says nothing of a call that was stopped with its flow', async () => {
    const stopped = AbortSignal.abort()
    const client = openMetrics(RED, about).instrument(clientOf(() => Promise.reject(new Error('stopped'))))
    await client.send('ping', { signal: stopped }).catch(() => undefined)
    should(listMetrics(RED)[0]).match({ calls: 0, failures: 0 })
  })

  it('survives a deploy, and is forgotten with its node', async () => {
    const before = openMetrics(RED, about)
    await before.instrument(clientOf(() => Promise.resolve(answer))).send('ping')
    before.close(false)
    should(listMetrics(RED)).be.empty()
    const after = openMetrics(RED, { ...about, name: 'renamed' })
    const [activity] = listMetrics(RED)
    should(activity).match({ name: 'renamed', calls: 1 })
    should(activity?.address).be.undefined()
    after.close(true)
    openMetrics(RED, about)
    should(listMetrics(RED)[0]).match({ calls: 0 })
  })
})
