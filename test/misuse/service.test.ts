/**
 * A service and a token endpoint that answer anything: every call ends with an answer or one of our errors, and
 * built-in objects stay unchanged.
 */
import fc from 'fast-check'
import should from 'should'
import { errorCodes, EidError } from '../../lib/api/errors/errors'
import { sleep } from '../../lib/api/call/retry'
import { anyText } from '../support/any-text'
import { startScriptedService, type ScriptedService } from '../support/scripted-service'
import type { Scripted } from '../support/servers/server'
import { shouldBeClean, watchRejections } from '../support/hostile'

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + '1' + close.repeat(levels)

/** Bodies such as services, gateways and attackers send. */
const bodies = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'null',
    'true',
    '1e999',
    '"text"',
    '[]',
    '{',
    '{"a":',
    '\ufeff{}',
    '<!DOCTYPE html><html><body>Sign in</body></html>',
    nested('[', ']', 50_000),
    nested('{"a":', '}', 50_000),
    `"${'x'.repeat(1_000_000)}"`,
    `{"errors":${JSON.stringify(Array(5000).fill({ field: 'a', message: 'b' }))}}`,
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    '{"errors":{"__proto__":["polluted"]},"message":{"toString":1},"code":{}}',
    '{"message":"@errors.EID_CONFIG","code":"__status__"}',
    '{"data":{"length":-1},"paging":{"next":"\\u0000"}}',
    '\ud800',
  ),
  fc.json(),
  anyText(),
)
const headers = fc.dictionary(
  fc.constantFrom('Retry-After', 'RequestId', 'Content-Type', 'Location', 'Content-Encoding', 'WWW-Authenticate'),
  fc.constantFrom(
    '',
    '-1',
    '0',
    '1e999',
    'never',
    'gzip',
    'text/html; charset=nonsense',
    '//elsewhere.example/',
    '%00',
    '{}',
  ),
)
const statuses = fc.oneof(
  fc.constantFrom(200, 200, 200, 201, 202, 206, 301, 302, 307, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503),
  fc.integer({ min: 200, max: 999 }).filter((status) => status !== 204 && status !== 205 && status !== 304),
)
const answers: fc.Arbitrary<Scripted> = fc.record(
  {
    status: statuses,
    headers,
    body: bodies,
    close: fc.constantFrom('before' as const, 'after' as const, 'middle' as const),
  },
  { requiredKeys: ['status', 'body'] },
)

