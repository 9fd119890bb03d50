/** One attempt of a call: what it sends, which responses count as a success, and what errors say about the others. */
import type { Readable } from 'node:stream'
import should from 'should'
import type { CallOptions } from '../../../lib/api/call/call'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import type { Scripted } from '../../support/servers/server'
import { sentence } from '../../support/wording'

const faulty = (detail: string) =>
  sentence('client', 'errors.EID_SERVICE', { detail: `@answers.${detail}`, said: '', done: '@outcomes.read' })

describe('an attempt', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())
  const client = () => bench.client({ retries: 0 })
  const getDocument = (options: CallOptions = {}) => client().send('getDocument', { id: 'd-1', ...options })
  const getFile = (answer: Scripted, options: CallOptions = {}) => {
    bench.server.answer(answer)
    return client().send('getDocumentFile', { id: 'd-1', query: { fileFormat: 'pades' }, ...options })
  }

  it('asks for JSON, or for anything else', async () => {
    await getDocument()
    should(bench.server.calls[0]?.headers).match({ accept: 'application/json, */*', authorization: 'Bearer token-1' })
  })

  it('takes the second token after the first one was refused, and keeps it', async () => {
    bench.server.answerToken(
      { body: { access_token: 'token-1', expires_in: 3600 } },
      { body: { access_token: 'token-2', expires_in: 3600 } },
    )
    bench.server.answer({ status: 401 }, { body: { documentId: 'd-1' } })
    await getDocument()
    should(bench.server.calls.map(({ headers }) => headers.authorization)).deepEqual([
      'Bearer token-1',
      'Bearer token-2',
    ])
  })

  describe('for a file', () => {
    const headers = { 'Content-Type': 'application/pdf' }
    const wrong: [string, Scripted][] = [
      ['a page to log in at', { headers: { 'Content-Type': 'text/html' }, body: '%PDF<html>' }],
      ['one that is ready later', { status: 202, headers, body: '%PDF' }],
      ['several answers in one', { status: 207, headers, body: '%PDF' }],
      ['something else', { headers, body: 'Please log in' }],
      ['nothing', { headers, body: '' }],
    ]
    for (const [what, answer] of wrong) {
      it(`does not take ${what}, whole or as a stream`, async () => {
        for (const as of ['buffer', 'stream'] as const) {
          const error = await failure(getFile(answer, { as }))
          should([error.code, error.message]).deepEqual(['EID_SERVICE', faulty('incomplete')])
        }
      })
    }

    it('returns its bytes, whole or as a stream', async () => {
      const { data } = await getFile({ headers, body: '%PDF-1.7' }, { as: 'buffer' })
      should(data).deepEqual(Buffer.from('%PDF-1.7'))
      const streamed = await getFile({ headers, body: '%PDF-1.7' }, { as: 'stream' })
      should(Buffer.concat(await (streamed.data as Readable).toArray()).toString()).equal('%PDF-1.7')
    })
  })

  it('returns a stream of anything when no file was asked for', async () => {
    bench.server.answer({ headers: { 'Content-Type': 'text/html' }, body: '' })
    const { data } = await client().send('getDeposit', { id: '1', as: 'stream' })
    should(await (data as Readable).toArray()).deepEqual([])
  })

  it('is not whole with several answers in one, whatever was asked for', async () => {
    bench.server.answer({ status: 207, body: { documentId: 'd-1' } })
    should((await failure(getDocument())).message).equal(faulty('incomplete'))
  })

  it('says what is missing in the answer, and which answer cannot be read', async () => {
    bench.server.answer({ body: { documentId: 'another' } })
    should((await failure(getDocument())).message).equal(faulty('incomplete'))
    bench.server.answer({ body: '{' })
    should((await failure(getDocument())).message).equal(faulty('malformed'))
  })

  it('fails with every status but those from 200 to 299', async () => {
    for (const status of [300, 304, 400]) {
      bench.server.answer({ status, ...(status !== 304 && { body: { documentId: 'd-1' } }) })
      should((await failure(getDocument())).cause.status).equal(status)
    }
    bench.server.answer({ status: 299, body: { documentId: 'd-1' } })
    should((await getDocument()).status).equal(299)
  })

  describe('that asked for a stream and was refused', () => {
    const says = async (answer: Scripted) => {
      bench.server.answer({ status: 400, ...answer })
      return (await failure(getDocument({ as: 'stream' }))).message
    }
    const refused = (detail: string, params = {}) =>
      sentence('client', 'errors.EID_REFUSED', { detail, ...params, done: '@outcomes.notDone' })
    const unexplained = refused('@answers.none', { status: 400 })

    it('says why', async () => should(await says({ body: { message: 'Too old' } })).equal(refused('Too old.')))

    it('reads what came in several pieces, up to 64 KiB', async () => {
      const said = (length: number) => {
        const body = (padding: string) => JSON.stringify({ padding, message: 'Too old' })
        return { body: body('x'.repeat(length - body('').length)) }
      }
      should(await says(said(65_536))).equal(refused('Too old.'))
      should(await says(said(400_000))).equal(unexplained)
    })

    it('goes by the status when the reason breaks off', async () =>
      should(await says({ body: '{"message": "Too', close: 'middle' })).equal(unexplained))
  })

  it('names the body that cannot be made, and the file that is missing', async () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const problemsOf = async (options: CallOptions) =>
      (await failure(client().send('createDocument', options))).cause.problems
    should(await problemsOf({ body: cyclic })).match([{ path: 'body' }])
    const makeBody = () => Promise.reject(new Error('no such file'))
    should(await problemsOf({ makeBody })).match([{ path: 'file' }])
    should(bench.server.calls).be.empty()
  })
})
