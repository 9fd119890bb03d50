/** "share upload" against the sandbox: every source, every path, retries, progress, and constant memory. */
import should from 'should'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import createNode from '../../nodes/share-create/share-create'
import node from '../../nodes/share-upload/share-upload'
import { startFlow, stopFlow, type Flow } from '../support/flow'
import { startService, type Service } from '../support/service'

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const items = (...ids: string[]) => ids.map((id) => ({ id, name: `File ${id}`, type: 'file' }))

const share = (ids: string[]) => ({
  information: { title: 'Files', description: 'For Ola' },
  content: items(...ids),
  recipients: [
    {
      firstName: 'Ola',
      lastName: 'Nordmann',
      email: 'ola.nordmann@example.com',
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      mobile: { countryCode: '47', number: '99999999' },
      uploads: ids.slice(0, 1),
      authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
    },
  ],
})

describe('share upload', () => {
  let service: Service
  let folder: string
  const start = (settings: object = {}, client: object = {}) =>
    startFlow({
      type: 'eid-share-upload',
      module: node,
      settings,
      client: { baseUrl: service.url, ...client },
      outputs: 2,
      modules: [createNode],
      more: [{ id: 'create', z: 'f', type: 'eid-share-create', client: 'c', wires: [['n']] }],
    })
  /** Creates a share and passes the message on to the upload. */
  const send = (flow: Flow, msg: object, ids = ['a']) => flow.send({ payload: share(ids), ...msg }, 'create')
  const uploads = async () =>
    (await service.requests())
      .filter((one) => one.operation.startsWith('upload'))
      .map((one) => one.path.replace(/[\da-f-]{36}/, 'ID'))

  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-upload-'))
    writeFileSync(join(folder, 'slip.pdf'), 'payslip')
  })
  after(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => service.reset())

  it('uploads the files of the list in the form, each to its item, and the only file to the only item', async () => {
    writeFileSync(join(folder, 'rules.pdf'), 'house rules')
    const row = (file: string, more: object = {}) => ({ file: join(folder, file), fileType: 'path', ...more })
    const filesRows = [row('slip.pdf', { contentId: 'a' }), row('rules.pdf', { contentId: 'b', fileName: 'Rules.pdf' })]
    const flow = await start({ filesRows })
    send(flow, { files: { a: 'not this' }, filename: 'nor this' }, ['a', 'b'])
    should((await flow.next()).payload).match([
      { contentId: 'a', fileName: 'slip.pdf', sha256: sha256('payslip') },
      { contentId: 'b', fileName: 'Rules.pdf', sha256: sha256('house rules') },
    ])
    await flow.redeploy({ filesRows: [row('slip.pdf')] })
    send(flow, {})
    should((await flow.next()).payload).match([{ contentId: 'a', fileName: 'slip.pdf' }])
    await flow.redeploy({
      filesRows: [row('slip.pdf', { contentId: 'a' }), row('slip.pdf'), { file: '', fileType: 'path' }],
    })
    send(flow, {}, ['a', 'b'])
    const { problems } = (await flow.caught()).error.cause as { problems: { path: string }[] }
    should(problems.map(({ path }) => path)).deepEqual(['files[2].file', 'files[1].contentId', 'files[2].contentId'])
  })
  afterEach(stopFlow)

  const sources: readonly [string, () => unknown][] = [
    ['a Buffer', () => Buffer.from('payslip')],
    ['base64', () => Buffer.from('payslip').toString('base64').padEnd(12, '=')],
    ['a path', () => join(folder, 'slip.pdf')],
    ['a stream', () => createReadStream(join(folder, 'slip.pdf'))],
  ]
  for (const [what, source] of sources) {
    it(`uploads ${what}`, async () => {
      const flow = await start({ file: 'file', fileAs: what === 'a path' ? 'path' : 'content' })
      send(flow, { file: source(), kept: 1 })
      const msg = await flow.next()
      const [file] = msg.payload as Record<string, unknown>[]
      should(file).have.properties({ contentId: 'a', bytes: 7, sha256: sha256('payslip') })
      should(file?.seconds).be.a.Number()
      should(msg.kept).equal(1)
      should(await uploads()).deepEqual(['/share/buckets/ID/upload/a'])
    })
  }

  for (const fileName of ['Lønn "mai" 🧾.pdf', 'to\r\nlines.pdf', "O'Brien & Sønn.pdf"]) {
    it(`sends the file name ${JSON.stringify(fileName)} in UTF-8`, async () => {
      const flow = await start({ file: 'file', fileName: 'given' })
      send(flow, { file: Buffer.from('x'), given: fileName })
      should((await flow.next()).payload).matchAny({ fileName })
      const [asked] = (await service.requests()).filter((one) => one.operation.startsWith('upload'))
      const arrived = JSON.stringify(asked?.body)
      const escaped = fileName.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
      should(arrived.includes(JSON.stringify(fileName).slice(1, -1)) || arrived.includes(escaped)).be.true()
    })
  }

  const paths: readonly [string, object, string][] = [
    ['buckets', { sharePaths: 'buckets' }, '/share/buckets/ID/upload/a'],
    ['share', { sharePaths: 'share' }, '/share/ID/upload/a/'],
    ['share with file', { sharePaths: 'share', uploadPath: 'file' }, '/share/ID/file/a'],
  ]
  for (const [what, client, path] of paths) {
    it(`uses the path of the family ${what}`, async () => {
      const flow = await start({ file: 'file' }, client)
      send(flow, { file: Buffer.from('x') })
      await flow.next()
      should(await uploads()).deepEqual([path])
    })
  }

  it('goes on to the other upload paths when one does not exist', async () => {
    const flow = await start({ file: 'file', fileAs: 'path' })
    await service.fault({ operation: 'uploadToBucket', kind: 'status', status: 404 })
    send(flow, { file: join(folder, 'slip.pdf') })
    should((await flow.next()).payload).matchAny({ sha256: sha256('payslip') })
    should(await uploads()).deepEqual(['/share/buckets/ID/upload/a', '/share/ID/upload/a/'])
  })

  it('uploads many files, and only the missing ones when it is repeated', async () => {
    const flow = await start({ fileAs: 'path' }, { retries: 0 })
    await service.fault({ operation: 'uploadToBucket', kind: 'status', status: 500, skip: 1 })
    const files = { a: Buffer.from('one'), b: join(folder, 'slip.pdf'), c: Buffer.from('three') }
    send(flow, { files }, ['a', 'b', 'c'])
    const failed = await flow.caught()
    should(failed.uploaded).matchAny({ contentId: 'a' })
    const { error: _error, ...again } = failed
    flow.send(again)
    const msg = await flow.next()
    should((msg.payload as { contentId: string }[]).map((one) => one.contentId)).deepEqual(['a', 'b', 'c'])
    should((await uploads()).map((path) => path.at(-1))).deepEqual(['a', 'b', 'b', 'c'])
  })

  it('takes a list of files and lists every problem at once', async () => {
    const flow = await start()
    flow.send({ shareId: 'x', files: [{ contentId: 'a', file: Buffer.from('x') }, { contentId: '../b', file: 5 }, {}] })
    const { error } = await flow.caught()
    should((error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual([
      'files[1].contentId',
      'files[1].file',
      'files[2].contentId',
      'files[2].file',
    ])
    should(await service.requests()).have.length(0)
  })

  it('reports progress on the second output when asked', async () => {
    const flow = await start({ file: 'file', progress: true })
    send(flow, { file: Buffer.alloc(3_000_000) })
    const msg = await flow.next(1)
    should(msg.payload).have.properties({ contentId: 'a', total: 3_000_000 })
    await flow.next()
  })

  it('keeps paths inside the base folder, links followed', async () => {
    mkdirSync(join(folder, 'base'), { recursive: true })
    writeFileSync(join(folder, 'base', 'in.txt'), 'inside')
    symlinkSync(join(folder, 'slip.pdf'), join(folder, 'base', 'link.txt'))
    const flow = await start({ file: 'file', fileType: 'msg', fileAs: 'path', baseFolder: join(folder, 'base') })
    for (const file of ['../slip.pdf', 'link.txt', join(folder, 'slip.pdf')]) {
      flow.send({ shareId: 'x', contentId: 'a', file })
      should((await flow.caught()).error.message).match(/outside the base folder/)
    }
    should(await service.requests()).have.length(0)
    send(flow, { file: 'in.txt' })
    should((await flow.next()).payload).matchAny({ sha256: sha256('inside') })
  })

  it('says which file cannot be read', async () => {
    const flow = await start({ file: join(folder, 'none.pdf'), fileType: 'path' })
    flow.send({ shareId: 'x', contentId: 'a' })
    should((await flow.caught()).error.message).match(/cannot be read/)
  })
})
