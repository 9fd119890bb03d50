/** The error of a failed attempt, what it says about the outcome, and whether the call may be retried. */
import should from 'should'
import { answerError, causeOf } from '../../../lib/api/call/answer-error'
import { fromFault, fromStatus, malformed, type CallContext } from '../../../lib/api/call/failures'
import { TransportFault, type FaultKind, type Phase } from '../../../lib/api/errors/fault'

const [unchanged, nothing] = ['Nothing was changed.', 'Nothing was done.']
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
    should(error.message).equal(
      `The host name in the address is unknown. ${nothing} Check the spelling of the address, and the network.`,
    )
    should(error.code).equal('EID_NETWORK')
    should(error.cause).deepEqual({
      method: 'GET',
      path: '/signature/documents/d-1',
      attempts: 2,
      outcome: 'not-done',
    })
    should(failed('ETIMEDOUT').error.message).equal(`The connection could not be made in time. ${nothing}`)
  })

  const words: [string, RegExp][] = [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /^The certificate of the service is not trusted/],
    ['EPROTO', /^The certificate of the service is not trusted/],
    ['EHOSTUNREACH', /^The host cannot be reached from here/],
    ['EPIPE', /^The connection broke while the request was being sent/],
    ['PROXY', /^The proxy did not let the call through/],
    ['ESOMETHING', /^The connection failed/],
  ]
  for (const [reason, sentence] of words) {
    it(`because of ${reason} says ${sentence.source.slice(1)}`, () =>
      void should(failed(reason).error.message).match(sentence))
  }

  it('before anything was sent has certainly done nothing; after that, no one knows', () => {
    should(failed('ECONNRESET')).match({
      transient: true,
      error: { cause: { outcome: 'not-done' } },
    })
    const { error, ...facts } = failed('ECONNRESET', 'network', 'sent')
    should(error.message).equal(`The connection broke before the response arrived. ${unchanged}`)
    should(error.cause.outcome).equal('unknown')
    should(facts).deepEqual({ transient: true })
  })

  it('because the time was over says after how many seconds, and may be tried again', () => {
    const { error, ...facts } = failed('ETIMEDOUT', 'timeout', 'sent')
    should([error.code, error.message]).deepEqual(['EID_TIMEOUT', `No answer within 30 seconds. ${unchanged}`])
    should(facts).deepEqual({ transient: true })
  })

  it('is final when it was stopped, when its own file broke, or when the certificate is wrong', () => {
    should(failed('STOPPED', 'aborted').transient).be.false()
    should(failed('CERT_HAS_EXPIRED').transient).be.false()
    const broken = new TransportFault('network', 'sent', 'SOURCE', new Error('gone'))
    const path = '/share/buckets/b-1/content/lease.pdf/'
    const { error, transient } = fromFault(broken, call({ path }))
    should(transient).be.false()
    should(error.message).equal(`The file lease.pdf could not be read completely. ${unchanged}`)
  })

  it('is final when the answer is too large', () => {
    const { error, ...facts } = failed('ERR_FR_MAX', 'tooLarge', 'sent')
    should([error.code, error.message]).deepEqual([
      'EID_SERVICE',
      `The response of the service is too large. ${unchanged}`,
    ])
    should(facts).deepEqual({ transient: false })
  })
})

describe('an attempt that the service answered', () => {
  const failed = (status: number, body: unknown = {}, more: Partial<CallContext> = {}, headers = {}) =>
    fromStatus({ status, headers, body: Buffer.from(JSON.stringify(body)) }, call(more), 0)

  const sentences: [number, string][] = [
    [300, 'The service redirected to another address.'],
    [399, 'The service redirected to another address.'],
    [400, `Refused: the service gave no explanation (400). ${nothing}`],
    [401, `Access refused, even with a new token. ${nothing}`],
    [403, `Not allowed: the scope document_read is needed. ${nothing}`],
    [404, `Document d-1 was not found. ${nothing}`],
    [429, `Too many calls: the service is limiting the rate. ${nothing}`],
    [500, `The service failed (500). ${unchanged}`],
    [503, `The service failed (503). ${unchanged}`],
  ]
  for (const [status, sentence] of sentences) {
    it(`with ${status} says: ${sentence}`, () => void should(failed(status).error.message).startWith(sentence))
  }

  it('with words of its own has them in the sentence', () => {
    should(failed(400, { message: 'Too long' }).error.message).equal(`Refused: Too long. ${nothing}`)
    should(failed(500, { message: 'Out of order!' }).error.message).equal(
      `The service failed (500). Out of order! ${unchanged}`,
    )
  })

  it('that it does not know the path, names the path and not an id', () => {
    const unknown = /^The service does not know the address \/signature\/documents\/d-1\. Nothing was done\./
    should(failed(404, { message: 'Invalid path: it has no document' }).error.message).match(unknown)
    should(failed(404, { message: 'An invalid path' }).error.message).match(/^Document d-1 was not found/)
    should(failed(400, { message: 'Invalid path' }).error.message).match(/^Refused: Invalid path/)
  })

  it('to a call that was typed by hand, names no scope, and no id unless its path has one', () => {
    const typed = { scope: undefined, path: '/signature/themes' }
    should(failed(403, {}, typed).error.message).startWith(`Not allowed: the client may not do this. ${nothing}`)
    should(failed(404, {}, typed).error.message).match(/^The service does not know the address \/signature\/themes\./)
    should(failed(404, {}, { scope: undefined }).error.message).match(/^Document d-1 was not found/)
    should(failed(404, {}, { path: '/signature/themes' }).error.message).startWith(
      `Nothing was found at /signature/themes. ${nothing}`,
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
    should(error.message).equal(`The response of the service could not be read. ${unchanged}`)
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
      `The response of the service does not contain what was requested. ${unchanged}`,
    )
  })

  it('can be reported by a node that misses something in it', () => {
    const answer = { status: 200, requestId: 'r-1' }
    const error = answerError('addSigner', answer, '@answers.incomplete', { id: 'd-1' })
    should(error.code).equal('EID_SERVICE')
    const missing = 'The response of the service does not contain what was requested.'
    should(error.message).equal(
      `${missing} It may have been done: check document d-1 before you send the message again.`,
    )
    const path = '/signature/documents/d-1/signers'
    should(error.cause).deepEqual({ method: 'POST', path, attempts: 1, outcome: 'unknown', ...answer })
    should(answerError('createDocument', answer, '@answers.incomplete').message).endWith(
      'It may have been done: check before you send the message again.',
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
