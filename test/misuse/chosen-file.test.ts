/**
 * A file from a person's own computer, which the editor copies into the user folder: complete or not at all, and never
 * over another file.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { basename, dirname, join } from 'node:path'
import should from 'should'
import { numberedName, safeName } from '../../lib/runtime/files/safe-name'
import { until } from '../support/time'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'

const people = { reader: 'read', writer: '*' }
const limit = 25 * 1024 * 1024

describe('a chosen file', () => {
  let red: RedProcess
  let writer: Record<string, string>
  let folder: string
  before(async () => {
    red = await startRed({ flows: [], people })
    writer = await red.logIn('writer')
    folder = join(red.userDir, 'eid', 'files')
  })
  after(() => red.stop())
  beforeEach(() => rmSync(folder, { recursive: true, force: true }))

  const bytes = { 'Content-Type': 'application/octet-stream' }
  const send = (name: string, body: BodyInit, headers: Record<string, string> = writer) =>
    red.admin(`/eid/files?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { ...bytes, ...headers },
      body,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })
  const pathOf = async (answer: Response) => {
    should(answer.status).equal(201)
    return ((await answer.json()) as { path: string }).path
  }
  const filesThere = () => readdirSync(folder, { withFileTypes: true }).map((one) => one.name)
  const there = () => {
    try {
      return filesThere()
    } catch {
      return [] // The folder is made with the first file.
    }
  }

  it('lies whole in the user folder, for its owner alone', async () => {
    const content = randomBytes(300_000)
    const path = await pathOf(await send('contract.pdf', content))
    should(path).equal(join(folder, 'contract.pdf'))
    should(readFileSync(path).equals(content)).be.true()
    if (process.platform === 'win32') return
    should(statSync(path).mode & 0o777).equal(0o600)
    should(statSync(folder).mode & 0o777).equal(0o700)
  })

  it('never takes the place of another one and keeps its name, also when many come at once', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '3'), 'a file in the place of a folder')
    writeFileSync(join(folder, 'contract.pdf'), 'there before')
    const contents = Array.from({ length: 8 }, (_one, index) => `content ${index}`)
    const paths = await Promise.all(contents.map(async (one) => pathOf(await send('contract.pdf', one))))
    should(new Set(paths).size).equal(8)
    should(paths.map((path) => readFileSync(path, 'utf8'))).deepEqual(contents)
    should(readFileSync(join(folder, 'contract.pdf'), 'utf8')).equal('there before')
    should([...new Set(paths.map((path) => basename(path)))]).deepEqual(['contract.pdf'])
    should(filesThere().sort()).deepEqual(['10', '2', '3', '4', '5', '6', '7', '8', '9', 'contract.pdf'])
  })

  for (const name of [
    '../../flows.json',
    '..\\..\\flows.json',
    '/etc/passwd',
    'NUL.pdf',
    '.',
    '',
    '🖋 leie\u0000.pdf',
  ]) {
    it(`called ${JSON.stringify(name)} stays in its folder under a name that every system takes`, async () => {
      const path = await pathOf(await send(name, 'content'))
      should(dirname(path)).equal(folder)
      should(basename(path)).not.match(/^\.|[\\/:\0]|^nul/i)
      should(readFileSync(path, 'utf8')).equal('content')
    })
  }

  it('is refused when it is too large, said or not, and leaves nothing', async () => {
    should((await send('large.pdf', new Uint8Array(limit + 1))).status).equal(413)
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        if (sent > limit + 1_000_000) return controller.close()
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    should((await send('large.pdf', endless)).status).equal(413)
    await until(() => there().length === 0)
    should(await pathOf(await send('just.pdf', new Uint8Array(limit)))).endWith('just.pdf')
  })

  it('is received to its end before it is refused, so that a slow sender gets the answer', async () => {
    const url = new URL(`${red.url}/admin/eid/files?name=large.pdf`)
    const headers = { ...bytes, ...writer, 'Content-Length': limit + 1, Connection: 'close' }
    const upload = request(url, { method: 'POST', headers })
    const answered = once(upload, 'response')
    answered.catch(() => undefined)
    const write = (size: number) =>
      new Promise<void>((resolve, reject) => {
        upload.write(Buffer.alloc(size), (error) => (error ? reject(error) : resolve()))
      })
    for (let piece = 0; piece < 25; piece++) await write(limit / 25)
    await write(1)
    const [answer] = (await answered) as [IncomingMessage]
    should(answer.statusCode).equal(413)
  })

  it('is not accepted from people who may not deploy', async () => {
    should((await send('contract.pdf', 'content', {})).status).equal(401)
    should((await send('contract.pdf', 'content', await red.logIn('reader'))).status).equal(401)
    should(there()).be.empty()
  })

  for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
    it(`is not taken as ${type}, which a form on another page could send`, async () => {
      const answer = await send('contract.pdf', 'content', { ...writer, 'Content-Type': type })
      should(answer.status).equal(415)
      should(there()).be.empty()
    })
  }

  it('leaves nothing when the upload breaks off', async () => {
    const url = new URL(`${red.url}/admin/eid/files?name=half.pdf`)
    const upload = request(url, { method: 'POST', headers: { ...bytes, ...writer, 'Content-Length': 1000 } })
    upload.on('error', () => undefined)
    upload.write('the first half')
    await until(() => there().some((one) => one.endsWith('.part')))
    upload.destroy()
    await until(() => there().length === 0)
    // The note about the temporary file is removed after the file.
    await until(() => readdirSync(join(red.userDir, 'eid', 'downloads')).length === 0)
  })

  describe('and a path that is typed', () => {
    const look = async (body: unknown, headers: Record<string, string> = writer) => {
      const { headers: own, ...init } = json(body)
      const answer = await red.admin('/eid/files/look', { ...init, headers: { ...own, ...headers } })
      return answer.status === 200 ? ((await answer.json()) as object) : answer.status
    }
    const base = () => join(red.userDir, 'base')
    before(() => {
      mkdirSync(base(), { recursive: true })
      writeFileSync(join(base(), 'lease.pdf'), 'there')
      writeFileSync(join(red.userDir, 'outside.pdf'), 'there')
    })

    it('is reported when there is no file, with the place that was searched', async () => {
      should(await look({ path: join(base(), 'lease.pdf') })).deepEqual({})
      const path = join(base(), 'nothing.pdf')
      should(await look({ path })).deepEqual({ problem: 'fileMissing', place: path })
      should(await look({ path: 'nothing.pdf', baseFolder: base() })).deepEqual({ problem: 'fileMissing', place: path })
      should(await look({ path: base() })).have.property('problem', 'fileMissing')
      should(await look({ path: 'a\0b' })).have.property('problem', 'fileMissing')
    })

    it('may not lead out of the base folder, whether anything is there or not', async () => {
      should(await look({ path: 'lease.pdf', baseFolder: base() })).deepEqual({})
      for (const path of ['../outside.pdf', '../nothing.pdf', join(red.userDir, 'outside.pdf')])
        should(await look({ path, baseFolder: base() })).deepEqual({ problem: 'fileFolder' })
      should(await look({ path: 'a.pdf', baseFolder: join(base(), 'gone') })).deepEqual({ problem: 'noFolder' })
    })

    it('is looked for on behalf of people who may deploy alone, and of no form on another page', async () => {
      const path = join(base(), 'lease.pdf')
      should(await look({ path }, {})).equal(401)
      should(await look({ path }, await red.logIn('reader'))).equal(401)
      should(await look({ path }, { ...writer, 'Content-Type': 'text/plain' })).equal(415)
      for (const odd of [{}, { path: 5 }, { path: '' }, []]) should(await look(odd)).deepEqual({})
    })
  })
})

describe('the name of a chosen file', () => {
  const names: readonly [string, string][] = [
    ['contract.pdf', 'contract.pdf'],
    ['Leieavtale for Ola Nordmann (ny).pdf', 'Leieavtale for Ola Nordmann (ny).pdf'],
    ['../../secrets.json', 'secrets.json'],
    ['C:\\temp\\lease.pdf', 'lease.pdf'],
    ['.htaccess', 'htaccess'],
    ['con', '_con'],
    ['Com1.tar.gz', '_Com1.tar.gz'],
    ['LPT¹ .txt', '_LPT¹ .txt'],
    ['console.log', 'console.log'],
    ['a:b|c?.pdf', 'a_b_c_.pdf'],
    ['lease.pdf. . ', 'lease.pdf'],
    ['🖋️ lease.pdf', '🖋️ lease.pdf'],
    ['\ud83d.pdf', '_.pdf'],
    ['...', 'file'],
    ['', 'file'],
  ]
  for (const [name, safe] of names) {
    it(`${JSON.stringify(name)} becomes ${JSON.stringify(safe)}`, () => should(safeName(name)).equal(safe))
  }

  it('keeps its ending and whole letters when it is too long', () => {
    const short = safeName(`${'🖋'.repeat(300)}.pdf`)
    should(Buffer.byteLength(short)).be.belowOrEqual(200)
    should(short).match(/^(🖋)+\.pdf$/u)
  })

  it('carries its number before its ending', () => {
    should(numberedName('contract.pdf', 2)).equal('contract (2).pdf')
    should(numberedName('contract', 3)).equal('contract (3)')
    should(numberedName('contract.pdf', 1)).equal('contract.pdf')
  })
})
