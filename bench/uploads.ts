/** Measures uploads of large files: "share upload" compared with a bare stream and with core `http request`. */
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { comparing, inChild, takeTurns, type Case, type Figures } from './child'
import { good, startHost, type Message } from './host'
import { measure, mebibyte } from './memory'
import type { Subject } from './report'
import { roundsOr } from './rounds'
import { startPlainServer } from './service'

const rounds = roundsOr(3)
const address = (url: string) => `${url}/share/buckets/bench/content/bench`

/** Each case uploads `file` to `url` once, and returns MiB per second and memory growth. */
export const cases: Readonly<Record<string, Case>> = {
  path: ({ url = '', file = '' }) => inHost(url, file, 'ours', { file }),
  stream: ({ url = '', file = '' }) => inHost(url, file, 'ours', () => ({ file: createReadStream(file) })),
  core: ({ url = '', file = '' }) => inHost(url, file, 'core', { filename: file }),
  bare: ({ url = '', file = '' }) => timed(file, () => sendBare(url, file, () => undefined)),
  hashing: ({ url = '', file = '' }) => {
    const hash = createHash('sha256')
    return timed(file, () => sendBare(url, file, (chunk) => hash.update(chunk)))
  },
}

export async function benchUploads(): Promise<Subject[]> {
  const service = await startPlainServer()
  const folder = mkdtempSync(join(tmpdir(), 'eid-bench-file-'))
  try {
    const large = await makeFile(join(folder, 'large.bin'), 1024)
    const medium = await makeFile(join(folder, 'medium.bin'), 100)
    const run = (name: string, file: string) => () => inChild('uploads', name, { url: service.url, file })
    const first = await takeTurns(rounds, {
      path: run('path', large),
      bare: run('bare', large),
      stream: run('stream', large),
      hashing: run('hashing', large),
    })
    const second = await takeTurns(rounds, { path: run('path', medium), core: run('core', medium) })
    return [
      table('1 GiB from a path', 'bare node:http stream', first.path, first.bare, 0.9),
      table('1 GiB from a stream', 'bare node:http stream', first.stream, first.bare, 0.9),
      table('1 GiB from a stream', 'bare stream with SHA-256', first.stream, first.hashing),
      table('100 MiB from a path', 'core file in + http request', second.path, second.core),
    ].map((one) => ({ ...one, subject: `upload of ${one.subject}` }))
  } finally {
    service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates a sparse file of this many MiB, and reads it once, so that no contender pays for the first read. */
async function makeFile(path: string, size: number): Promise<string> {
  writeFileSync(path, '')
  truncateSync(path, size * mebibyte)
  await finished(createReadStream(path).resume())
  return path
}

function table(subject: string, alternative: string, ours: Figures, other: Figures, atLeast?: number): Subject {
  const row = comparing(ours, other)
  const throughput = row('throughput', 'rate', 'MiB/s')
  return {
    subject,
    alternative,
    rows: [
      atLeast === undefined ? throughput : { ...throughput, aim: { atLeast, of: 'ratio' } },
      { ...row('peak memory growth', 'growth', 'MiB'), aim: { atMost: 64, of: 'ours' } },
      row('CPU', 'cpu', 's'),
    ],
  }
}

async function inHost(url: string, file: string, node: string, msg: object | (() => object)): Promise<Figures> {
  const host = await startHost(flows(url))
  // The first messages open the connection, get the token and compile the code, before the measurement.
  const small = Buffer.alloc(1000)
  await good(host.run('ours', { shareId: 'bench', contentId: 'bench', file: small }))
  await good(host.run('request', { payload: { file: { value: small, options: { filename: 'small.bin' } } } }))
  const send = () =>
    host.run(node, { shareId: 'bench', contentId: 'bench', ...(typeof msg === 'function' ? msg() : msg) })
  const figures = await timed(file, async () => check(await good(send())))
  await host.stop()
  return figures
}

function check({ statusCode }: Message): void {
  if (statusCode !== 200) throw new Error(`the service answered ${String(statusCode)}`)
}

async function timed(file: string, action: () => Promise<unknown>): Promise<Figures> {
  const { seconds, growth, cpu } = await measure(action)
  return { rate: statSync(file).size / mebibyte / seconds, growth, cpu }
}

/** Sends the same multipart body as our node, with nothing but streams. */
async function sendBare(url: string, file: string, see: (chunk: Buffer | string) => unknown): Promise<void> {
  const head =
    '--bench\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n' +
    'Content-Type: application/octet-stream\r\n\r\n'
  const tail = '\r\n--bench--\r\n'
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=bench',
    'Content-Length': head.length + statSync(file).size + tail.length,
  }
  const sent = request(address(url), { method: 'POST', headers })
  const answered = new Promise<void>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => response.on('end', resolve).resume())
  })
  sent.write(head)
  await pipeline(createReadStream(file).on('data', see), sent, { end: false })
  sent.end(tail)
  await answered
}

function flows(url: string): object[] {
  const place = { z: 'f', x: 1, y: 1 }
  const multipart = `msg.payload = { file: { value: msg.payload, options: { filename: 'large.bin' } } }
msg.headers = { 'content-type': 'multipart/form-data' }
return msg`
  return [
    { id: 'f', type: 'tab' },
    { id: 'c', type: 'eid-client', baseUrl: url },
    { ...place, id: 'ours', type: 'eid-share-upload', client: 'c', file: 'file', fileAs: 'path', wires: [['out'], []] },
    {
      ...place,
      id: 'core',
      type: 'file in',
      filename: 'filename',
      filenameType: 'msg',
      format: '',
      wires: [['function']],
    },
    { ...place, id: 'function', type: 'function', outputs: 1, func: multipart, wires: [['request']] },
    { ...place, id: 'request', type: 'http request', method: 'POST', ret: 'obj', url: address(url), wires: [['out']] },
    { ...place, id: 'out', type: 'bench-out' },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [['out']] },
  ]
}
