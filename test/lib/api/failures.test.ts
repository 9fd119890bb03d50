/** The error of a failed attempt, what it says about the outcome, and whether the call may be retried. */
import should from 'should'
import { answerError, causeOf } from '../../../lib/api/call/answer-error'
import { fromStatus, malformed } from '../../../lib/api/call/failures'
import { fromFault, type CallContext } from '../../../lib/api/call/no-answer'
import { TransportFault, type FaultKind, type Phase } from '../../../lib/api/errors/fault'
import type { TextParams } from '../../../lib/api/errors/texts'
import { sentence } from '../../support/wording'

const unchanged = '@outcomes.read'
const nothing = '@outcomes.notDone'
const says = (key: string, params: TextParams) => sentence('client', `errors.${key}`, params)
const unreached = (reason: string, params: TextParams) =>
  says('EID_NETWORK', { reason: `@network.${reason}`, advice: '', ...params })
const atFault = (detail: string, params: TextParams = {}) =>
  says('EID_SERVICE', { detail, said: '', done: unchanged, ...params })
const call = (more: Partial<CallContext> = {}): CallContext => ({
  method: 'GET',
  path: '/signature/documents/d-1',
  scope: 'document_read',
  attempts: 2,
  seconds: 30,
  ...more,
})

describe('an attempt that failed on the wire', () => {
  const failed = (reason: string, kind: FaultKind = 'network', phase: Phase = 'connecting') =>
    fromFault(new TransportFault(kind, phase, reason), call())

  it('is named in words, with what to check where there is something', () => {
    const { error } = failed('ENOTFOUND')
    should(error.message).equal(unreached('ENOTFOUND', { done: nothing, advice: '@advice.ENOTFOUND' }))
    should(error.code).equal('EID_NETWORK')
    should(error.cause).deepEqual({
      method: 'GET',
      path: '/signature/documents/d-1',
      attempts: 2,
      outcome: 'not-done',
    })
    should(failed('ETIMEDOUT').error.message).equal(unreached('ETIMEDOUT', { done: nothing }))
  })

  const words: [string, string][] = [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS'],
    ['EPROTO', 'TLS'],
    ['EHOSTUNREACH', 'EHOSTUNREACH'],
    ['EPIPE', 'EPIPE'],
    ['PROXY', 'PROXY'],
    ['ESOMETHING', 'OTHER'],
  ]
  for (const [reason, key] of words) {
    it(`because of ${reason} says the sentence ${key}`, () =>
      void should(failed(reason).error.message).startWith(sentence('client', `network.${key}`)))
  }

  it('before anything was sent has certainly done nothing; after that, no one knows', () => {
    should(failed('ECONNRESET')).match({
      transient: true,
      error: { cause: { outcome: 'not-done' } },
    })
    const { error, ...facts } = failed('ECONNRESET', 'network', 'sent')
    should(error.message).equal(unreached('ECONNRESET', { done: unchanged }))
    should(error.cause.outcome).equal('unknown')
    should(facts).deepEqual({ transient: true })
  })

  it('because the time was over says after how many seconds, and may be tried again', () => {
    const { error, ...facts } = failed('ETIMEDOUT', 'timeout', 'sent')
    should([error.code, error.message]).deepEqual([
      'EID_TIMEOUT',
      says('EID_TIMEOUT', { seconds: 30, done: unchanged }),
    ])
    should(facts).deepEqual({ transient: true })
  })

  it('is final when it was stopped, when its own file broke, or when the certificate is wrong', () => {
    should(failed('STOPPED', 'aborted').transient).be.false()
    should(failed('CERT_HAS_EXPIRED').transient).be.false()
    const broken = new TransportFault('network', 'sent', 'SOURCE', new Error('gone'))
    const path = '/share/buckets/b-1/content/lease.pdf/'
    const { error, transient } = fromFault(broken, call({ path }))
    should(transient).be.false()
    should(error.message).equal(unreached('SOURCE', { file: 'lease.pdf', done: unchanged }))
  })

  it('is final when the answer is too large', () => {
    const { error, ...facts } = failed('ERR_FR_MAX', 'tooLarge', 'sent')
    should([error.code, error.message]).deepEqual(['EID_SERVICE', atFault('@answers.tooLarge')])
    should(facts).deepEqual({ transient: false })
  })
})

