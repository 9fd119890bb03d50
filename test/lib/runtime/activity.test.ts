/** What a client has done in the last hour: every call once, failures too, and nothing of a call that was stopped. */
import should from 'should'
import type { ApiClient } from '../../../lib/api/client'
import { listActivity, openActivity } from '../../../lib/runtime/monitor/activity'

const about = { id: 'activity', name: 'ours', environment: 'sandbox' }

/** A client whose next call ends like this. */
function clientOf(call: () => Promise<unknown>): ApiClient {
  const client = { baseUrl: 'http://127.0.0.1:1', axios: {}, send: call, request: call, tokenUntil: () => 42 }
  return client as unknown as ApiClient
}

const answer = { status: 200, headers: {}, data: {} }

describe('the activity of a client', () => {
  afterEach(() => openActivity(about).close(true))

  it('counts calls and failures, and hands on what the call gave', async () => {
    const record = openActivity(about)
    const error = new Error('refused')
    const good = record.watch(clientOf(() => Promise.resolve(answer)))
    should(await good.send('ping')).equal(answer)
    should(await good.request({ method: 'GET', path: '/', repeat: 'safe' })).equal(answer)
    const bad = record.watch(clientOf(() => Promise.reject(error)))
    should(await bad.send('ping').catch((thrown: unknown) => thrown)).equal(error)
    const [activity] = listActivity()
    should(activity).match({ ...about, calls: 3, failures: 1, tokenUntil: 42, address: 'http://127.0.0.1:1' })
    should(activity?.lastSuccess).be.a.Number()
    should(activity?.lastFailure).be.a.Number()
  })

  it('says nothing of a call that was stopped with its flow', async () => {
    const stopped = AbortSignal.abort()
    const client = openActivity(about).watch(clientOf(() => Promise.reject(new Error('stopped'))))
    await client.send('ping', { signal: stopped }).catch(() => undefined)
    should(listActivity()[0]).match({ calls: 0, failures: 0 })
  })

  it('goes on over a deployment, and is forgotten with its node', async () => {
    const before = openActivity(about)
    await before.watch(clientOf(() => Promise.resolve(answer))).send('ping')
    before.close(false)
    should(listActivity()).be.empty()
    const after = openActivity({ ...about, name: 'renamed' })
    const [activity] = listActivity()
    should(activity).match({ name: 'renamed', calls: 1 })
    should(activity?.address).be.undefined()
    after.close(true)
    openActivity(about)
    should(listActivity()[0]).match({ calls: 0 })
  })
})
