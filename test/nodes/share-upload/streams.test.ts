/** "share upload" with streams, and with files that change or break off while they are read. */
import should from 'should'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import createNode from '../../../nodes/share-create/share-create'
import node from '../../../nodes/share-upload/share-upload'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'
import { saying, sentence } from '../../support/wording'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

const share = (ids: readonly string[]) => ({
  information: { title: 'Files', description: 'For Kari' },
  content: [...ids, 'never'].map((id) => ({ id, name: `File ${id}`, type: 'file' })),
  recipients: [
    {
      firstName: 'Kari',
      lastName: 'Nordmann',
      email: 'kari.nordmann@example.com',
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      mobile: { countryCode: '47', number: '99999999' },
      uploads: ids.slice(0, 1),
      authentication: [],
    },
  ],
})

describe('share upload of streams and files that change', () => {
  let service: Service
  let folder: string
  const start = (settings: object = {}, client: object = {}) =>
    startFlow({
      type: 'eid-share-upload',
      module: node,
      settings: { file: 'file', contentId: 'contentId', ...settings },
      client: { baseUrl: service.url, ...client },
      outputs: 2,
      modules: [createNode],
      more: [
        { id: 'create', z: 'f', type: 'eid-share-create', client: 'c', wires: [['n', 'copied']] },
        { id: 'copied', z: 'f', type: 'helper' },
      ],
    })
  const send = (flow: Flow, msg: object, ids = ['a']) =>
    flow.send({ payload: share(ids), contentId: 'a', ...msg }, 'create')
  const uploads = async () => (await service.requests()).filter((one) => one.operation.startsWith('upload'))
  const slip = () => join(folder, 'slip.pdf')

  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-streams-'))
  })
  after(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    await service.reset()
    writeFileSync(slip(), 'payslip')
  })
  afterEach(stopFlow)

  const answer = () =>
    new Promise<IncomingMessage>((resolve) => get(`${service.url}/sandbox/requests`, (response) => resolve(response)))
  const kinds: readonly [string, () => Readable | Promise<Readable>][] = [
    ['a file', () => createReadStream(slip())],
    ['an opened file', () => opened(createReadStream(slip()))],
    ['a compression', () => createReadStream(slip()).pipe(createGzip())],
    ['the answer to an HTTP call', answer],
    ['a pipe that fills later', () => later(slip())],
  ]
  for (const [what, make] of kinds) {
    it(`takes the stream of ${what}, and reports its copy`, async () => {
      const flow = await start({}, { timeout: '1' })
      const stream = await make()
      // With two wires, Node-RED sends the message itself to the first node and a copy to the second.
      const copied = new Promise<{ file: Readable }>((resolve) => {
        flow.node('copied').on('input', (msg: { file: Readable }) => resolve(msg))
      })
      send(flow, { file: stream })
      const [file] = (await flow.next()).payload as { bytes: number; sha256: string }[]
      const [arrived] = await uploads()
      should(arrived?.body).match({ sha256: file?.sha256, size: file?.bytes })
      const { file: copy } = await copied
      flow.send({ shareId: 'x', contentId: 'a', file: copy })
      const { error } = await flow.caught()
      should(error.message).match(/copy of a stream/)
      should(error.code).equal('EID_INVALID_INPUT')
      should(await uploads()).have.length(1)
    })
  }

  it('says that a stream was read before', async () => {
    const flow = await start()
    const stream = Readable.from(['x']).resume()
    await new Promise((resolve) => stream.once('end', resolve))
    flow.send({ shareId: 'x', contentId: 'a', file: stream })
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
  })

  it('survives a stream that fails while others are on their way, says which, and closes the rest', async () => {
    const flow = await start({ progress: true })
    const broken = new PassThrough()
    broken.write('begun')
    const left = createReadStream(slip())
    send(flow, { files: { a: Buffer.alloc(3_000_000), b: broken, c: left } }, ['a', 'b', 'c'])
    await flow.next(1)
    broken.destroy(new Error('disk'))
    const failed = await flow.caught()
    should(failed.error.code).equal('EID_NETWORK')
    should(failed.error.message).startWith(sentence('client', 'network.SOURCE', { file: 'b' }))
    should(failed.uploaded).matchAny({ contentId: 'a' })
    should(left.destroyed).be.true()
  })

  it('lists every file that is not there before the first one leaves', async () => {
    const flow = await start({ fileAs: 'path' })
    const late = createReadStream(join(folder, 'none.pdf'))
    send(flow, { files: { a: slip(), b: join(folder, 'none.pdf'), c: folder, d: Readable.from(['x']) } }, [
      'a',
      'b',
      'c',
      'd',
    ])
    late.on('error', () => undefined)
    const { error } = await flow.caught()
    should((error.cause.problems as { path: string }[]).map(({ path }) => path)).deepEqual([
      'files.b.file',
      'files.c.file',
    ])
    flow.send({ shareId: 'x', contentId: 'a', file: late })
    should((await flow.caught()).error.message).match(/^File cannot be read/)
    should(await uploads()).have.length(0)
  })

  it('warns when a stream falls silent before its end', async () => {
    const flow = await start({}, { timeout: '1' })
    const stream = new PassThrough()
    stream.write('half')
    send(flow, { file: stream })
    should((await flow.caught()).error.code).equal('EID_TIMEOUT')
    should(flow.warnings.join()).match(saying('share-upload', 'warnings.silentStream'))
  })

  it('reports a stream that breaks off halfway', async () => {
    const flow = await start()
    const stream = new PassThrough()
    stream.write(randomBytes(200_000))
    send(flow, { file: stream })
    await until(() => stream.readableLength + stream.writableLength === 0)
    stream.destroy(new Error('disk'))
    const { error } = await flow.caught()
    should(error.code).equal('EID_NETWORK')
    should(error.message).match(saying('client', 'network.SOURCE'))
  })

  it('never sends a stream twice', async () => {
    const flow = await start({}, { retries: 2 })
    await service.fault({ operation: 'uploadToBucket', kind: 'status', status: 404 })
    send(flow, { file: createReadStream(slip()) })
    should((await flow.caught()).error.code).equal('EID_NOT_FOUND')
    should(await uploads()).have.length(1)
  })

  it('creates the file again for a retry', async () => {
    const flow = await start({ fileAs: 'path' }, { retries: 1 })
    await service.fault({ operation: 'uploadToBucket', kind: 'status', status: 429, retryAfter: 0 })
    send(flow, { file: slip() })
    should((await flow.next()).payload).matchAny({ bytes: 7, sha256: sha256('payslip') })
    should(await uploads()).have.length(2)
  })

  it('uploads empty files, and a growing one as it was at the start', async () => {
    writeFileSync(slip(), '')
    let flow = await start({ fileAs: 'path' })
    send(flow, { files: { a: slip(), b: Buffer.alloc(0) } }, ['a', 'b'])
    should((await flow.next()).payload).match([{ bytes: 0 }, { bytes: 0 }])
    await stopFlow()
    const large = randomBytes(5_000_000)
    writeFileSync(slip(), large)
    flow = await start({ progress: true, fileAs: 'path' })
    send(flow, { file: slip() })
    await flow.next(1)
    appendFileSync(slip(), 'and more')
    should((await flow.next()).payload).matchAny({ bytes: large.length, sha256: sha256(large) })
  })

  it('reports the progress of a Buffer in steps that grow up to its size', async () => {
    const flow = await start({ progress: true })
    const total = 3_000_000
    send(flow, { file: Buffer.alloc(total) })
    const first = (await flow.next(1)).payload as { sent: number }
    should(first.sent).be.below(total)
    let last = first
    while (last.sent < total) last = (await flow.next(1)).payload as { sent: number }
    should(last).deepEqual({ contentId: 'a', sent: total, total })
    await flow.next()
    should(flow.statuses.map(({ text }) => text)).containEql('1/1: 100 %')
  })

  it('refuses values that cannot be files', async () => {
    const flow = await start()
    const file = Buffer.from('x')
    const wrong: readonly [unknown, RegExp][] = [
      [[], /at least one is needed/],
      ['slip.pdf', /^Files must be a list/],
      [
        [
          { contentId: 'a', file },
          { contentId: 'a', file },
        ],
        saying('share-upload', 'problems.repeatedFile', { path: 'File 2: file' }),
      ],
    ]
    for (const [files, says] of wrong) {
      flow.send({ shareId: 'x', files })
      should((await flow.caught()).error.message).match(says)
    }
    should(await service.requests()).have.length(0)
  })

  it('keeps a typed file name as it is, and takes only the last part of a path that a node left', async () => {
    let flow = await start({ fileName: 'May 5/2030.pdf', fileNameType: 'str' })
    send(flow, { file: Buffer.from('x') })
    should((await flow.next()).payload).matchAny({ fileName: 'May 5/2030.pdf' })
    await stopFlow()
    flow = await start()
    send(flow, { file: Buffer.from('x'), filename: 'C:\\slips\\may.pdf' })
    should((await flow.next()).payload).matchAny({ fileName: 'may.pdf' })
  })

  it('ends when the flow is deployed again, and closes the stream', async () => {
    const flow = await start()
    const stream = new PassThrough()
    stream.write('and then nothing')
    send(flow, { file: stream })
    await until(() => flow.statuses.some(({ text }) => text?.includes('bytes')))
    await flow.redeploy({ name: 'changed' })
    should(stream.destroyed).be.true()
  })
})

function opened(stream: Readable): Promise<Readable> {
  return new Promise((resolve) => stream.once('open', () => resolve(stream)))
}

/** A pipe that gets the file's data after a moment; a copy of the pipe gets none. */
function later(path: string): Readable {
  const pipe = new PassThrough()
  setTimeout(() => createReadStream(path).pipe(pipe), 300)
  return pipe
}