describe('an attempt that the service answered', () => {
  const failed = (status: number, body: unknown = {}, more: Partial<CallContext> = {}, headers = {}) =>
    fromStatus({ status, headers, body: Buffer.from(JSON.stringify(body)) }, call(more), 0)

  const sentences: [number, string][] = [
    [300, atFault('@answers.redirect')],
    [399, atFault('@answers.redirect')],
    [400, says('EID_REFUSED', { detail: '@answers.none', status: 400, done: nothing })],
    [401, says('EID_UNAUTHORIZED', { done: nothing })],
    [403, says('EID_FORBIDDEN', { scope: 'document_read', done: nothing })],
    [404, says('EID_NOT_FOUND', { missing: '@notFound.document', id: 'd-1', done: nothing })],
    [429, says('EID_RATE_LIMITED', { done: nothing })],
    [500, atFault('@answers.failed', { status: 500 })],
    [503, atFault('@answers.failed', { status: 503 })],
  ]
  for (const [status, expected] of sentences) {
    it(`with ${status} says: ${expected}`, () => void should(failed(status).error.message).equal(expected))
  }

  it('with words of its own has them in the sentence', () => {
    should(failed(400, { message: 'Too long' }).error.message).equal(
      says('EID_REFUSED', { detail: 'Too long.', done: nothing }),
    )
    should(failed(500, { message: 'Out of order!' }).error.message).equal(
      atFault('@answers.failed', { status: 500, said: 'Out of order!' }),
    )
  })

  it('that it does not know the path, names the path and not an id', () => {
    const unknown = says('wrongPath', { path: '/signature/documents/d-1', done: nothing })
    should(failed(404, { message: 'Invalid path: it has no document' }).error.message).equal(unknown)
    should(failed(404, { message: 'An invalid path' }).error.message).match(/^Document d-1 was not found/)
    should(failed(400, { message: 'Invalid path' }).error.message).match(/^Refused: Invalid path/)
  })

  it('to a call that was typed by hand, names no scope, and no id unless its path has one', () => {
    const typed = { scope: undefined, path: '/signature/themes' }
    should(failed(403, {}, typed).error.message).equal(says('forbidden', { done: nothing }))
    should(failed(404, {}, typed).error.message).equal(says('wrongPath', { path: typed.path, done: nothing }))
    should(failed(404, {}, { scope: undefined }).error.message).match(/^Document d-1 was not found/)
    should(failed(404, {}, { path: '/signature/themes' }).error.message).equal(
      says('EID_NOT_FOUND', { missing: '@notFound.other', path: '/signature/themes', done: nothing }),
    )
  })

  it('with a refusal did nothing; anything else may have acted', () => {
    const outcomes = [301, 399, 400, 499, 500].map((status) => failed(status).error.cause.outcome)
    should(outcomes).deepEqual(['unknown', 'unknown', 'not-done', 'not-done', 'unknown'])
  })

  it('lists errors only if there are any', () => {
    should(failed(400).error.cause).not.have.property('errors')
    const errors = [{ field: 'title', message: 'is missing' }]
    should(failed(400, { errors }).error.cause.errors).deepEqual(errors)
  })

  it('is transient after 429 and 5xx, and says when to come back', () => {
    const facts = (status: number, header?: string) => {
      const { error, ...others } = failed(status, {}, {}, header === undefined ? {} : { 'retry-after': header })
      should(error.cause.status).equal(status)
      return others
    }
    should(facts(429)).deepEqual({ transient: true, retryAfter: undefined })
    should(facts(503, '2')).deepEqual({ transient: true, retryAfter: 2000 })
    should(facts(503)).deepEqual({ transient: true, retryAfter: undefined })
    should(facts(500, '2')).deepEqual({ transient: true, retryAfter: 2000 })
    should(facts(422)).deepEqual({ transient: false, retryAfter: undefined })
  })
})

describe('an answer with the wrong content', () => {
  const headers = { requestid: 'r-1' }

  it('may have acted, and says what is wrong with it', () => {
    const { error, ...facts } = malformed({ status: 200, headers }, call())
    should(error.message).equal(atFault('@answers.malformed'))
    should(error.cause).deepEqual({
      method: 'GET',
      path: '/signature/documents/d-1',
      attempts: 2,
      outcome: 'unknown',
      status: 200,
      requestId: 'r-1',
    })
    should(facts).deepEqual({ transient: true })
    should(malformed({ status: 200, headers: {} }, call(), 'incomplete').error.message).equal(
      atFault('@answers.incomplete'),
    )
  })

  it('can be reported by a node that misses something in it', () => {
    const answer = { status: 200, requestId: 'r-1' }
    const error = answerError('addSigner', answer, '@answers.incomplete', { id: 'd-1' })
    should(error.code).equal('EID_SERVICE')
    should(error.message).equal(atFault('@answers.incomplete', { done: '@outcomes.unknownOf', what: 'document d-1' }))
    const path = '/signature/documents/d-1/signers'
    should(error.cause).deepEqual({ method: 'POST', path, attempts: 1, outcome: 'unknown', ...answer })
    should(answerError('createDocument', answer, '@answers.incomplete').message).endWith(
      sentence('client', 'outcomes.unknown'),
    )
  })

  it('has in its cause what is known about the answer', () => {
    should(causeOf('addSigner', {})).deepEqual({
      method: 'POST',
      path: '/signature/documents/{id}/signers',
      attempts: 1,
    })
    should(causeOf('addSigner', { status: 200 }, { id: 'd-1' })).deepEqual({
      method: 'POST',
      path: '/signature/documents/d-1/signers',
      attempts: 1,
      status: 200,
    })
  })
})
