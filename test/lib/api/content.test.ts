/**
 * What is sent and received: bodies in one piece or streamed, responses in one piece or streamed, and what happens if
 * either breaks off.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import should from 'should'
import type { Answer, CallOptions } from '../../../lib/api/call/call'
import { configError } from '../../../lib/api/errors/errors'
import { sleep } from '../../../lib/api/call/retry'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import { until } from '../../support/time'

describe('content', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())
  const get = (options: CallOptions = {}, client = bench.client()) => client.send('getDeposit', { id: '1', ...options })
  const post = (options: CallOptions = {}, client = bench.client()) =>
    client.send('terminateDeposit', { id: '1', ...options })

  describe('bodies', () => {
    it('are JSON in UTF-8 with their length, or nothing at all', async () => {
      await post({ body: { name: 'Øyvind 😀' } })
      await post()
      const [full, empty] = bench.server.calls
      should(full?.body).equal('{"name":"Øyvind 😀"}')
      should(full?.headers).match({ 'content-type': 'application/json; charset=utf-8', 'content-length': '23' })
      should(empty?.headers).have.property('content-length', '0')
      should(empty?.headers).not.have.property('content-type')
    })

    it('that cannot be made are refused before anything is sent', async () => {
      const circle: Record<string, unknown> = {}
      circle.self = circle
      const unreadable = () => Promise.reject(new Error('ENOENT'))
      for (const options of [{ body: circle }, { body: 1n }, { body: () => 1 }, { makeBody: unreadable }]) {
        const error = await failure(post(options))
        error.code.should.equal('EID_INVALID_INPUT')
        error.cause.outcome.should.equal('not-done')
      }
      bench.server.calls.length.should.equal(0)
    })

    it('that are refused while they are made keep their own error', async () => {
      const refuse = () => Promise.reject(configError('fileFolder', { folder: '/nowhere' }))
      ;(await failure(post({ makeBody: refuse }))).code.should.equal('EID_CONFIG')
    })

    it('that are streamed are created again for every try', async () => {
      bench.server.answer({ status: 429 }, { status: 401 }, {})
      let made = 0
      const makeBody = () => ({ data: Readable.from([`part ${++made}`, ', end']), headers: { 'X-Made': String(made) } })
      await post({ makeBody })
      bench.server.calls.map((call) => call.body).should.deepEqual(['part 1, end', 'part 2, end', 'part 3, end'])
      should(bench.server.calls[2]?.headers['x-made']).equal('3')
    })

    for (const status of [429, 401, 503]) {
      it(`that can be read only once are never sent twice, not even after ${status}`, async () => {
        bench.server.answer({ status, headers: { 'Retry-After': '1' } })
        const makeBody = () => ({ data: Readable.from(['once']), headers: {}, oneShot: true })
        const error = await failure(post({ makeBody }))
        should(error.cause).match({ status, attempts: 1 })
        bench.server.calls.length.should.equal(1)
        bench.server.answer({})
        await post()
      })
    }

    it('whose source breaks, ends early or is spent fail at once', async () => {
      const broken = new Readable({ read() {} })
      const early = new Readable({ read() {} })
      const consumed = Readable.from(['x']).resume()
      await once(consumed, 'end')
      const breaks = [() => broken.destroy(new Error('disk')), () => early.destroy(), () => undefined]
      for (const [index, data] of [broken, early, consumed].entries()) {
        const makeBody = () => {
          setTimeout(() => breaks[index]?.(), 20)
          return { data, headers: {} }
        }
        const error = await failure(post({ makeBody }))
        error.code.should.equal('EID_NETWORK')
        error.message.should.containEql('could not be read')
        error.cause.attempts.should.equal(1)
      }
    })

    it('that break before anyone listens fail as well', async () => {
      const data = new Readable({ read() {} })
      const makeBody = () => {
        queueMicrotask(() => data.destroy(new Error('disk')))
        return { data, headers: {} }
      }
      const error = await failure(post({ makeBody }))
      error.message.should.containEql('could not be read')
    })

    it('that stop flowing run out of time; those that flow may take longer than that', async () => {
      const slow = async function* () {
        for (let part = 0; part < 20; part++) {
          await sleep(60)
          yield String(part)
        }
      }
      await post({ makeBody: () => ({ data: Readable.from(slow()), headers: {} }), timeout: 1_000 })
      should(bench.server.calls[0]?.body).startWith('01234567').and.endWith('19')
      const stuck = new Readable({ read() {} })
      const error = await failure(post({ makeBody: () => ({ data: stuck, headers: {} }), timeout: 1_000 }))
      error.code.should.equal('EID_TIMEOUT')
      await until(() => stuck.destroyed)
    })

    it('are not read to the end when the service has answered already', async () => {
      bench.server.answer({ early: true, status: 413 })
      const data = new Readable({
        read() {
          this.push(Buffer.alloc(65_536))
        },
      })
      const error = await failure(post({ makeBody: () => ({ data, headers: {} }) }))
      error.code.should.equal('EID_REFUSED')
      await until(() => data.destroyed)
    })

    it('with headers that cannot be sent are reported as our own error', async () => {
      const data = new PassThrough()
      const error = await failure(post({ makeBody: () => ({ data, headers: { 'X Bad': 'a' } }) }))
      error.code.should.equal('EID_SERVICE')
      await until(() => data.destroyed)
    })
  })

  describe('answers', () => {
    it('come as object, text, Buffer or nothing', async () => {
      bench.server.answer({ body: '\ufeff {"a":1}\n' })
      should((await get()).data).deepEqual({ a: 1 })
      bench.server.answer({ body: ' \n' })
      should((await post()).data).be.undefined()
      bench.server.answer({ body: 'plain æ', headers: { 'X-Own': 'yes' }, status: 201 })
      const text = await get({ as: 'text' })
      should(text).match({ data: 'plain æ', status: 201 })
      should(text.headers['x-own']).equal('yes')
      should((await get({ as: 'buffer' })).data).deepEqual(Buffer.from('plain æ'))
    })

    const read = async (answer: Answer) => {
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of answer.data as AsyncIterable<Buffer>) {
        hash.update(chunk)
        size += chunk.length
      }
      return { size, sha256: hash.digest('hex') }
    }

    it('come as a stream', async () => {
      const body = 'æøå'.repeat(300_000)
      bench.server.answer({ body })
      const { size, sha256 } = await read(await get({ as: 'stream' }))
      size.should.equal(Buffer.byteLength(body))
      sha256.should.equal(createHash('sha256').update(body).digest('hex'))
    })

    it('that refuse a stream are read, so that the error has their reason', async () => {
      bench.server.answer({ status: 404, body: { message: 'gone' } })
      ;(await failure(get({ as: 'stream' }))).code.should.equal('EID_NOT_FOUND')
      bench.server.answer({ status: 400, body: `{"message":"${'x '.repeat(200_000)}"}` })
      ;(await failure(get({ as: 'stream' }))).code.should.equal('EID_REFUSED')
      bench.server.answer({ status: 400, close: 'middle', body: '{' })
      ;(await failure(get({ as: 'stream' }))).code.should.equal('EID_REFUSED')
    })

    it('streamed and broken, or stopped, or stuck, end the stream with our own fault', async () => {
      bench.server.answer({ body: 'x'.repeat(1000), close: 'middle' })
      await should(get({ as: 'stream' }).then(read)).be.rejectedWith({ kind: 'network', phase: 'sent' })

      const stuck = createTcpServer((socket) => {
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'))
        socket.on('error', () => socket.destroy())
      })
      await once(stuck.listen(0, '127.0.0.1'), 'listening')
      const baseUrl = `http://127.0.0.1:${(stuck.address() as AddressInfo).port}`
      const client = bench.client({ baseUrl, tokenUrl: `${bench.server.url}/oauth/connect/token` })
      const idle = await get({ as: 'stream', timeout: 500 }, client)
      await should(read(idle)).be.rejectedWith({ kind: 'timeout' })
      const stop = new AbortController()
      const stopping = await get({ as: 'stream', signal: stop.signal }, client)
      stop.abort() // before the stream has a reader
      await sleep(5)
      await should(read(stopping)).be.rejectedWith({ kind: 'aborted' })
      const unread = await get({ as: 'stream' }, client)
      ;(unread.data as Readable).destroy()
      stuck.close()
    })

    it('that are no HTTP are a network failure', async () => {
      const odd = createTcpServer((socket) => socket.once('data', () => socket.end('SSH-2.0-odd\r\n')))
      await once(odd.listen(0, '127.0.0.1'), 'listening')
      const baseUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
      const client = bench.client({ baseUrl, tokenUrl: `${bench.server.url}/oauth/connect/token`, retries: 0 })
      const error = await failure(get({}, client))
      error.code.should.equal('EID_NETWORK')
      error.cause.outcome.should.equal('unknown')
      odd.close()
    })

    it('larger than can be held are refused', async () => {
      const chunk = Buffer.alloc(8 * 1024 * 1024, 32)
      const big = createTcpServer((socket) => {
        socket.on('error', () => socket.destroy())
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 400000000\r\n\r\n')
          // On a broken connection, the write fails before the socket counts as destroyed.
          const more = (broken?: Error | null) => !broken && !socket.destroyed && socket.write(chunk, more)
          more()
        })
      })
      await once(big.listen(0, '127.0.0.1'), 'listening')
      const baseUrl = `http://127.0.0.1:${(big.address() as AddressInfo).port}`
      const client = bench.client({ baseUrl, tokenUrl: `${bench.server.url}/oauth/connect/token`, timeout: 2_000 })
      const error = await failure(get({ as: 'buffer' }, client))
      error.message.should.containEql('too large')
      error.cause.attempts.should.equal(1)
      big.close()
    })
  })
})