/** Values that a token endpoint might send. */
const claims = fc.record(
  {
    access_token: fc.oneof(
      fc.constantFrom('token-1', '', 'a b', 'a\r\nX-Injected: 1', '\u00e6', 5, null, {}, ['t']),
      fc.jsonValue(),
    ),
    expires_in: fc.oneof(
      fc.constantFrom(3600, 0, -1, 1e-9, 1e308, '3600', '-5', '1e3', '', 'soon', null, true, {}, [60]),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    token_type: fc.constantFrom('Bearer', 'bearer', 'mac', '', 5, null, { toString: 1 }),
  },
  { requiredKeys: [] },
)

describe('a service that answers anything', () => {
  let bench: ScriptedService
  const rejections = watchRejections()
  before(async () => (bench = await startScriptedService()))
  afterEach(() => {
    bench.server.answer({ body: { documentId: 'doc-1' } })
    bench.server.answerToken({ body: { access_token: 'token-1', expires_in: 3600, token_type: 'Bearer' } })
  })
  after(() => bench.close())

  /** The error of a call; undefined if there was an answer. Throws if the call was rejected with another error. */
  const failureOf = async (promise: Promise<unknown>): Promise<EidError | undefined> => {
    const [result] = await Promise.allSettled([promise])
    shouldBeClean()
    should(rejections.take()).deepEqual([])
    if (result.status === 'fulfilled') return undefined
    const error: unknown = result.reason
    if (!(error instanceof EidError)) throw error
    should(errorCodes as readonly string[]).containEql(error.code)
    should(error.message).be.a.String().and.not.empty()
    should(error.message.length).be.below(20_000)
    should(error.message).not.containEql('secret-of-client-1')
    return error
  }

  for (const as of ['json', 'text', 'buffer'] as const) {
    it(`gives an answer or one error where ${as} is wanted`, async () => {
      const client = bench.client({ retries: 1 })
      await fc.assert(
        fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 3 }), async (script) => {
          bench.server.answer(...script)
          const error = await failureOf(client.send('getDocument', { id: 'doc-1', as }))
          const last = script.at(Math.min(script.length, 2) - 1)
          if (!error && script.length === 1) should(last?.status).be.within(200, 299)
        }),
        { numRuns: 150 },
      )
    })
  }

  it('repeats no call that changes something, whatever comes back', async () => {
    const client = bench.client({ retries: 3 })
    await fc.assert(
      fc.asyncProperty(answers, async (script) => {
        const safe = [401, 429, 503].includes(script.status ?? 200)
        fc.pre(!safe && script.close !== 'before')
        bench.server.calls.length = 0
        bench.server.answer(script)
        await failureOf(client.send('cancelDeposit', { id: 'deposit-1' }))
        should(bench.server.calls).have.length(1)
      }),
      { numRuns: 100 },
    )
  })

  it('follows nothing, wherever it points', async () => {
    const other = await startScriptedService()
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(301, 302, 303, 307, 308), fc.boolean(), async (status, forToken) => {
        const redirect = { status, headers: { Location: `${other.server.url}/oauth/connect/token` } }
        if (forToken) bench.server.answerToken(redirect)
        else bench.server.answer(redirect)
        const error = await failureOf(bench.client({ retries: 0 }).send('getDocument', { id: 'doc-1' }))
        should(error).be.an.Error()
        should(other.server.calls.length + other.server.tokenCalls.length).equal(0)
      }),
      { numRuns: 20 },
    )
    await other.close()
  })

  it('may lie about its token, and the call still ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          claims.map((body) => ({ body })),
          answers,
        ),
        async (token: Scripted) => {
          bench.server.answerToken(token)
          bench.server.calls.length = 0
          bench.server.answer({ body: { documentId: 'doc-1' } })
          const error = await failureOf(bench.client({ retries: 0 }).send('getDocument', { id: 'doc-1' }))
          if (!error) return
          should(bench.server.calls).have.length(0)
          should(error.cause.outcome).equal('not-done')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('knows that nothing was done when the kind of a token is not a text', async () => {
    bench.server.answerToken({ body: { access_token: 'token-1', token_type: { toString: 1 } } })
    const error = await failureOf(bench.client({ retries: 0 }).send('getDocument', { id: 'doc-1' }))
    should(error).have.property('code', 'EID_SERVICE')
    should(error?.cause).have.properties({ outcome: 'not-done', attempts: 1 })
  })

  it('sends no header that a token has brought along', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ minLength: 1 }), async (access_token) => {
        bench.server.answerToken({ body: { access_token, expires_in: 3600 } })
        bench.server.calls.length = 0
        const error = await failureOf(bench.client({ retries: 0 }).send('getDocument', { id: 'doc-1' }))
        if (error) return
        const [call] = bench.server.calls
        should(call?.headers).have.property('authorization', `Bearer ${access_token}`)
        should(call?.headers).not.have.property('x-injected')
      }),
      { numRuns: 100 },
    )
  })

  it('is waited for when the time limit is longer than any timer', async () => {
    const client = bench.client({ retries: 0, timeout: 1e9 })
    bench.server.answer({ body: { documentId: 'doc-1' }, hold: new Promise((resolve) => setTimeout(resolve, 50)) })
    should(await failureOf(client.send('getDocument', { id: 'doc-1' }))).equal(undefined)
  })

  it('is not called by a wait that is to last longer than any timer', async () => {
    const stop = new AbortController()
    const long = sleep(2 ** 31, stop.signal).then(
      () => 'over',
      () => 'stopped',
    )
    should(await Promise.race([long, sleep(50).then(() => 'still waiting')])).equal('still waiting')
    stop.abort()
    should(await long).equal('stopped')
  })

  it('gives a token that expires at once, and is asked for only one per call', async () => {
    for (const expires_in of [1e-9, 0.001, '1']) {
      bench.server.answerToken({ body: { access_token: 'token-1', expires_in } })
      bench.server.tokenCalls.length = 0
      const client = bench.client({ retries: 0 })
      for (let count = 0; count < 5; count++) await failureOf(client.send('getDocument', { id: 'doc-1' }))
      should(bench.server.tokenCalls.length).be.within(1, 5)
    }
  })
})
