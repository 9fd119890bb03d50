/**
 * "upload to share", the second time: an uploaded file is not sent again, another file is, and no file is opened by
 * accident.
 */
import should from 'should'
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../../nodes/share-upload/share-upload'
import { isSame } from '../../../nodes/share-upload/uploaded'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { startParties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { sentence } from '../../support/wording'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a second upload', () => {
  let service: Service
  let folder: string
  const start = (settings: object = {}) =>
    startFlow({
      type: 'eid-share-upload',
      module: node,
      settings: { file: 'file', ...settings },
      client: { baseUrl: service.url, retries: 0 },
      outputs: 2,
    })
  const createShare = async (...ids: string[]) => {
    const parties = await startParties(service)
    const { id } = await parties.call<{ id: string }>('POST', '/share/buckets/', {
      information: { title: 'Files', description: 'For Ola' },
      content: ids.map((one) => ({ id: one, name: `File ${one}`, type: 'file' })),
      recipients: [
        {
          firstName: 'Ola',
          lastName: 'Nordmann',
          email: 'ola.nordmann@example.com',
          expires: new Date(service.sandbox.clock.now() + 86_400_000).toISOString(),
          mobile: { countryCode: '47', number: '99999999' },
          uploads: [],
          authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
        },
      ],
    })
    return id
  }
  const uploaded = async (flow: Flow) =>
    (await flow.next()).payload as readonly { readonly fileName: string; readonly sha256: string }[]
  const uploads = async () =>
    (await service.requests('uploadToBucket')).map(({ path, body }) => [path.split('/').at(-1), body?.sha256])
  const path = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-upload-'))
  })
  after(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('of the same file to the same item uploads nothing', async () => {
    const shareId = await createShare('a', 'b', 'c')
    const flow = await start({ fileAs: 'path' })
    flow.send({ shareId, files: { a: Buffer.from('one'), b: path('two', 'two') } })
    const first = await flow.next()
    flow.send({ ...first })
    const second = await flow.next()
    should(await uploads()).have.length(2)
    should(second.payload).deepEqual(first.payload)
  })

  it('of another file to the same item sends it', async () => {
    const shareId = await createShare('a', 'b', 'c')
    const flow = await start({ fileAs: 'path' })
    flow.send({ shareId, files: { a: Buffer.from('one'), b: path('two', 'two') } })
    const first = await flow.next()
    flow.send({ ...first, files: { a: Buffer.from('uno'), b: path('two', 'due') } })
    const second = await flow.next()
    should((second.payload as { sha256: string }[]).map((one) => one.sha256)).deepEqual([sha256('uno'), sha256('due')])
    should((await uploads()).slice(2)).deepEqual([
      ['a', sha256('uno')],
      ['b', sha256('due')],
    ])
  })

  it('into another share forgets nothing of the first one', async () => {
    const one = await createShare('a', 'b')
    const other = await createShare('a', 'b')
    const flow = await start()
    flow.send({ shareId: one, contentId: 'a', file: Buffer.from('one') })
    flow.send({ ...(await flow.next()), shareId: other })
    flow.send({ ...(await flow.next()), shareId: one })
    await flow.next()
    should(await uploads()).have.length(2)
  })

  it('skips a stream that was read already when its file is in the share, and sends the new ones', async () => {
    const shareId = await createShare('a', 'b', 'c')
    const flow = await start()
    const a = createReadStream(path('one', 'one'))
    const b = createReadStream(path('two', 'two'))
    await service.fault({ operation: 'uploadToBucket', kind: 'status', status: 500, skip: 1 })
    flow.send({ shareId, files: { a, b } })
    const { error: _error, ...failed } = await flow.caught()
    flow.send({ ...failed, files: { a, b: createReadStream(join(folder, 'two')) } })
    const msg = await flow.next()
    should((msg.payload as { sha256: string }[]).map((one) => one.sha256)).deepEqual([sha256('one'), sha256('two')])
    should((await uploads()).map(([id]) => id)).deepEqual(['a', 'b', 'b'])
  })

  it('of a missing file, or one outside the base folder, does not pass for the one sent before', async () => {
    const shareId = await createShare('a', 'b')
    path('one.txt', 'one')
    const flow = await start({ fileAs: 'path', baseFolder: folder })
    flow.send({ shareId, files: { a: 'one.txt' } })
    const first = await flow.next()
    should(first.payload).have.length(1)
    for (const a of ['never-there.txt', '/etc/hostname']) {
      flow.send({ ...first, files: { a } })
      const { error } = await flow.caught()
      should(error).match({ code: 'EID_INVALID_INPUT', cause: { outcome: 'not-done' } })
    }
    rmSync(join(folder, 'one.txt'))
    flow.send({ ...first })
    should((await flow.next()).payload).deepEqual(first.payload)
    should(await uploads()).have.length(1)
  })

  it('after one of several failed says which files are there', async () => {
    const shareId = await createShare('a', 'b')
    const flow = await start()
    await service.fault({ operation: 'uploadToBucket', kind: 'status', status: 400, skip: 1, count: 1 })
    flow.send({ shareId, files: { a: Buffer.from('one'), b: Buffer.from('two') } })
    const { error, ...failed } = await flow.caught()
    should(error.cause.outcome).equal('unknown')
    should(error.message)
      .containEql(sentence('client', 'outcomes.partly', { sent: 1, count: 2 }))
      .and.not.match(/Nothing was done/)
    flow.send(failed)
    should((await flow.next()).payload).have.length(2)
    should((await uploads()).map(([id]) => id)).deepEqual(['a', 'b', 'b'])
  })

  it('is not waited for while a large file is compared, once the flow is stopped', async () => {
    const file = { from: 'path', path: path('one.txt', 'one') } as const
    const there = { shareId: 's', contentId: 'a', fileName: 'one.txt', bytes: 3, sha256: sha256('one'), seconds: 0 }
    const planned = { path: 'file', contentId: 'a', fileName: 'one.txt', file }
    const places = { workingDirectory: undefined, baseFolder: '' }
    should(await isSame(planned, there, places, new AbortController().signal)).be.true()
    should(await isSame(planned, there, places, AbortSignal.abort())).be.false()
  })

  it('of two messages at once gives each its own answer', async () => {
    const one = await createShare('a', 'b')
    const other = await createShare('a', 'b')
    const flow = await start()
    flow.send({ shareId: one, contentId: 'a', file: Buffer.from('one') })
    flow.send({ shareId: other, contentId: 'a', file: Buffer.from('other') })
    const messages = [await flow.next(), await flow.next()]
    const found = new Map(messages.map((msg) => [msg.shareId, (msg.payload as { sha256: string }[])[0]?.sha256]))
    should(Object.fromEntries(found)).deepEqual({ [one]: sha256('one'), [other]: sha256('other') })
  })

  it('opens no file of the server for a text that was to be content', async () => {
    const flow = await start()
    for (const file of [path('secret.txt', 'secret'), '/etc/hostname', '../secret']) {
      flow.send({ shareId: 'x', files: { a: file } })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.cause.problems).matchAny({ path: 'files.a.file' })
    }
    should(await service.requests()).have.length(0)
  })

  it('takes content as content, also among paths', async () => {
    const shareId = await createShare('a', 'b', 'c')
    const flow = await start({ fileAs: 'path' })
    const base64 = Buffer.from('two!').toString('base64')
    flow.send({ shareId, files: { a: path('one', 'one'), b: { content: base64, fileName: 'letter.txt' } } })
    should((await uploaded(flow)).map((one) => [one.fileName, one.sha256])).deepEqual([
      ['one', sha256('one')],
      ['letter.txt', sha256('two!')],
    ])
  })

  it('takes a text as a path when the person says so, whatever it looks like', async () => {
    const shareId = await createShare('a')
    const flow = await start({ fileAs: 'path', baseFolder: folder })
    path('c2VjcmV0', 'a file with a strange name')
    flow.send({ shareId, contentId: 'a', file: 'c2VjcmV0' })
    should((await flow.next()).payload).matchAny({ sha256: sha256('a file with a strange name') })
  })
})
