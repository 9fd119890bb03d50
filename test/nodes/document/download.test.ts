/**
 * "document" downloads: the file is complete and the right one, even if others write to the same place, and a file that
 * is missing or late is reported as such.
 */
import should from 'should'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import helper from 'node-red-node-test-helper'
import node from '../../../nodes/document/document'
import { startFlow, stopFlow } from '../../support/flow'
import { startStreamServer, type Asked, type StreamServer } from '../../support/servers/stream-server'
import { until } from '../../support/time'
import { saying, sentence } from '../../support/wording'

/** A place where no folder can be created. The system never stops trying to create several at once. */
const noFolders =
  process.platform === 'linux'
    ? [['/proc/nope/x/1.pdf', /cannot be written: the folder .* cannot be created/] as const]
    : []

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex')
const megabytes = (count: number, byte: string) => Buffer.alloc(count * 1024 * 1024, byte)

describe('a file that document downloads', () => {
  let server: StreamServer
  let folder: string
  let answer: (asked: Asked) => void
  const start = (settings: object) =>
    startFlow({
      type: 'eid-document',
      module: node,
      settings: { operation: 'download', fileFormat: 'unsigned', ...settings },
      client: { baseUrl: server.url, retries: 0 },
    })
  const save = () => start({ saveTo: join(folder, 'x.pdf') })

  before(async () => {
    server = await startStreamServer((asked) => answer(asked))
  })
  after(() => server.close())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-download-'))
    server.asked.length = 0
    answer = ({ response }) => response.end('agreed')
  })
  afterEach(async () => {
    await stopFlow()
    helper.settings({})
    rmSync(folder, { recursive: true })
  })

  it('is warned of once when its name says PDF and its bytes do not', async () => {
    // PDF readers accept a byte-order mark and other bytes before the beginning, but no zip file.
    for (const [name, content, warned, fileFormat] of [
      ['x.pdf', '<xml/>', 1, 'unsigned'],
      ['x.pdf', '%PDF-1.7', 0, 'unsigned'],
      ['x.xml', '<xml/>', 0, 'unsigned'],
      ['x.pdf', '\uFEFF%PDF-1.7', 0, 'unsigned'],
      ['x.pdf', '\uFEFF%PDF-1.7', 0, 'pades'],
      ['x.pdf', 'PK\u0003\u0004contract.pdf%PDF-1.7', 1, 'unsigned'],
    ] as const) {
      answer = ({ response }) => response.end(content)
      const flow = await start({ saveTo: join(folder, name), fileFormat })
      flow.send({ documentId: 'd-1' })
      await flow.next()
      should(flow.warnings.filter((one) => one.includes('is not a PDF'))).have.length(warned)
      await stopFlow()
      rmSync(join(folder, name))
    }
  })

  it('is one of two that are saved to one place at the same time, never a mixture', async () => {
    const files: Record<string, Buffer> = { a: megabytes(3, 'a'), b: megabytes(2, 'b') }
    const contentOf = ({ path }: Asked) => files[path.split('/')[3] ?? ''] ?? Buffer.alloc(0)
    answer = (asked) => asked.response.write(contentOf(asked).subarray(0, 1024 * 1024))
    const flow = await save()
    flow.send({ documentId: 'a' })
    flow.send({ documentId: 'b' })
    await until(() => bytesIn(folder) >= 2 * 1024 * 1024)
    // The shorter download ends while the longer one is still being written.
    for (const asked of [...server.asked].sort((one, other) => contentOf(one).length - contentOf(other).length))
      asked.response.end(contentOf(asked).subarray(1024 * 1024))
    const messages = [await flow.next(), await flow.next()]
    for (const msg of messages) {
      const content = files[String(msg.documentId)] ?? Buffer.alloc(0)
      should(msg.file).have.properties({ size: content.length, sha256: sha256(content) })
    }
    const paths = messages.map(({ file }) => (file as { path: string }).path)
    should([...paths].sort()).deepEqual([join(folder, 'x (2).pdf'), join(folder, 'x.pdf')])
    for (const [index, path] of paths.entries()) {
      should(sha256(readFileSync(path))).equal((messages[index]?.file as { sha256: string }).sha256)
    }
    should(readdirSync(folder)).have.length(2)
  })

  it('is written through no link, and takes away nothing that is not its own', async () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'keep me')
    symlinkSync(secret, join(folder, 'x.pdf.part'))
    symlinkSync(secret, join(folder, 'x.pdf'))
    const flow = await save()
    flow.send({ documentId: 'a' })
    await flow.next()
    should(readFileSync(secret, 'utf8')).equal('keep me')
    should(existsSync(join(folder, 'x.pdf.part'))).be.true()
    should(lstatSync(join(folder, 'x.pdf')).isSymbolicLink()).be.true()
    should(readFileSync(join(folder, 'x (2).pdf'), 'utf8')).equal('agreed')
  })

  it('leaves an older one alone when it breaks off', async () => {
    writeFileSync(join(folder, 'x.pdf'), 'the older one')
    answer = ({ response }) => {
      response.setHeader('Content-Length', '100')
      response.write('half', () => response.destroy())
    }
    const flow = await save()
    flow.send({ documentId: 'a' })
    should((await flow.caught()).error.code).equal('EID_NETWORK')
    should(readFileSync(join(folder, 'x.pdf'), 'utf8')).equal('the older one')
    should(readdirSync(folder)).deepEqual(['x.pdf'])
  })

  it('is saved beside an older one when it is the requested file, however slowly its beginning comes', async () => {
    writeFileSync(join(folder, 'x.pdf'), 'the older one')
    const flow = await start({ saveTo: join(folder, 'x.pdf'), fileFormat: 'pades' })
    const slowly = (first: string, rest: string) =>
      (answer = ({ response }) => response.write(first, () => setTimeout(() => response.end(rest), 20)))
    slowly('<ht', 'ml>Please log in</html>')
    flow.send({ documentId: 'a' })
    should((await flow.caught()).error.code).equal('EID_SERVICE')
    should(readFileSync(join(folder, 'x.pdf'), 'utf8')).equal('the older one')
    should(readdirSync(folder)).deepEqual(['x.pdf'])
    slowly('%P', 'DF-1.7 agreed')
    flow.send({ documentId: 'a' })
    should((await flow.next()).file).have.properties({ size: 15, path: join(folder, 'x (2).pdf') })
    should(flow.statuses.at(-1)).have.property('text', 'saved next to an older file')
    should(readFileSync(join(folder, 'x.pdf'), 'utf8')).equal('the older one')
    should(readFileSync(join(folder, 'x (2).pdf'), 'utf8')).equal('%PDF-1.7 agreed')
  })

  it('leaves nothing behind when the flow is stopped in the middle of it', async () => {
    answer = ({ response }) => response.write('half')
    const flow = await save()
    flow.send({ documentId: 'a' })
    await until(() => bytesIn(folder) > 0)
    await stopFlow()
    should(readdirSync(folder)).deepEqual([])
  })

  it('that fills the disk is reported as that file, with its call', async () => {
    const restore = await breakWrites('ENOSPC')
    try {
      const flow = await save()
      flow.send({ documentId: 'a' })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).match(/x\.pdf cannot be written: the disk is full/)
      should(error.cause).have.properties({ method: 'GET', path: '/signature/documents/a/files', outcome: 'not-done' })
      should(readdirSync(folder)).deepEqual([])
    } finally {
      restore()
    }
  })

  it('that is missing, or not there yet, is reported as a file, with how to wait for it', async () => {
    answer = ({ response }) => {
      response.statusCode = 404
      response.end()
    }
    for (const begin of [() => start({}), save]) {
      const flow = await begin()
      flow.send({ documentId: 'd-1' })
      const { error } = await flow.caught()
      should(error).have.properties({ code: 'EID_NOT_FOUND' })
      should(error.message).equal(
        sentence('document', 'errors.noFile', { fileFormat: 'the original', id: 'd-1', done: '@outcomes.notDone' }),
      )
      should(error.cause).have.properties({ status: 404, outcome: 'not-done' })
      await stopFlow()
    }
    const flow = await start({ saveTo: join(folder, 'contract.pdf'), fileFormat: 'standard_packaging' })
    flow.send({ documentId: 'd-1' })
    should((await flow.caught()).error.message).match(
      saying('document', 'errors.noFileNamed', { name: 'contract.pdf', id: 'd-1' }),
    )
  })

  it('that has no place is refused before the service is asked', async () => {
    mkdirSync(join(folder, 'taken.pdf'))
    writeFileSync(join(folder, 'file'), '')
    execFileSync('mkfifo', [join(folder, 'pipe')])
    symlinkSync(join(folder, 'pipe'), join(folder, 'to-pipe'))
    for (const [saveTo, reason] of [
      [join(folder, 'taken.pdf'), /taken\.pdf cannot be written: a folder/],
      [join(folder, 'file', 'x.pdf'), saying('document', 'files.ENOTDIR')],
      [join(folder, 'file', 'deeper', 'x.pdf'), saying('document', 'files.ENOTDIR')],
      [join(folder, 'new', '/'), /Save as ends in a slash/],
      [join(folder, 'pipe'), /pipe cannot be written: .*not to a file/],
      [join(folder, 'to-pipe'), /to-pipe cannot be written: .*not to a file/],
      ...noFolders,
      [join(folder, 'n'.repeat(300)), /cannot be written: .*too long/],
    ] as const) {
      for (const waitUntilReady of [false, true]) {
        const flow = await start({ saveTo, waitUntilReady, fileFormat: 'pades' })
        flow.send({ documentId: 'a' })
        const { error } = await flow.caught()
        should(error).have.property('code', 'EID_INVALID_INPUT')
        should(error.message).match(reason)
        should(error.message).endWith('Nothing was sent.')
        should(error.cause.problems).match([{ path: 'saveTo' }])
        await stopFlow()
      }
    }
    should(server.asked).have.length(0)
    should(readdirSync(folder).sort()).deepEqual(['file', 'pipe', 'taken.pdf', 'to-pipe'])
  })

  it('that a killed Node-RED left half written is removed when the next one starts, and nothing else', async () => {
    helper.settings({ userDir: folder })
    const place = join(folder, 'out')
    answer = ({ response }) => response.write('half')
    const flow = await start({ saveTo: join(place, 'x.pdf') })
    flow.send({ documentId: 'a' })
    await until(() => existsSync(place) && bytesIn(place) > 0)
    // A kill leaves the file, and the note about it.
    const [temporary = ''] = readdirSync(place)
    const notes = join(folder, 'eid', 'downloads')
    const left = new Map(readdirSync(notes).map((name) => [name, readFileSync(join(notes, name))]))
    await stopFlow()
    should(readdirSync(place)).deepEqual([])
    should(readdirSync(notes)).deepEqual([])
    for (const [name, note] of left) writeFileSync(join(notes, name), note)
    writeFileSync(join(notes, 'note-of-somebody'), join(place, 'theirs'))
    for (const name of [temporary, 'theirs', `${temporary}.bak`]) writeFileSync(join(place, name), 'half')
    await start({ operation: 'get' })
    await until(() => !existsSync(join(place, temporary)))
    await until(() => readdirSync(notes).length === 1)
    should(readdirSync(place).sort()).deepEqual([`${temporary}.bak`, 'theirs'].sort())
    should(readdirSync(notes)).deepEqual(['note-of-somebody'])
  })
})

/** The bytes of all files in the folder, whatever their names. */
function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + (lstatSync(join(folder, name)).size || 0), 0)
}

/** Makes every write to an open file fail with an error of the system. Returns a function that ends this. */
async function breakWrites(code: string): Promise<() => void> {
  const probe = await open(tmpdir(), 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const { writeFile } = prototype
  prototype.writeFile = () =>
    Promise.reject(Object.assign(new Error(`${code}: no space left on device, write`), { code, syscall: 'write' }))
  return () => {
    prototype.writeFile = writeFile
  }
}
