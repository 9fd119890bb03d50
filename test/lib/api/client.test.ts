/** The client's calls: their order and limit, how they are aborted, and how long they may take. */
import { getEventListeners, once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import should from 'should'
import { createClient } from '../../../lib/api/client'
import type { CallOptions } from '../../../lib/api/call/call'
import { orAborted, sleep } from '../../../lib/api/call/retry'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import { startServer } from '../../support/servers/server'
import { turn, until } from '../../support/time'

describe('client', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())
  const get = (options: CallOptions = {}, client = bench.client()) => client.send('getDeposit', { id: '1', ...options })
  const post = (options: CallOptions = {}, client = bench.client()) =>
    client.send('terminateDeposit', { id: '1', ...options })

  /** A host that accepts connections but never completes the TLS handshake, so no request can reach it. */
  const startMute = async () => {
    const server = createTcpServer((socket) => socket.on('error', () => socket.destroy()).resume())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { server, client: () => bench.client({ baseUrl, tokenUrl: `${bench.server.url}/oauth/connect/token` }) }
  }

  /** Aborts a call and returns its error, which comes from the abort and not from a time limit. */
  const quickly = async (promise: Promise<unknown>, stop: AbortController) => {
    stop.abort()
    const error = await failure(promise)
    error.code.should.equal('EID_NETWORK')
    error.message.should.containEql('stopped')
    return error
  }

  describe('places', () => {
    it('run up to the limit at once, the others wait in order', async () => {
      const client = bench.client({ concurrency: 2 })
      let running = 0
      let most = 0
      const makeBody = async () => {
        most = Math.max(most, ++running)
        await sleep(3)
        running--
        return { data: '{}', headers: {} }
      }
      await Promise.all(Array.from({ length: 9 }, (_, n) => post({ id: String(n), makeBody }, client)))
      most.should.equal(2)
      const order = bench.server.calls.map((call) => Number(call.path.split('/')[3]))
      order.forEach((n, index) => Math.abs(n - index).should.be.below(2))
    })

    it('are free while a call waits for its next try', async () => {
      const released = new AbortController()
      const wait = () => once(released.signal, 'abort').then(() => undefined)
      const client = bench.client({ concurrency: 1, wait })
      bench.server.answer({ status: 429 }, { body: { ok: true } })
      const first = get({}, client)
      await until(() => bench.server.calls.length === 1)
      await get({}, client)
      released.abort()
      await first
      bench.server.calls.length.should.equal(3)
    })

    it('are left to other calls by background calls: half of them', async () => {
      const client = bench.client({ concurrency: 4 })
      const released = new AbortController()
      const hold = once(released.signal, 'abort')
      bench.server.answer(({ path }) =>
        path.endsWith('/terminate') ? { body: {} } : { hold, body: { documentId: path.split('/').pop() } },
      )
      const asking = Array.from({ length: 20 }, (_, n) => get({ id: `b${n}`, background: true }, client))
      await until(() => bench.server.calls.length === 2)
      await post({}, client)
      await post({}, client)
      bench.server.calls.length.should.equal(4)
      released.abort()
      await Promise.all(asking)
      bench.server.calls.length.should.equal(22)
    })

    it('keep the answers of interleaved calls apart, without a warning about listeners', async () => {
      const warnings: Error[] = []
      const note = (warning: Error) => warnings.push(warning)
      process.on('warning', note)
      bench.server.answer(({ path }) => ({ body: { path, documentId: path.split('/').pop() } }))
      const client = bench.client({ concurrency: 64 })
      const { signal } = new AbortController()
      const ids = Array.from({ length: 64 }, (_, n) => String(n))
      const answers = await Promise.all(ids.map((id) => client.send('getDocument', { id, signal })))
      const paths = answers.map(({ data }) => (data as { path: string }).path)
      paths.should.deepEqual(ids.map((id) => `/signature/documents/${id}`))
      await sleep(1)
      process.off('warning', note)
      warnings.should.be.empty()
    })
  })

  describe('stopped', () => {
    it('beforehand, sends nothing', async () => {
      const error = await failure(get({ signal: AbortSignal.abort() }))
      error.cause.should.match({ attempts: 0, outcome: 'not-done' })
      bench.server.tokenCalls.length.should.equal(0)
    })

    it('while it waits for a place, sends nothing', async () => {
      const client = bench.client({ concurrency: 1 })
      bench.server.answer({ silent: true })
      const holder = new AbortController()
      const holding = failure(get({ signal: holder.signal }, client))
      const stop = new AbortController()
      const waiting = post({ signal: stop.signal }, client)
      await until(() => bench.server.calls.length === 1)
      const error = await quickly(waiting, stop)
      error.cause.should.match({ attempts: 0, outcome: 'not-done' })
      holder.abort()
      await holding
      await until(() => bench.server.sockets.size <= 1)
      bench.server.calls.length.should.equal(1)
    })

    it('while it waits for a place again, knows that it may have acted', async () => {
      const release = new AbortController()
      const wait = () => once(release.signal, 'abort').then(() => undefined)
      const client = bench.client({ concurrency: 1, wait })
      bench.server.answer({ status: 500 }, { silent: true })
      const stop = new AbortController()
      const waiting = get({ signal: stop.signal }, client)
      await until(() => bench.server.calls.length === 1)
      const holder = new AbortController()
      const holding = failure(get({ signal: holder.signal }, client))
      await until(() => bench.server.calls.length === 2)
      release.abort()
      await sleep(5)
      const error = await quickly(waiting, stop)
      error.cause.should.match({ attempts: 1, outcome: 'unknown' })
      holder.abort()
      await holding
      bench.server.calls.length.should.equal(2)
    })

    it('while connecting, has done nothing', async () => {
      const mute = await startMute()
      const stop = new AbortController()
      const waiting = post({ signal: stop.signal }, mute.client())
      await once(mute.server, 'connection')
      const error = await quickly(waiting, stop)
      error.cause.outcome.should.equal('not-done')
      mute.server.close()
    })

    it('while it waits for the answer, may have acted, and leaves no connection', async () => {
      bench.server.answer({ silent: true })
      const stop = new AbortController()
      const waiting = post({ signal: stop.signal, body: {} })
      await until(() => bench.server.calls.length === 1)
      const error = await quickly(waiting, stop)
      error.cause.should.match({ attempts: 1, outcome: 'unknown' })
      await until(() => bench.server.sockets.size <= 1)
      bench.server.calls.length.should.equal(1)
    })

    it('in the middle of the answer, may have acted', async () => {
      const slow = createTcpServer((socket) => {
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"a":'))
        socket.on('error', () => socket.destroy())
      })
      await once(slow.listen(0, '127.0.0.1'), 'listening')
      const baseUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
      const stop = new AbortController()
      const client = bench.client({ baseUrl, tokenUrl: `${bench.server.url}/oauth/connect/token` })
      const waiting = get({ signal: stop.signal }, client)
      await once(slow, 'connection')
      await sleep(20)
      ;(await quickly(waiting, stop)).cause.outcome.should.equal('unknown')
      slow.close()
    })

    for (const [status, outcome] of [[429, 'not-done'] as const, [500, 'unknown'] as const]) {
      it(`while it waits for the next try after ${status}, reports ${outcome} and sends nothing more`, async () => {
        bench.server.answer({ status })
        const stop = new AbortController()
        const waiting = get({ signal: stop.signal }, bench.client({ wait: undefined }))
        await until(() => bench.server.calls.length === 1)
        await sleep(10)
        const error = await quickly(waiting, stop)
        error.cause.outcome.should.equal(outcome)
        bench.server.calls.length.should.equal(1)
      })
    }

    it('while its body is made, sends nothing and closes the source', async () => {
      const stop = new AbortController()
      const data = new PassThrough()
      const makeBody = () => {
        stop.abort()
        return Promise.resolve({ data, headers: {} })
      }
      const error = await failure(post({ signal: stop.signal, makeBody }))
      error.cause.should.match({ attempts: 0, outcome: 'not-done' })
      await until(() => data.destroyed)
      bench.server.calls.length.should.equal(0)
    })

    it('sleeps no longer, and leaves no listener', async () => {
      const stop = new AbortController()
      const sleeping = sleep(60_000, stop.signal)
      stop.abort(new Error('enough'))
      await should(sleeping).be.rejectedWith('enough')
      await should(sleep(1, stop.signal)).be.rejectedWith('enough')
      await should(orAborted(new Promise(() => undefined), stop.signal)).be.rejectedWith('enough')
      const { signal } = new AbortController()
      await sleep(1, signal)
      should(await orAborted(Promise.resolve('done'), signal)).equal('done')
      await turn()
      for (const one of [stop.signal, signal]) should(getEventListeners(one, 'abort')).be.empty()
    })
  })

  describe('time', () => {
    it('runs out while connecting: nothing was done', async () => {
      const mute = await startMute()
      const error = await failure(post({ timeout: 40 }, mute.client()))
      error.code.should.equal('EID_TIMEOUT')
      error.cause.should.match({ attempts: 4, outcome: 'not-done' })
      mute.server.close()
    })

    it('runs out after sending: the service may have acted; the call can have its own limit', async () => {
      bench.server.answer({ silent: true })
      const error = await failure(post({ timeout: 500, body: {} }, bench.client({ timeout: 5000 })))
      error.message.should.containEql('0.5 seconds')
      error.cause.should.match({ attempts: 1, outcome: 'unknown' })
    })

    it('has no end when it is 0', async () => {
      bench.server.answer({ hold: sleep(30), body: { late: true } })
      should((await get({ timeout: 0 })).data).deepEqual({ late: true })
    })
  })

  describe('redirects', () => {
    it('are not followed, and the token goes nowhere else', async () => {
      const elsewhere = await startServer()
      bench.server.answer({ status: 302, headers: { Location: `${elsewhere.url}/stolen` } })
      const error = await failure(get())
      error.code.should.equal('EID_SERVICE')
      error.message.should.containEql('another address')
      elsewhere.calls.length.should.equal(0)
      await elsewhere.close()
    })
  })

  describe('settings', () => {
    const make = (baseUrl: string, tokenUrl?: string) => () => bench.client({ baseUrl, tokenUrl })

    it('must hold addresses', () => {
      for (const bad of ['', 'service', 'http://a:b@service.example', 'http://service.example/?a', 'http://x/#a']) {
        should(make(bad)).throw({ code: 'EID_CONFIG' })
      }
      should(make('http://service.example', 'nowhere')).throw({ code: 'EID_CONFIG' })
      bench.client({ baseUrl: 'http://service.example/api//' }).baseUrl.should.equal('http://service.example/api')
    })

    it('have defaults', async () => {
      const client = createClient({
        baseUrl: bench.server.url,
        clientId: 'a',
        clientSecret: 'b',
        scopes: [],
      })
      should((await client.send('getDeposit', { id: '1' })).data).deepEqual({ ok: true })
      should((await client.testToken()).lifetime).equal(3600)
    })
  })
})
