/** "share upload" with a file larger than memory should ever hold: what arrives is whole, and memory stays flat. */
import busboy from '@fastify/busboy'
import should from 'should'
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadProcess, Uploaded } from './upload-process'

const size = 1024 ** 3
const allowed = 64 * 1024 ** 2

interface Received {
  readonly bytes: number
  readonly sha256: string
  readonly name: string
  readonly length: string | undefined
}

describe('share upload of 1 GiB', function () {
  this.timeout(120_000)
  let server: Server
  let folder: string
  const received: Received[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'eid-large-'))
    writeFileSync(join(folder, 'large.bin'), 'the file begins')
    truncateSync(join(folder, 'large.bin'), size) // The rest is a hole that takes no room on the disk.
    server = createServer((request, response) => {
      if (request.url?.includes('/oauth/')) {
        request.resume()
        response.end('{"access_token":"token-1","expires_in":3600,"token_type":"Bearer"}')
      } else receive(request, (file) => void (received.push(file), response.end('{}')))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  for (const source of ['path', 'stream'] as const) {
    it(`keeps memory flat from a ${source}`, async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { growth, payload, error } = await run({ url, path: join(folder, 'large.bin'), source })
      should(error).be.undefined()
      const file = received.at(-1)
      should(file?.bytes).equal(size)
      should(file?.name).equal('large.bin')
      should(file?.length === undefined).equal(source === 'stream')
      should(payload).matchAny({ contentId: 'a', bytes: size, sha256: file?.sha256 })
      should(growth).be.belowOrEqual(allowed)
    })
  }
})

function receive(request: IncomingMessage, done: (file: Received) => void): void {
  const parts = busboy({ headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' } })
  parts.on('file', (_field, stream, name) => {
    const hash = createHash('sha256')
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      hash.update(chunk)
    })
    const length = request.headers['content-length']
    stream.on('end', () => done({ bytes, sha256: hash.digest('hex'), name, length }))
  })
  request.pipe(parts)
}

function run(options: UploadProcess): Promise<Uploaded> {
  const child = fork(join(__dirname, 'upload-process.ts'), [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    child.once('message', (message: Uploaded) => resolve(message))
  })
}
