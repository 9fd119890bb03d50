/**
 * The client's axios instance: a plain script's interceptors and defaults take effect, and nothing of them leaks into
 * our errors.
 */
import { inspect } from 'node:util'
import axios, { AxiosHeaders, type AxiosError, type InternalAxiosRequestConfig } from 'axios'
import should from 'should'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import type { Scripted } from '../../support/servers/server'

describe('the axios instance of a client', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())

  it('runs the interceptors and uses the defaults that a script adds', async () => {
    const client = bench.client()
    const seen: string[] = []
    client.axios.defaults.headers.common['X-Tenant'] = 'ola'
    client.axios.defaults.params = { trace: 'yes' }
    client.axios.interceptors.request.use((config) => {
      seen.push(`to ${new URL(String(config.url)).pathname}`)
      config.headers.set('X-Trace', 't-1')
      return config
    })
    client.axios.interceptors.response.use((response) => {
      seen.push(`from ${response.status}`)
      if (String(response.config.url).includes('/documents/')) response.data = { documentId: '1', title: 'replaced' }
      return response
    })
    const { data } = await client.send('getDocument', { id: '1' })
    should(data).deepEqual({ documentId: '1', title: 'replaced' })
    seen.should.deepEqual(['to /oauth/connect/token', 'from 200', 'to /signature/documents/1', 'from 200'])
    bench.server.calls.length.should.equal(1)
    should(bench.server.calls[0]).match({ path: '/signature/documents/1?trace=yes' })
    should(bench.server.calls[0]?.headers).match({ 'x-trace': 't-1', 'x-tenant': 'ola' })
  })

  it('uses the headers that a script adds for one method', async () => {
    const client = bench.client()
    client.axios.defaults.headers.get['X-Added'] = 'get'
    client.axios.defaults.headers.delete = new AxiosHeaders({ 'X-Set': 'delete' })
    await client.send('getDocument', { id: '1' })
    await client.send('deleteWebhook', { id: '1' })
    const [got, deleted] = bench.server.calls.map(({ headers }) => headers)
    should(got).have.property('x-added', 'get').and.not.have.property('x-set')
    should(deleted).have.property('x-set', 'delete').and.not.have.property('x-added')
  })

  it('reports errors as axios does, and keeps them out of the errors of the client', async () => {
    const client = bench.client({ retries: 0 })
    const seen: unknown[] = []
    client.axios.interceptors.response.use(undefined, (error: AxiosError) => {
      seen.push([axios.isAxiosError(error), error.code, error.response?.status])
      throw error
    })
    bench.server.answer({ status: 422, body: { message: 'no' } }, { close: 'after' })
    const body = { title: 'Lease of Ola Nordmann' }
    const errors = [
      await failure(client.send('terminateDeposit', { id: '1', body })),
      await failure(client.send('terminateDeposit', { id: '1', body })),
    ]
    seen.should.deepEqual([
      [true, 'ERR_BAD_REQUEST', 422],
      [true, 'ECONNRESET', undefined],
    ])
    errors
      .map(({ code, cause }) => [code, cause.outcome])
      .should.deepEqual([
        ['EID_REFUSED', 'not-done'],
        ['EID_NETWORK', 'unknown'],
      ])
    const shown = inspect(errors, { depth: Infinity, showHidden: true })
    for (const secret of ['token-1', 'Bearer', 'secret-of-client-1', 'Nordmann']) shown.should.not.containEql(secret)
  })

  const cancel = (add: (client: ReturnType<ScriptedService['client']>) => void) => {
    const client = bench.client({ retries: 0 })
    add(client)
    return failure(client.send('cancelDeposit', { id: '1' }))
  }
  const isCall = (config: InternalAxiosRequestConfig | undefined) => String(config?.url).includes('/deposit/')

  it('knows that nothing was done when an interceptor refuses to send', async () => {
    const error = await cancel(({ axios }) =>
      axios.interceptors.request.use((config) => {
        if (isCall(config)) throw new Error('Bearer token-1 is not for me')
        return config
      }),
    )
    error.code.should.equal('EID_SERVICE')
    error.cause.outcome.should.equal('not-done')
    inspect(error, { depth: Infinity, showHidden: true }).should.not.containEql('token-1')
    bench.server.calls.should.be.empty()
  })

  it('reports an unknown outcome when an interceptor fails with the response in its hands', async () => {
    const error = await cancel(({ axios }) =>
      axios.interceptors.response.use((response) => {
        if (isCall(response.config)) throw new Error('odd')
        return response
      }),
    )
    error.cause.outcome.should.equal('unknown')
    bench.server.calls.length.should.equal(1)
  })

  it('remembers that a request has left when a retry gets no answer', async () => {
    bench.server.answer({ close: 'after' })
    const error = await cancel(({ axios }) => {
      let again = true
      axios.interceptors.response.use(undefined, async (error: AxiosError) => {
        if (!again || !isCall(error.config)) throw error
        again = false
        await bench.server.close()
        return axios.request({ ...error.config })
      })
    })
    error.code.should.equal('EID_NETWORK')
    error.cause.outcome.should.equal('unknown')
  })

  it('does not know how far another adapter came', async () => {
    const other = (config: InternalAxiosRequestConfig) =>
      isCall(config)
        ? Promise.reject(new Error('gone'))
        : Promise.resolve({ data: '{"access_token":"t"}', status: 200, statusText: '', headers: {}, config })
    const error = await cancel(({ axios }) => (axios.defaults.adapter = other))
    error.cause.outcome.should.equal('unknown')
  })

  /** The settings of an interceptor that keeps only what is sent. */
  const anew = ({ url, method, headers, data }: InternalAxiosRequestConfig): InternalAxiosRequestConfig =>
    ({ url, method, headers, data: data as unknown }) as InternalAxiosRequestConfig

  it('sends settings that an interceptor has replaced like all others', async () => {
    const client = bench.client()
    client.axios.interceptors.request.use(anew)
    bench.server.answer({ status: 302, headers: { Location: '/elsewhere' } }, { body: { documentId: '1' } })
    const error = await failure(client.send('getDocument', { id: '1' }))
    should(error.cause.status).equal(302)
    should((await client.send('getDocument', { id: '1' })).data).deepEqual({ documentId: '1' })
    bench.server.calls.map(({ path }) => path).should.deepEqual(['/signature/documents/1', '/signature/documents/1'])
  })

  it('cannot tell how far a request came when an interceptor has replaced its settings', async () => {
    const made = (script: Scripted, fail = false) => {
      bench.server.answer(script)
      return cancel(({ axios }) => {
        axios.interceptors.request.use(anew)
        axios.interceptors.response.use((response) => {
          if (fail && isCall(response.config)) throw new Error('odd')
          return response
        })
      })
    }
    should(await made({ close: 'after' })).match({ code: 'EID_NETWORK', cause: { outcome: 'unknown' } })
    should(await made({ status: 200 }, true)).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown' } })
    should(await made({ status: 409 })).match({ code: 'EID_REFUSED', cause: { outcome: 'not-done' } })
    bench.server.calls.length.should.equal(3)
  })

  it('remembers that a request has left when a retry with replaced settings gets no answer', async () => {
    bench.server.answer({ close: 'after' })
    const error = await cancel(({ axios }) => {
      let again = true
      axios.interceptors.request.use(anew)
      axios.interceptors.response.use(undefined, async (error: AxiosError) => {
        if (!again || !isCall(error.config)) throw error
        again = false
        await bench.server.close()
        return axios.request(error.config as InternalAxiosRequestConfig)
      })
    })
    error.cause.outcome.should.equal('unknown')
  })

  it('knows that nothing has left although another client sends something of its own meanwhile', async () => {
    const other = bench.client()
    const error = await cancel(({ axios }) =>
      axios.interceptors.request.use(async (config) => {
        if (!isCall(config)) return config
        await other.axios.get(bench.server.url)
        throw new Error('not now')
      }),
    )
    error.cause.outcome.should.equal('not-done')
  })

  it('can be used by itself, as any axios', async () => {
    const { axios: http } = bench.client()
    bench.server.answer(({ path, body, headers }) => ({ body: { path, body, type: headers['content-type'] } }))
    const got = await http.get(`${bench.server.url}/a`, { params: { b: 'c d' } })
    should(got.data).match({ path: '/a?b=c+d' })
    const sent = await http.post('/x', { y: 1 }, { baseURL: bench.server.url })
    should(sent.data).deepEqual({ path: '/x', body: '{"y":1}', type: 'application/json' })
    bench.server.answer({ status: 404, body: { message: 'gone' } })
    const missing = await http.get(bench.server.url).catch((error: unknown) => error as AxiosError)
    should(missing).match({ code: 'ERR_BAD_REQUEST', response: { status: 404, data: { message: 'gone' } } })
    const any = await http.get(bench.server.url, { validateStatus: null })
    should(any.status).equal(404)
    const stopped = await http.get(bench.server.url, { signal: AbortSignal.abort() }).catch((error: unknown) => error)
    should(axios.isCancel(stopped)).be.true()
    await should(http.get('nowhere')).be.rejected()
  })

  it('sends nothing after the client was closed', async () => {
    const client = bench.client()
    await client.send('getDocument', { id: '1' })
    await client.close()
    const error = await failure(client.send('cancelDeposit', { id: '1' }))
    error.code.should.equal('EID_NETWORK')
    error.cause.outcome.should.equal('not-done')
    bench.server.calls.length.should.equal(1)
  })

  it('fails calls in flight when the client is closed, at once and truthfully', async () => {
    const client = bench.client()
    bench.server.answer(() => {
      setImmediate(() => void client.close())
      return { silent: true }
    })
    const error = await failure(client.send('cancelDeposit', { id: '1' }))
    error.cause.should.match({ outcome: 'unknown', attempts: 1 })
  })
})
