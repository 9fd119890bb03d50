/** The token: requested once, shared, renewed in time, dropped when refused, and never trusted blindly. */
import should from 'should'
import { TokenStore, usableFor } from '../../../lib/api/token/token'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import { goodToken, type Scripted } from '../../support/servers/server'
import { until } from '../../support/time'

describe('token', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())
  const get = (client = bench.client(), signal?: AbortSignal) => client.send('getDeposit', { id: '1', signal })
  const tokenOf = (value: string, life = 100): Scripted => ({ body: { access_token: value, expires_in: life } })

  it('is asked for once however many calls wait, and sent with each', async () => {
    const client = bench.client()
    await Promise.all(Array.from({ length: 100 }, () => get(client)))
    bench.server.tokenCalls.length.should.equal(1)
    bench.server.calls.length.should.equal(100)
    bench.server.calls.every((call) => call.headers.authorization === 'Bearer token-1').should.be.true()
    const [asked] = bench.server.tokenCalls
    should(asked?.headers.authorization).equal(`Basic ${Buffer.from('client-1:secret-of-client-1').toString('base64')}`)
    should(asked?.body).equal('grant_type=client_credentials&scope=document_read+document_write')
  })

  it('is shared per address, client id and set of scopes, whatever their order', async () => {
    const tokens = new TokenStore()
    await get(bench.client({ tokens, scopes: ['a', 'b'] }))
    await get(bench.client({ tokens, scopes: ['b', 'a', 'a'] }))
    bench.server.tokenCalls.length.should.equal(1)
    await get(bench.client({ tokens, scopes: ['a'] }))
    await get(bench.client({ tokens, scopes: ['a', 'b'], clientId: 'other' }))
    await get(bench.client({ tokens, scopes: ['a', 'b'], tokenUrl: `${bench.server.url}/oauth/other` }))
    bench.server.tokenCalls.length.should.equal(4)
  })

  it('is shared by every client of the process unless told otherwise', async () => {
    await get(bench.client({ tokens: undefined }))
    await get(bench.client({ tokens: undefined }))
    bench.server.tokenCalls.length.should.equal(1)
  })

  it('is forgotten when the secret changes', async () => {
    const tokens = new TokenStore()
    bench.server.answerToken(tokenOf('old'), tokenOf('new'))
    await get(bench.client({ tokens }))
    await get(bench.client({ tokens, clientSecret: 'another-secret' }))
    bench.server.calls.map((call) => call.headers.authorization).should.deepEqual(['Bearer old', 'Bearer new'])
  })

  it('is renewed a tenth of its life before the end', async () => {
    const client = bench.client()
    bench.server.answerToken(tokenOf('first'), tokenOf('second'))
    await get(client)
    bench.clock.now += 89_999
    await get(client)
    bench.server.tokenCalls.length.should.equal(1)
    bench.clock.now += 1
    await get(client)
    should(bench.server.calls[2]?.headers.authorization).equal('Bearer second')
    usableFor(3600).should.equal(3_540_000)
  })

  it('is fetched again once after 401, and the rejected one is never sent again', async () => {
    const client = bench.client()
    bench.server.answerToken(tokenOf('old'), tokenOf('new'))
    bench.server.answer({ status: 401 }, { body: { ok: true } })
    const { data } = await get(client)
    should(data).deepEqual({ ok: true })
    bench.server.calls.map((call) => call.headers.authorization).should.deepEqual(['Bearer old', 'Bearer new'])
  })

  it('is fetched again when a gateway answers 400 to one that has expired', async () => {
    for (const refusal of [
      { status: 400, body: { code: 'invalid_token', message: 'no' } },
      { status: 400, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
      { status: 400, body: { message: 'The access token has expired.' } },
    ]) {
      const client = bench.client()
      bench.server.answer(refusal, { body: { ok: true } })
      should((await get(client)).data).deepEqual({ ok: true })
    }
    bench.server.answer({ status: 400, body: { message: 'The signing token has expired.' } })
    should((await failure(get())).code).equal('EID_REFUSED')
  })

  it('refused twice is EID_UNAUTHORIZED', async () => {
    bench.server.answer({ status: 401 })
    const error = await failure(get())
    error.code.should.equal('EID_UNAUTHORIZED')
    error.cause.should.match({ status: 401, attempts: 2, outcome: 'not-done' })
    bench.server.calls.length.should.equal(2)
  })

  it('keeps a newer one when an older one is refused, and ignores one that it has never issued', async () => {
    const tokens = new TokenStore()
    const owner = { tokenUrl: 'u', clientId: 'c', clientSecret: 's', scopes: [] }
    const fetch = (value: string) => () => Promise.resolve({ value, lifetime: 100 })
    await tokens.get(owner, fetch('new'))
    tokens.forget(owner, 'old')
    tokens.forget({ ...owner, clientId: 'stranger' }, 'new')
    ;(await tokens.get(owner, fetch('newer'))).should.equal('new')
  })

  it('is no longer waited for by a caller that stops; the others get it', async () => {
    const client = bench.client()
    let release: (value?: unknown) => void = () => undefined
    bench.server.answerToken({ ...goodToken, hold: new Promise((resolve) => (release = resolve)) })
    const stop = new AbortController()
    const stopping = failure(get(client, stop.signal))
    const staying = get(client)
    await until(() => bench.server.tokenCalls.length === 1)
    stop.abort()
    const error = await stopping
    error.code.should.equal('EID_NETWORK')
    error.cause.should.match({ attempts: 0, outcome: 'not-done' })
    release()
    await staying
    bench.server.tokenCalls.length.should.equal(1)
    bench.server.calls.length.should.equal(1)
  })

  it('is not asked for any more when everyone has stopped', async () => {
    const client = bench.client()
    bench.server.answerToken({ silent: true })
    const stop = new AbortController()
    const stopping = failure(get(client, stop.signal))
    await until(() => bench.server.tokenCalls.length === 1)
    stop.abort()
    await stopping
    await until(() => bench.server.sockets.size === 0)
    bench.server.answerToken(goodToken)
    await get(client)
    bench.server.calls.length.should.equal(1)
  })

  it('is tested without the cache', async () => {
    const client = bench.client()
    bench.server.answerToken(tokenOf('a', 50), tokenOf('b', 40))
    await get(client)
    ;(await client.testToken()).should.deepEqual({ lifetime: 40 })
    bench.server.tokenCalls.length.should.equal(2)
    const stopped = await failure(client.testToken(AbortSignal.abort()))
    stopped.code.should.equal('EID_NETWORK')
  })

  const usable: [string, unknown, number][] = [
    ['a life as text', { access_token: 'a', expires_in: '120' }, 120],
    ['no life', { access_token: 'a' }, 60],
    ['a type in lower case', { access_token: 'a', expires_in: 10, token_type: 'bearer' }, 10],
  ]
  for (const [title, body, lifetime] of usable) {
    it(`is accepted with ${title}`, async () => {
      bench.server.answerToken({ body })
      ;(await bench.client().testToken()).should.deepEqual({ lifetime })
    })
  }

  const lies: [string, Scripted, string][] = [
    ['no token', { body: { expires_in: 5 } }, 'EID_SERVICE'],
    ['an empty answer', { body: '' }, 'EID_SERVICE'],
    ['null', { body: 'null' }, 'EID_SERVICE'],
    ['a line break in the token', { body: { access_token: 'a\r\nX-Evil: 1', expires_in: 5 } }, 'EID_SERVICE'],
    ['a page', { body: '<html>Log in</html>', headers: { 'Content-Type': 'text/html' } }, 'EID_SERVICE'],
    ['a token that is a number', { body: { access_token: 1, expires_in: 5 } }, 'EID_SERVICE'],
    ['another type of token', { body: { access_token: 'a', expires_in: 5, token_type: 'mac' } }, 'EID_SERVICE'],
    ['a negative life', { body: { access_token: 'a', expires_in: -1 } }, 'EID_SERVICE'],
    ['a life that is no number', { body: { access_token: 'a', expires_in: true } }, 'EID_SERVICE'],
    ['a redirect', { status: 302, headers: { Location: '/oauth/elsewhere' } }, 'EID_SERVICE'],
    ['invalid_scope as 400', { status: 400, body: { error: 'invalid_scope' } }, 'EID_INVALID_SCOPE'],
    ['invalid_scope as 401', { status: 401, body: { error: 'invalid_scope' } }, 'EID_INVALID_SCOPE'],
    ['invalid scope in plain text', { status: 400, body: 'Invalid scope' }, 'EID_INVALID_SCOPE'],
    ['invalid scope with a good status', { body: { error: 'invalid scope' } }, 'EID_INVALID_SCOPE'],
    ['invalid_client as 400', { status: 400, body: { error: 'invalid_client' } }, 'EID_CREDENTIALS'],
    ['401', { status: 401 }, 'EID_CREDENTIALS'],
    ['403', { status: 403 }, 'EID_REFUSED'],
    ['404', { status: 404 }, 'EID_REFUSED'],
    ['400 for another reason', { status: 400, body: { error: 'unsupported_grant_type' } }, 'EID_REFUSED'],
  ]
  for (const [title, answer, code] of lies) {
    it(`answered with ${title} is ${code}, asked once, nothing done`, async () => {
      bench.server.answerToken(answer)
      const error = await failure(get())
      error.code.should.equal(code)
      error.cause.should.match({ outcome: 'not-done', method: 'POST', path: '/oauth/connect/token', attempts: 1 })
      bench.server.tokenCalls.length.should.equal(1)
      bench.server.calls.length.should.equal(0)
      JSON.stringify([error.message, error.cause]).should.not.containEql('secret-of-client-1')
    })
  }

  it('names the scopes that were asked for', async () => {
    bench.server.answerToken({ status: 400, body: { error: 'invalid_scope' } })
    ;(await failure(get())).message.should.containEql('document_read, document_write')
  })

  it('is asked for again after transient failures, and the last failure is reported as not done', async () => {
    bench.server.answerToken({ status: 500 }, { close: 'after' }, { status: 429 }, goodToken)
    await get()
    bench.server.tokenCalls.length.should.equal(4)
    bench.server.answerToken({ status: 500, body: 'invalid_client' })
    const error = await failure(get())
    error.code.should.equal('EID_SERVICE')
    error.cause.should.match({ outcome: 'not-done', attempts: 4 })
  })

  it('does not echo the secret that the service repeats', async () => {
    bench.server.answerToken({ status: 400, body: { error_description: 'bad secret-of-client-1 given' } })
    const error = await failure(get())
    error.message.should.containEql('bad … given')
  })

  it('gives up waiting for a retry when stopped', async () => {
    bench.server.answerToken({ status: 500 })
    const stop = new AbortController()
    const wait = () => {
      stop.abort()
      return Promise.reject(new Error('stopped'))
    }
    ;(await failure(bench.client({ wait }).testToken(stop.signal))).code.should.equal('EID_SERVICE')
    bench.server.tokenCalls.length.should.equal(1)
  })
})
