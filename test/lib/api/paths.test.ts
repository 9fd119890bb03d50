/**
 * Whatever value is used as an id or a path, the call stays below the base address, and the service reads exactly that
 * value.
 */
import fc from 'fast-check'
import should from 'should'
import { checkUrl } from '../../../lib/api/operations/addresses'
import { EidError } from '../../../lib/api/errors/errors'
import { resolveUrl, buildPath, buildQuery } from '../../../lib/api/operations/paths'
import { isPathId } from '../../../lib/settings/rules'
import { anyText } from '../../support/any-text'
import { failure, startScriptedService } from '../../support/scripted-service'

const hostile = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '?', '#', '@', ':', '\n', '\0', 'a', '\ud800'),
  }),
  fc.constantFrom('..', '.', '%2e%2e', '../..', '__proto__', 'constructor', 'æøå', '😀', ' ', '{id}'),
)

describe('paths', () => {
  const base = new URL('https://service.example/api')

  it('hold an id as one segment that decodes to what was given, or refuse it', () => {
    fc.assert(
      fc.property(hostile, (id) => {
        if (!isPathId(id)) {
          should(() => buildPath('/documents/{id}/status', { id })).throw(EidError)
          return
        }
        const { url, path } = resolveUrl(base, buildPath('/documents/{id}/status', { id }), '')
        const parsed = new URL(url)
        parsed.origin.should.equal('https://service.example')
        const parts = parsed.pathname.split('/')
        parts.length.should.equal(5)
        decodeURIComponent(parts[3] ?? '').should.equal(id)
        path.should.equal(`/documents/${encodeURIComponent(id)}/status`)
      }),
      { numRuns: 2000 },
    )
  })

  it('never leave the base address, whatever path is given', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('', '/', '/../', '//', '@'), (path, start) => {
        try {
          const parsed = new URL(resolveUrl(base, start + path, '?a=1').url)
          parsed.origin.should.equal(base.origin)
          parsed.username.should.equal('')
          parsed.pathname.should.startWith('/api/')
          should(parsed.searchParams.getAll('a')).containEql('1')
        } catch (error) {
          should(error).have.property('code', 'EID_INVALID_INPUT')
        }
      }),
      { numRuns: 2000 },
    )
  })

  for (const path of [
    'http://evil.example',
    '@evil.example/',
    '.evil.example/',
    '/../x',
    '/%2e%2e/x',
    '/a#b',
    '',
    'a',
  ]) {
    it(`refuse ${JSON.stringify(path)} before anything is sent`, async () => {
      const bench = await startScriptedService()
      const client = bench.client({ baseUrl: `${bench.server.url}/api/` })
      const error = await failure(client.request({ method: 'GET', path, repeat: 'safe' }))
      error.code.should.equal('EID_INVALID_INPUT')
      bench.server.tokenCalls.length.should.equal(0)
      await bench.close()
    })
  }

  it('may carry a query of their own, which errors do not show', () => {
    resolveUrl(base, '/a?x=1', '?y=2').should.deepEqual({ url: 'https://service.example/api/a?x=1&y=2', path: '/a' })
  })

  it('name every parameter that is missing or no id', () => {
    const build = () => buildPath('/{a}/{b}/{constructor}', { b: '../x' })
    should(build).throw(EidError, { message: /a is missing.*b is not an id.*constructor is missing/ })
  })

  it('have queries that decode to what was given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), anyText({ minLength: 1 })), (query) => {
        const parsed = [...new URLSearchParams(buildQuery(query).replace(/\+/g, '%2B'))]
        should(parsed).deepEqual(
          Object.entries(query).map(([name, value]) => [name, value.replace(/\p{Surrogate}/gu, '\ufffd')]),
        )
      }),
    )
    buildQuery().should.equal('')
    buildQuery({ a: undefined, b: '', c: 0, d: false, e: ['x', 'y'] }).should.equal('?c=0&d=false&e=x&e=y')
    buildQuery({ a: '\ud800' }).should.equal('?a=%EF%BF%BD')
  })

  it('start from a valid address only', () => {
    checkUrl('http://127.0.0.1:1/', 'baseUrl', true).port.should.equal('1')
    checkUrl('http://localhost', 'baseUrl', true).hostname.should.equal('localhost')
    checkUrl('http://[::1]', 'baseUrl', true).hostname.should.equal('[::1]')
    checkUrl('http://service.example', 'baseUrl', false).protocol.should.equal('http:')
    for (const bad of ['', 'service', 'ftp://service.example', 'http://service.example', 'http://127.evil.example']) {
      should(() => checkUrl(bad, 'baseUrl', true)).throw(EidError, { code: 'EID_CONFIG' })
    }
  })
})
