/** The text of an error: the service's own words without personal data, the request id, and none of our secrets. */
import should from 'should'
import { configError, EidError, inputError, translateError } from '../../../lib/api/errors/errors'
import { requestIdOf } from '../../../lib/api/call/failures'
import { personalIn } from '../../../lib/api/call/personal'
import { redact } from '../../../lib/api/errors/mask'
import { english, fill, lookUp } from '../../../lib/api/errors/texts'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import type { Scripted } from '../../support/servers/server'

describe('errors', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())
  const fails = (answer: Scripted) => {
    bench.server.answer(answer)
    return failure(bench.client().send('terminateDeposit', { id: 'd-1', body: {} }))
  }

  it('carry method, path, status, code and the errors of the service', async () => {
    const errors = [{ field: 'amount', message: 'too high' }, { message: 'no field' }, {}]
    const error = await fails({ status: 422, body: { message: 'Refused', code: 'DEP-1', errors } })
    should(error.cause).deepEqual({
      method: 'POST',
      path: '/deposit/personal/d-1/terminate',
      attempts: 1,
      outcome: 'not-done',
      status: 422,
      serviceCode: 'DEP-1',
      errors: [
        { field: 'amount', message: 'too high' },
        { field: '', message: 'no field' },
      ],
    })
    error.message.should.containEql('Refused – amount: too high – no field')
    String(error).should.equal(error.message)
    String(error.cause).should.equal('not-done, 422, POST /deposit/personal/d-1/terminate, DEP-1')
    Object.keys(error).sort().should.deepEqual(['cause', 'code'])
  })

  const shapes: [string, unknown, string][] = [
    ['title and invalidParams', { title: 'Bad', invalidParams: [{ name: 'a', reason: 'b' }] }, 'Bad – a: b'],
    ['detail', { detail: 'Bad detail', title: 'Bad' }, 'Bad detail'],
    ['errors by field', { errors: { Title: ['is empty', 'is short'], Other: 'is odd' } }, 'Title: is empty is short'],
    ['errors as sentences', { errors: ['first', 7] }, 'first – 7'],
    ['error and error_description', { error: 'x', error_description: 'described' }, 'described'],
    ['errors of a wrong kind', { message: 'm', errors: 'none' }, 'm'],
    ['a message of a wrong kind', { message: { deep: true }, code: 5 }, 'no explanation'],
    ['a list', [1, 2], 'no explanation'],
    ['text', 'Bad Request', 'no explanation'],
    ['null', 'null', 'no explanation'],
    ['nothing', undefined, 'no explanation'],
    ['the key of a text', { message: '@errors.EID_CONFIG' }, 'errors.EID_CONFIG'],
    ['a huge answer', `{"message":"${'x '.repeat(600_000)}"}`, 'no explanation'],
  ]
  for (const [title, body, said] of shapes) {
    it(`understand ${title}`, async () => {
      ;(await fails({ status: 400, body })).message.should.containEql(said)
    })
  }

  for (const [header, value] of [['RequestId', 'r-1'] as const, ['Request-Id', 'r-2'] as const]) {
    it(`take the request id from ${header}, on success and failure`, async () => {
      const error = await fails({ status: 400, headers: { [header]: value } })
      should(error.cause.requestId).equal(value)
      bench.server.answer({ headers: { [header]: value }, body: { documentId: '1' } })
      should((await bench.client().send('getDocument', { id: '1' })).requestId).equal(value)
      bench.server.answer({ headers: { [header]: value }, body: '{' })
      const unreadable = await failure(bench.client({ retries: 0 }).send('getDocument', { id: '1' }))
      should(unreadable.cause.requestId).equal(value)
    })
  }

  it('take the first of a header that is there twice', () => {
    should(requestIdOf({ requestid: ['r-1', 'r-2'] })).equal('r-1')
    should(requestIdOf({})).be.undefined()
  })

  it('take the request id from the body of older services', async () => {
    should((await fails({ status: 400, body: { requestId: 'r-3' } })).cause.requestId).equal('r-3')
  })

  const personal = [
    'ola.nordmann@example.com',
    'ola.nordmann%40example.com',
    'ola.nordmann(at)example.com',
    'ola.nordmann [at] example.com',
    '"ola nordmann"@example.com',
    '99999999',
    '+47 99 99 99 99',
    '(+47) 999-99-999',
    '99.99.99.99',
    '00000000000',
    '000000 00000',
    '1990-12-31',
    '31.12.1990',
    '31/12/90',
    '311290',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
    'Bearer abc.def',
    'Basic c2FuZGJveDpzYW5kYm94',
    'access_token=abc123',
    '"client_secret": "abc-def"',
    'f'.repeat(64),
    '1 January 1970',
    '1. januar 1970',
    '1st of Jan, 1970',
    'January 1, 1970',
    '24 desember 1970',
    '3 maj 70',
    '31-DEC-1990',
    '31/Dec/1990',
    'ola.nordmann&#64;example.com',
    'ola.nordmann&#x40;example.com',
    'ola.nordmann\\u0040example.com',
    'ola.nordmann @ example.com',
    'ola.nordmann＠example.com',
    'ola.nordmann%2540example.com',
    '999\u201199\u2011999',
    '311290\u201112345',
  ]
  for (const data of personal) {
    it(`never tell ${data.slice(0, 40)}`, async () => {
      const message = `The value ${data} of the signer is refused`
      const error = await fails({ status: 400, body: { message, code: data, errors: [{ field: data, message }] } })
      const shown = JSON.stringify([error.message, error.cause, error.stack])
      shown.should.not.containEql(data)
      for (const part of data.match(/\d{4,}|nordmann|abc|def/g) ?? []) shown.should.not.containEql(part)
    })
  }

  it('never tell the token that was sent, however it looks', async () => {
    bench.server.answerToken({ body: { access_token: 'odd-token', expires_in: 100 } })
    ;(await fails({ status: 400, body: { message: 'odd-token is bad' } })).message.should.not.containEql('odd-token')
  })

  it('never tell the secret of the client, nor how it was sent', async () => {
    const basic = Buffer.from('client-1:secret-of-client-1').toString('base64')
    const message = `secret-of-client-1 is bad, and so is ${basic}`
    const error = await fails({ status: 400, body: { message, errors: [{ field: 'x', message }] } })
    const shown = JSON.stringify([error.message, error.cause, error.stack])
    for (const secret of ['secret-of-client-1', basic]) shown.should.not.containEql(secret)
  })

  it('never tell what an address holds about people; ids stay', async () => {
    const id = '3fa85f64-5717-4562-1234-2c963f66afa6'
    const path = `/signature/persons/31129012345/ola.nordmann%40example.com/${id}`
    for (const status of [400, 404, 503]) {
      bench.server.answer({ status, body: {} })
      const call = { method: 'GET', path, repeat: 'never' } as const
      const error = await failure(bench.client({ retries: 0 }).request(call))
      const shown = JSON.stringify([error.message, error.cause, error.stack])
      for (const part of ['31129012345', 'nordmann']) shown.should.not.containEql(part)
      should(error.cause.path).equal(`/signature/persons/…/…/${id}`)
    }
  })

  it('never repeat what the request said about people, however the service words it', async () => {
    const body = {
      title: 'Rental agreement',
      signers: [
        {
          externalSignerId: 'signer-7',
          signerInfo: { firstName: 'Åse', lastName: 'Nordmann-Li', mobile: { countryCode: '47', number: 99999999 } },
        },
      ],
      prefilledInput: { dateOfBirth: '010170' },
      username: 'kari.n',
    }
    const message =
      'The agreement of ÅSE Nordmann-Li, (Nordmann-Li, Åse; 010170) by kari.n for signer-7: the title is too long'
    bench.server.answer({ status: 400, body: { message, errors: [{ field: 'signers', message }] } })
    const error = await failure(bench.client().send('createSession', { body, query: { nameOfSigner: 'Ola' } }))
    const said = JSON.stringify([error.message, error.cause])
    for (const personal of [/åse/i, /nordmann/i, /010170/, /kari/, /Ola/]) said.should.not.match(personal)
    said.should.match(/The agreement of … ….* for signer-7: the title is too long/)
  })

  it('look for a limited number of values, whatever the request holds', () => {
    const cyclic: Record<string, unknown> = { name: 'Ola Nordmann' }
    cyclic.self = cyclic
    personalIn({ signers: [cyclic] }).should.deepEqual(['Ola Nordmann', 'Ola', 'Nordmann'])
    personalIn({ names: Array.from({ length: 5000 }, (_, n) => `Ola${n}`) }).length.should.equal(300)
    personalIn({ content: [{ name: 'Payslip' }], event: 5, mobile: { number: 99999999 } }, null).should.deepEqual([
      '99999999',
    ])
  })

  it('take no longer for a long answer than its length asks for', () => {
    const rows = [
      'a',
      '1',
      'a.',
      'a-',
      '@',
      'a@',
      ' ',
      '1 ',
      '1-',
      'token',
      'Bearer ',
      'jan ',
      '%40',
      '(',
      '"token" ',
      '"a',
      'a(at)',
      '(at',
    ]
    for (const row of rows) {
      const text = row.repeat(200_000 / row.length)
      const started = process.cpuUsage()
      for (let count = 0; count < 100; count++) redact(text)
      const { user } = process.cpuUsage(started)
      user.should.be.below(1_500_000, JSON.stringify(row))
    }
  })

  it('carry the code of a refused token', async () => {
    bench.server.answerToken({ status: 401, body: { error: 'invalid_client', error_description: 'no such client' } })
    const error = await failure(bench.client().send('getDocument', { id: 'd-1' }))
    error.cause.should.match({ serviceCode: 'invalid_client', status: 401, outcome: 'not-done' })
    bench.server.answerToken({ status: 400, body: { error: 'a sentence of ola.nordmann@example.com' } })
    should((await failure(bench.client().send('getDocument', { id: 'd-1' }))).cause.serviceCode).be.undefined()
  })

  it('say that a secret was copied with a line break, and that a stream has no size', async () => {
    bench.server.answerToken({ status: 401, body: { error: 'invalid_client' } })
    const error = await failure(bench.client({ clientSecret: 'secret\n' }).send('getDocument', { id: 'd-1' }))
    error.code.should.equal('EID_CREDENTIALS')
    error.message.should.match(/begins or ends with a space or a line break.* Nothing was/)
    bench.server.answerToken({ body: { access_token: 'token-1', expires_in: 3600, token_type: 'Bearer' } })
    bench.server.answer({ status: 411 })
    const refused = await failure(bench.client().send('getDocument', { id: 'd-1' }))
    refused.message.should.match(/Give a Buffer or a path instead of a stream/)
  })

  it('keep ids and ordinary words', () => {
    const id = '3fa85f64-5717-4562-1234-2c963f66afa6'
    redact(`document ${id} of contract-${id} has 3 signers`).should.equal(
      `document ${id} of contract-${id} has 3 signers`,
    )
    redact('Basic authentication failed, error SA-1030').should.equal('Basic authentication failed, error SA-1030')
  })

  it('stay short, and show no half words where they are cut', () => {
    redact('a '.repeat(5000)).length.should.equal(500)
    redact(`${'ola.nordmann@example.com '.repeat(79)}x kari.nordmann@example.com`).should.not.containEql('nordmann')
  })

  it('list every problem of the input, and translate without losing the outcome', () => {
    const error = inputError([
      { path: 'a', key: 'missing' },
      { path: 'b', key: 'choice', params: { choices: 'x, y' } },
    ])
    error.message.should.equal('a is missing. b must be one of: x, y. Nothing was sent.')
    should(error.cause.problems).deepEqual([
      { path: 'a', problem: 'a is missing' },
      { path: 'b', problem: 'b must be one of: x, y' },
    ])
    const later = new EidError(error.code, error.text, { ...error.cause, outcome: 'unknown' }, error.problemKeys)
    const said = translateError(later, (key) => `(${key})`)
    said.message.should.equal('(errors.EID_INVALID_INPUT)')
    said.cause.outcome.should.equal('unknown')
  })

  it('are put into another language with what they hold', async () => {
    await bench.server.close()
    const error = await failure(bench.client().send('getDocument', { id: '1' }))
    const said = translateError(error, (key, params) => `${key}: ${String(params?.reason ?? '')}`)
    said.message.should.equal('errors.EID_NETWORK: network.ECONNREFUSED:')
    should(said.stack?.split('\n    at ').slice(1)).deepEqual(error.stack?.split('\n    at ').slice(1))
    should(said.stack).startWith(`EidError: ${said.message}`)
    should(said.cause).equal(error.cause)
    const bare = configError('noClient')
    delete bare.stack
    translateError(bare, () => 'said').message.should.equal('said')
  })

  it('fill each placeholder of a text once, and only with the given values', () => {
    fill('__a__ and __b__, __c__', { a: '__b__', b: 2 }).should.equal('__b__ and 2, __c__')
    fill('__constructor__', {}).should.equal('__constructor__')
    english('network.STOPPED').should.containEql('stopped')
    english('no.such.key').should.equal('no.such.key')
    should(lookUp({ a: { b: 'x' } }, 'a.b')).equal('x')
    should(lookUp({ a: 'x' }, 'a.length')).be.undefined()
    should(lookUp({ a: {} }, 'a')).be.undefined()
    should(lookUp({}, 'constructor.name')).be.undefined()
  })
})
