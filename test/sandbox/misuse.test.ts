/**
 * The sandbox can't be used against its owner: what it stores of calls that it refuses, and what a killed sandbox
 * leaves behind.
 */
import should from 'should'
import { request } from 'node:http'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { promisify } from 'node:util'
import { startSandbox } from '../../sandbox'
import { otherRoutes } from '../../sandbox/routes'
import { createBodyReader } from '../../sandbox/server/read'
import { root } from '../support/house'
import { programOf } from '../support/program'
import { startCaller, type Caller } from './caller'

const MIB = 1024 * 1024

describe('sandbox: misuse', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const recorded = () => caller.sandbox.world.requests.list()
  /** Makes a call with this `Host`, as a foreign page does whose name resolves to this machine. */
  const callAs = (host: string, path: string, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      const sent = request(caller.sandbox.url + path, { method, headers: { Host: host } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject).end()
    })

  it('keeps nothing that comes without a token, however much it is', async () => {
    const body = Buffer.alloc(10 * MIB, 'x')
    const post = async () => {
      const headers = { 'Content-Type': 'text/plain', Origin: 'https://attacker.example' }
      const response = await fetch(`${caller.sandbox.url}/signature/documents`, { method: 'POST', headers, body })
      await response.text()
      return response.status
    }
    await post()
    const before = await arrayBuffersInUse()
    for (let count = 0; count < 20; count += 1) should(await post()).equal(401)
    const growth = (await arrayBuffersInUse()) - before
    should(growth).be.belowOrEqual(64 * MIB, `grew by ${Math.round(growth / MIB)} MiB`)
    const { body: sent, headers, status } = recorded().at(-1) ?? {}
    should({ sent, headers, status }).deepEqual({ sent: undefined, headers: {}, status: 401 })
  })

  it('keeps a copy of the beginning of a body, not the whole of it', async () => {
    const before = await arrayBuffersInUse()
    for (let count = 0; count < 50; count += 1) {
      await caller.call('POST', '/signature/documents', { title: 'x'.repeat(2 * MIB) })
    }
    const entry = recorded().at(-1)
    should(String(entry?.body)).have.length(64 * 1024)
    should((await arrayBuffersInUse()) - before).be.below(90 * MIB)
  })

  it('takes no more than a form from those who need no token', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'x'.repeat(70_000) })
    const answer = await fetch(`${caller.sandbox.url}/oauth/connect/token`, { method: 'POST', body })
    should(answer.status).equal(413)
  })

  it('bounds what all callers together have on its way', async () => {
    const read = createBodyReader(100)
    const streamOf = (size: number) => {
      const chunks = [Buffer.alloc(size)]
      const iterator = async function* () {
        yield* chunks
        await new Promise((resolve) => setImmediate(resolve))
      }
      return { headers: {}, iterator } as unknown as Parameters<typeof read>[0]
    }
    const [first, second] = await Promise.allSettled([read(streamOf(80)), read(streamOf(40))])
    should([first?.status, second?.status]).deepEqual(['fulfilled', 'rejected'])
    should(second).containDeep({ reason: { answer: { status: 503 } } })
    should(await read(streamOf(90))).have.length(90)
  })

  it('answers under its own name and numbers only', async () => {
    const port = new URL(caller.sandbox.url).port
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, '192.168.1.7', '10.0.0.1:80']) {
      should(await callAs(host, '/')).equal(200, host)
    }
    for (const path of ['/', '/sign/start', '/oauth/connect/token', '/signature/documents', '/sandbox/state']) {
      const method = path.startsWith('/oauth') || path === '/signature/documents' ? 'POST' : 'GET'
      should(await callAs('attacker.example', path, method)).equal(421, path)
    }
    should(await callAs('127.0.0.1.attacker.example', '/')).equal(421)
  })

  it('lets no other site work its controls, whatever they are', async () => {
    const controls = otherRoutes.filter(({ admin }) => admin === true)
    should(controls.length).be.above(20)
    for (const { method, path } of controls) {
      const url = caller.sandbox.url + path.replace(/:\w+/g, 'any')
      const send = async (headers: Record<string, string>) =>
        (await fetch(url, { method, headers, ...(method !== 'GET' && { body: '{}' }) })).status
      const foreign = { Origin: 'https://attacker.example' }
      should(await send({ ...foreign, 'Content-Type': 'application/json' })).equal(403, `${method} ${path}`)
      // A page may send this content type to any site without a preflight request.
      if (method !== 'GET') should(await send({ 'Content-Type': 'text/plain' })).equal(415, `${method} ${path}`)
    }
  })

  it('answers under the name it is told to have', async () => {
    const { world } = caller.sandbox
    const { url } = world
    should(await callAs('sandbox:18499', '/')).equal(421)
    world.url = 'http://sandbox:18499'
    should(await callAs('sandbox:18499', '/')).equal(200)
    world.url = url
  })

  it('removes its files when its process ends without closing it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ended-'))
    const program = await programOf(join(root, 'sandbox/state/files.ts'))
    const code = 'console.log(new (require(process.argv[1]).Files)(process.argv[2]).newPath())'
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', code, program, dataDir])
    should(stdout).startWith(join(dataDir, 'eid-sandbox-'))
    should(readdirSync(dataDir)).deepEqual([])
    rmSync(dataDir, { recursive: true })
  })

  it('removes the files of a killed one, and none of a running one', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sweep-'))
    const started = Math.round(performance.timeOrigin)
    const folder = (name: string) => {
      const path = join(dataDir, name)
      mkdirSync(path)
      return path
    }
    // No process has this id, because it is above the kernel's maximum.
    const dead = folder('eid-sandbox-4194305-1-abc')
    const sameNumber = folder(`eid-sandbox-${process.pid}-${started - 1000}-abc`)
    const alive = folder(`eid-sandbox-${process.pid}-${started}-abc`)
    const parent = folder(`eid-sandbox-${process.ppid}-1-abc`)
    const other = folder('eid-sandbox-notes')
    const sandbox = await startSandbox({ port: 0, dataDir })
    should([dead, sameNumber, alive, parent, other].map((one) => existsSync(one))).deepEqual([
      false,
      false,
      true,
      true,
      true,
    ])
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of buffers that are still referenced. */
async function arrayBuffersInUse(): Promise<number> {
  for (let count = 0; count < 3; count++) {
    collectGarbage()
    // Buffers are freed one turn after the object that refers to them.
    await delay(10)
  }
  return process.memoryUsage().arrayBuffers
}
