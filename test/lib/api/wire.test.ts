/**
 * Unusual things on the wire: interim and incomplete responses, upgrades, connections that end on reuse, endless
 * headers.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import should from 'should'
import type { CallOptions } from '../../../lib/api/call/call'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import { pause, until } from '../../support/time'

const good = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"ok":true}'

describe('on the wire', () => {
  let bench: ScriptedService
  const servers: { server: Server; sockets: Set<Socket> }[] = []
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(async () => {
    await bench.close()
    for (const { server, sockets } of servers.splice(0)) {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  })

  /** A server that calls `onData` for every chunk that arrives; the token comes from another server. */
  const rawClient = async (onData: (socket: Socket, text: string, count: number) => void, timeout = 5) => {
    const sockets = new Set<Socket>()
    let count = 0
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
      socket.on('data', (chunk) => onData(socket, chunk.toString('latin1'), ++count))
    })
    servers.push({ server, sockets })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return bench.client({ baseUrl, tokenUrl: `${bench.server.url}/oauth/connect/token`, timeout })
  }
  const answering = (text: string | Buffer, end = false) =>
    rawClient((socket) => void (end ? socket.end(text) : socket.write(text)))
  type Client = Awaited<ReturnType<typeof rawClient>>
  const get = (client: Client, options: CallOptions = {}) => client.send('getDeposit', { id: '1', ...options })
  const cancel = (client: Client) => client.send('cancelDeposit', { id: '1' })

  for (const [name, interim] of [
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 with headers', 'HTTP/1.1 100 Continue\r\nServer: gateway\r\n\r\n'],
    ['102 twice', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'],
    ['100 and 103', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
  ] as const) {
    it(`an interim answer ${name} is followed by the real one`, async () => {
      const client = await answering(interim + good)
      should((await cancel(client)).data).deepEqual({ ok: true })
      const apart = await rawClient((socket) => socket.write(interim, () => setImmediate(() => socket.write(good))))
      for (let call = 0; call < 3; call++) should((await cancel(apart)).data).deepEqual({ ok: true })
    })
  }

  it('an answer that reads like an interim one stays as it is', async () => {
    const text = 'HTTP/1.1 100 Continue\r\n\r\nand more'
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n`
    const client = await rawClient((socket) => socket.write(head, () => setImmediate(() => socket.write(text))))
    should((await get(client, { as: 'text' })).data).equal(text)
  })

  it('101 is an unexpected answer, reported at once', async () => {
    const client = await answering('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n')
    const error = await failure(cancel(client))
    error.code.should.equal('EID_NETWORK')
    error.cause.should.match({ outcome: 'unknown', attempts: 1 })
  })

  for (const [name, half] of [
    ['in its first line', 'HTTP/1.1 20'],
    ['in its headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"ok":true}'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n{"ok":true}\r\n'],
  ] as const) {
    it(`an answer that breaks off ${name} may have acted`, async () => {
      const error = await failure(cancel(await answering(half, true)))
      error.code.should.equal('EID_NETWORK')
      error.cause.should.match({ outcome: 'unknown', attempts: 1 })
    })
  }

  it('headers without end are refused, and may have acted', async () => {
    const error = await failure(cancel(await answering(`HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(200_000)}\r\n\r\n`)))
    error.code.should.equal('EID_NETWORK')
    error.cause.outcome.should.equal('unknown')
  })

  it('headers named like properties of every object are headers', async () => {
    const odd = 'HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\ntoString: c\r\nX-Twice: 1\r\nX-Twice: 2\r\n'
    const { data, headers } = await get(await answering(`${odd}Content-Length: 11\r\n\r\n{"ok":true}`))
    should(data).deepEqual({ ok: true })
    should(headers['x-twice']).equal('1, 2')
  })

  it('an answer without length ends with its connection', async () => {
    should((await get(await answering('HTTP/1.1 200 OK\r\n\r\n{"ok":true}', true))).data).deepEqual({ ok: true })
  })

  for (const encoding of ['gzip', 'x-gzip'] as const) {
    it(`an answer in ${encoding}, which was not asked for, is read`, async () => {
      const packed = gzipSync('{"ok":true}')
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${packed.length}\r\n\r\n`
      const client = await answering(Buffer.concat([Buffer.from(head), packed]))
      should((await get(client)).data).deepEqual({ ok: true })
      const chunks: Buffer[] = []
      const { data } = await get(client, { as: 'stream' })
      for await (const chunk of data as AsyncIterable<Buffer>) chunks.push(chunk)
      Buffer.concat(chunks).toString().should.equal('{"ok":true}')
    })
  }

  it('an answer that claims to be gzip but is not cannot be read', async () => {
    const client = await answering(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 11\r\n\r\n{"ok":true}`)
    const error = await failure(cancel(client))
    error.cause.outcome.should.equal('unknown')
  })

  describe('a connection that was kept', () => {
    it('and ends while it rests is not used again', async () => {
      const client = await rawClient((socket) => socket.write(good, () => setImmediate(() => socket.end())))
      for (let call = 0; call < 5; call++) {
        await cancel(client)
        await until(() => [...(servers[0]?.sockets ?? [])].every((socket) => socket.readableEnded))
      }
    })

    it('and ends when it is used again may have acted: only what changes nothing is repeated', async () => {
      const uses = new Map<Socket, number>()
      let acted = 0
      const client = await rawClient((socket) => {
        uses.set(socket, (uses.get(socket) ?? 0) + 1)
        if (uses.get(socket) === 1) return void socket.write(good)
        acted++
        socket.destroy()
      })
      await cancel(client)
      await until(() => uses.size > 0)
      await pause(5) // A connection must be idle for a turn before it is reused.
      const error = await failure(cancel(client))
      error.code.should.equal('EID_NETWORK')
      error.cause.should.match({ outcome: 'unknown', attempts: 1 })
      acted.should.equal(1)
      await get(client)
      should((await get(client)).data).deepEqual({ ok: true })
    })
  })
})
