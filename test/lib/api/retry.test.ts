/**
 * Never twice, never lost: which failures are retried, for which calls, how often, and what the error says about the
 * outcome.
 */
import should from 'should'
import { operations } from '../../../lib/api/operations/operations'
import { readRetryAfter, waitBefore } from '../../../lib/api/call/retry'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import { goodToken } from '../../support/servers/server'
import type { Scripted } from '../../support/servers/server'

describe('retries', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())

  type Kind = 'safe' | 'lookup' | 'never'
  const call = (kind: Kind, client = bench.client(), options: { timeout?: number } = {}) => {
    if (kind === 'safe') return client.send('getDocument', { id: 'd-1', ...options })
    if (kind === 'never') return client.send('cancelDocument', { id: 'd-1', ...options })
    return client.send('createDocument', { body: {}, findExisting: () => Promise.resolve(undefined), ...options })
  }
  const kinds: Kind[] = ['safe', 'lookup', 'never']

  type Row = [string, Scripted, Record<Kind, number>, string, 'not-done' | 'unknown']
  const all = { safe: 4, lookup: 4, never: 4 }
  const once = { safe: 1, lookup: 1, never: 1 }
  const harmless = { safe: 4, lookup: 4, never: 1 }
  const rows: Row[] = [
    ['429', { status: 429 }, all, 'EID_RATE_LIMITED', 'not-done'],
    ['429 with Retry-After', { status: 429, headers: { 'Retry-After': '2' } }, all, 'EID_RATE_LIMITED', 'not-done'],
    ['503 with Retry-After', { status: 503, headers: { 'Retry-After': '2' } }, harmless, 'EID_SERVICE', 'unknown'],
    ['503', { status: 503 }, harmless, 'EID_SERVICE', 'unknown'],
    ['500', { status: 500 }, harmless, 'EID_SERVICE', 'unknown'],
    ['502 with a page', { status: 502, body: '<html>' }, harmless, 'EID_SERVICE', 'unknown'],
    ['a reset after the request', { close: 'after' }, harmless, 'EID_NETWORK', 'unknown'],
    ['a truncated answer', { close: 'middle', body: '{"a":' }, harmless, 'EID_NETWORK', 'unknown'],
    ['malformed JSON', { body: '{"a":' }, harmless, 'EID_SERVICE', 'unknown'],
    ['a redirect', { status: 307, headers: { Location: 'http://elsewhere.example/' } }, once, 'EID_SERVICE', 'unknown'],
    ['400', { status: 400 }, once, 'EID_REFUSED', 'not-done'],
    ['402', { status: 402 }, once, 'EID_REFUSED', 'not-done'],
    ['403', { status: 403 }, once, 'EID_FORBIDDEN', 'not-done'],
    ['404', { status: 404 }, once, 'EID_NOT_FOUND', 'not-done'],
    ['409', { status: 409 }, once, 'EID_REFUSED', 'not-done'],
    ['422', { status: 422 }, once, 'EID_REFUSED', 'not-done'],
    ['429 for two minutes', { status: 429, headers: { 'Retry-After': '120' } }, all, 'EID_RATE_LIMITED', 'not-done'],
    ['429 for too long', { status: 429, headers: { 'Retry-After': '121' } }, once, 'EID_RATE_LIMITED', 'not-done'],
  ]
  for (const [title, answer, times, code, outcome] of rows) {
    for (const kind of kinds) {
      it(`${title}: ${kind} calls are sent ${times[kind]} time(s), then ${code}, ${outcome}`, async () => {
        bench.server.answer(answer)
        const error = await failure(call(kind))
        error.code.should.equal(code)
        error.cause.should.match({ outcome, attempts: times[kind] })
        bench.server.calls.length.should.equal(times[kind])
      })
    }
  }

  for (const kind of kinds) {
    it(`no connection: ${kind} calls are tried again, nothing done`, async () => {
      const client = bench.client()
      // The client has the token now. No connection is kept, because on a kept one the call would fail only after the
      // request was sent.
      const headers = { Connection: 'close' }
      bench.server.answerToken({ ...goodToken, headers })
      bench.server.answer({ body: { documentId: 'd-1' }, headers })
      await call('safe', client)
      await bench.server.close()
      const error = await failure(call(kind, client))
      error.code.should.equal('EID_NETWORK')
      error.cause.should.match({ outcome: 'not-done', attempts: 4 })
      bench.waits.length.should.equal(3)
    })

    it(`time-out after sending: ${kind} calls`, async () => {
      const client = bench.client()
      bench.server.answer({ body: { documentId: 'd-1' } }, { silent: true })
      // The client has the token and a connection now, so it sends the request at once, even on a slow machine.
      await call('safe', client)
      const error = await failure(call(kind, client, { timeout: 50 }))
      error.code.should.equal('EID_TIMEOUT')
      error.cause.should.match({ outcome: 'unknown', attempts: kind === 'never' ? 1 : 4 })
    })

    it(`429, then success: ${kind} calls succeed`, async () => {
      const body = { documentId: 'd-1', signers: [{}] }
      bench.server.answer({ status: 429 }, { body })
      should((await call(kind)).data).deepEqual(body)
      bench.server.calls.length.should.equal(2)
    })
  }

  for (const operation of ['invalidateSession', 'handleEvent'] as const) {
    it(`repeats ${operation}, which leaves the same state`, async () => {
      bench.server.answer({ status: 503, headers: { 'Retry-After': '1' } }, { status: 204 })
      const answer = await bench.client().send(operation, { id: '1' })
      should(answer.data).be.undefined()
      bench.server.calls.length.should.equal(2)
    })
  }

  it('repeats nothing else that may have been done than invalidation, handling and looked-up creation', () => {
    const repeated = Object.entries(operations).filter(([, one]) => one.method !== 'GET' && one.repeat !== 'never')
    should(repeated.map(([name]) => name)).deepEqual([
      'createDocument',
      'validateJwt',
      'validateOlderJwt',
      'invalidateSession',
      'v1InvalidateSession',
      'v1InvalidateSessionByBody',
      'handleEvent',
      'handleEvents',
    ])
  })

  it('never repeats a create call that cannot be looked up, and does not wait for it', async () => {
    bench.server.answer({ status: 500 })
    const error = await failure(bench.client().send('createDocument', { body: {} }))
    error.cause.should.match({ outcome: 'unknown', attempts: 1 })
    bench.waits.should.be.empty()
  })

  it('remembers that an earlier try may have acted', async () => {
    bench.server.answer({ status: 500 }, { status: 404 })
    const error = await failure(call('safe'))
    error.code.should.equal('EID_NOT_FOUND')
    error.cause.outcome.should.equal('unknown')
  })

  it('counts repetitions, not the second try with a new token', async () => {
    bench.server.answer({ status: 401 }, { status: 500 }, { body: { documentId: 'd-1' } })
    await call('safe', bench.client({ retries: 1 }))
    bench.server.calls.length.should.equal(3)
  })

  it('obeys a count of none', async () => {
    bench.server.answer({ status: 429 })
    ;(await failure(call('never', bench.client({ retries: 0 })))).cause.attempts.should.equal(1)
  })

  it('waits as long as Retry-After says, in seconds or until a date', async () => {
    const date = new Date(bench.clock.now + 7000).toUTCString()
    bench.server.answer(
      { status: 429, headers: { 'Retry-After': '3' } },
      { status: 503, headers: { 'Retry-After': date } },
      { body: { documentId: 'd-1' } },
    )
    await call('safe')
    bench.waits.should.deepEqual([3000, 7000])
  })

  it('reads Retry-After strictly, and treats a past date as now', () => {
    const now = Date.parse('2030-01-01T00:00:00Z')
    should(readRetryAfter('0', now)).equal(0)
    should(readRetryAfter('1.25', now)).equal(1250)
    should(readRetryAfter('Mon, 31 Dec 2029 23:59:00 GMT', now)).equal(0)
    for (const header of [undefined, '', '-5', 'soon', '0x10', '-2031', '1 Jan 2031', 'Z 2031']) {
      should(readRetryAfter(header, now)).be.undefined()
    }
  })

  it('waits longer each time, partly at random, and never over 30 seconds', () => {
    waitBefore(2, undefined, () => 0).should.equal(250)
    waitBefore(2, undefined, () => 1).should.equal(500)
    waitBefore(4, undefined, () => 1).should.equal(2000)
    waitBefore(20, undefined, () => 1).should.equal(30_000)
    waitBefore(2, undefined).should.be.within(250, 500)
    waitBefore(2, 7).should.equal(7)
  })
})
