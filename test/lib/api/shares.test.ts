/** The paths with which shares are created and uploaded, and the multipart body, byte by byte. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import should from 'should'
import type { ApiClient } from '../../../lib/api/client'
import type { CallOptions } from '../../../lib/api/call/call'
import { multipartFile } from '../../../lib/api/call/multipart'
import { createShare, uploadToShare } from '../../../lib/api/shares'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import { until } from '../../support/time'
import { sentence } from '../../support/wording'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

describe('shares', () => {
  let bench: ScriptedService
  let client: ApiClient
  beforeEach(async () => {
    bench = await startScriptedService()
    client = bench.client({ retries: 0 })
  })
  afterEach(() => bench.close())

  /** A service that has only the paths that match. */
  const only = (exists: RegExp, otherwise: number) =>
    bench.server.answer(({ path }) => ({
      status: exists.test(path) ? 200 : otherwise,
      body: { id: '1', message: path },
    }))
  const visited = () => bench.server.calls.splice(0).map(({ path }) => path)
  const settings = (sharePaths = 'auto', uploadPath = 'auto') => ({ sharePaths, uploadPath })
  const upload = (paths: ReturnType<typeof settings>, oneShot = false) => {
    const makeBody: CallOptions['makeBody'] = () => {
      const { data, headers } = multipartFile({ content: Buffer.from('payslip'), fileName: 'slip.pdf' })
      return { data, headers, oneShot }
    }
    return uploadToShare(client, paths, { shareId: '1', contentId: 'a b' }, { makeBody, oneShot })
  }
  const bucket = '/share/buckets/1/upload/a%20b'
  const older = '/share/1/upload/a%20b/'
  const file = '/share/1/file/a%20b'

  for (const status of [404, 405]) {
    it(`are created by the older path after ${status}, which is remembered per client`, async () => {
      only(/^\/share\/$/, status)
      const paths = settings()
      await createShare(client, paths, {})
      await createShare(client, paths, {})
      should(visited()).deepEqual(['/share/buckets/', '/share/', '/share/'])
      await createShare(client, settings(), {})
      should(visited()).deepEqual(['/share/buckets/', '/share/'])
    })
  }

  it('are created by the newer path again when the remembered one is gone', async () => {
    const paths = settings()
    only(/^\/share\/$/, 404)
    await createShare(client, paths, {})
    only(/buckets/, 404)
    await createShare(client, paths, {})
    should(visited()).deepEqual(['/share/buckets/', '/share/', '/share/', '/share/buckets/'])
  })

  it('are created by the chosen path alone', async () => {
    only(/^$/, 404)
    await failure(createShare(client, settings('buckets'), {}))
    await failure(createShare(client, settings('share'), {}))
    should(visited()).deepEqual(['/share/buckets/', '/share/'])
  })

  it('report the first error when no path exists, and stop at any other error', async () => {
    only(/^$/, 404)
    should((await failure(createShare(client, settings(), {}))).cause.path).equal('/share/buckets/')
    visited()
    bench.server.answer({ status: 404 }, { status: 500 })
    const error = await failure(createShare(client, settings(), {}))
    should(error.cause).match({ path: '/share/', status: 500, outcome: 'unknown' })
    bench.server.answer({ status: 400 })
    visited()
    await failure(createShare(client, settings(), {}))
    should(visited()).have.length(1)
  })

  it('are uploaded to by the family that registered them', async () => {
    const paths = settings()
    only(/^\/share\/$|^\/share\/1\/upload/, 404)
    await createShare(client, paths, {})
    visited()
    await upload(paths)
    should(visited()).deepEqual([older])
  })

  const choices: readonly [string, string, (string | undefined)[]][] = [
    ['auto', 'auto', [bucket, older, file]],
    ['buckets', 'auto', [bucket, older, file]],
    ['share', 'auto', [older, file, bucket]],
    ['buckets', 'file', [file]],
    ['buckets', 'upload', [older]],
    ['buckets', 'buckets', [bucket]],
    ['share', 'buckets', [bucket]],
    ['auto', 'file', [file]],
    ['auto', 'toString', [bucket, older, file]],
  ]
  for (const [sharePaths, uploadPath, expected] of choices) {
    it(`are uploaded to by ${expected.join(', ')} with ${sharePaths} and ${uploadPath}`, async () => {
      only(/^$/, 405)
      should((await failure(upload(settings(sharePaths, uploadPath)))).cause.path).equal(expected[0])
      should(visited()).deepEqual(expected)
    })
  }

  it('remember the path that took a file, and try one path only for what can be read once', async () => {
    const paths = settings()
    only(/\/file\//, 404)
    await failure(upload(paths, true))
    should(visited()).deepEqual(['/share/buckets/1', '/share/1', bucket])
    await upload(paths)
    should(visited()).deepEqual([older, file])
    await upload(paths, true)
    should(visited()).deepEqual([file])
  })

  it('are looked up first when a share created elsewhere gets a file that can be read only once', async () => {
    const paths = settings()
    only(/^\/share\/1(\/upload\/|$)/, 404)
    await upload(paths, true)
    should(visited()).deepEqual(['/share/buckets/1', '/share/1', older])
    await upload(paths, true)
    should(visited()).deepEqual([older])
  })

  it('that may not be looked up get such a file by another path each time, until one path exists', async () => {
    const paths = settings()
    bench.server.answer(({ path, method }) => {
      if (method === 'GET') return { status: 403 }
      return { status: path === file ? 200 : 404, body: { id: '1' } }
    })
    for (const expected of [bucket, older]) {
      await failure(upload(paths, true))
      should(visited().at(-1)).equal(expected)
    }
    await upload(paths, true)
    should(visited().at(-1)).equal(file)
  })

  describe('multipart', () => {
    const sent = async (content: Buffer | Readable, fileName = 'slip.pdf', size?: number) => {
      const body = multipartFile({ content, fileName, size })
      await client.send('uploadToBucket', { params: { id: '1', contentId: 'a' }, makeBody: () => body })
      return { call: bench.server.calls.splice(0)[0], body }
    }

    it('is one part named file, with its length when that is known', async () => {
      const { call, body } = await sent(Buffer.from('payslip'))
      const boundary = /boundary=(.+)$/.exec(call?.headers['content-type'] ?? '')?.[1] ?? ''
      const head =
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="slip.pdf"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n'
      const expected = `${head}payslip\r\n--${boundary}--\r\n`
      should(call?.body).equal(expected)
      should(call?.headers['content-length']).equal(String(expected.length))
      should(body.measured()).deepEqual({ bytes: 7, sha256: sha256('payslip') })
    })

    it('is sent in pieces when the length is unknown, also when there is nothing in it', async () => {
      for (const text of ['payslip', '']) {
        const { call, body } = await sent(Readable.from(text === '' ? [] : [text], { objectMode: false }))
        should(call?.headers).have.property('transfer-encoding', 'chunked')
        should(body.measured()).deepEqual({ bytes: text.length, sha256: sha256(text) })
      }
      should((await sent(Buffer.alloc(0))).body.measured()?.bytes).equal(0)
    })

    const names: readonly [string, string][] = [
      ['Lønn "mai" 🧾.pdf', 'Lønn %22mai%22 🧾.pdf'],
      ['a\r\nContent-Type: text/html\r\n\r\nb.pdf', 'a%0D%0AContent-Type: text/html%0D%0A%0D%0Ab.pdf'],
      ["O'Brien; name=x & Sønn (100%).pdf", "O'Brien; name=x & Sønn (100%).pdf"],
    ]
    for (const [name, written] of names) {
      it(`writes the file name ${JSON.stringify(name)} as browsers do, with the right length`, async () => {
        const { call } = await sent(Buffer.from('x'), name)
        should(call?.body.split('\r\n')[1]).equal(`Content-Disposition: form-data; name="file"; filename="${written}"`)
        should(call?.headers['content-length']).equal(String(Buffer.byteLength(call?.body ?? '')))
      })
    }

    it('closes the file when the upload is refused halfway or breaks off, and then measures nothing', async () => {
      for (const script of [{ status: 413, early: true }, { close: 'before' as const }]) {
        bench.server.answer(script)
        const content = new Readable({
          read() {
            this.push(Buffer.alloc(65_536))
          },
        })
        const body = multipartFile({ content, fileName: 'endless' })
        await failure(client.send('uploadToBucket', { params: { id: '1', contentId: 'a' }, makeBody: () => body }))
        await until(() => content.destroyed)
        should(body.measured()).be.undefined()
      }
    })

    it('fails with the reason of a file that breaks, or closes before its end', async () => {
      const failed = async (content: PassThrough, breaks: () => void) => {
        const { data, measured } = multipartFile({ content, fileName: 'slip.pdf' })
        const failure = once(data, 'error').then(String)
        data.resume()
        breaks()
        const said = await failure
        should(measured()).be.undefined()
        return said
      }
      for (const [reason, expected] of [
        [new Error('disk gone'), /disk gone/] as const,
        [undefined, /closed/] as const,
      ]) {
        const content = new PassThrough()
        should(await failed(content, () => void content.destroy(reason))).match(expected)
        const spent = new PassThrough().on('error', () => undefined).destroy(reason)
        should(await failed(spent, () => undefined)).match(expected)
      }
    })

    it('fails when the file is shorter than announced', async () => {
      const error = await failure(sent(Readable.from(['short'], { objectMode: false }), 'slip.pdf', 10))
      should(error.message).startWith(sentence('client', 'network.SOURCE', { file: 'a' }))
    })
  })
})
