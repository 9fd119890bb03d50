/**
 * Connections: through a proxy if the settings or the environment say so, by the same rules as Node-RED; and checked
 * TLS certificates.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import should from 'should'
import type { ConnectionOptions } from 'node:tls'
import { environmentProxy, isExempt, type Environment, type ProxyOptions } from '../../../lib/api/http/proxy'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import { startServer, type TestServer } from '../../support/servers/server'
import { until } from '../../support/time'

interface NodeRedRules {
  getProxyForUrl(url: string, options: ProxyOptions & { env: Environment }): string
}

const nodeRed = createRequire(__filename)('@node-red/nodes/core/network/lib/proxyHelper.js') as NodeRedRules
const fixture = (name: string) => readFileSync(join(__dirname, '../../fixtures/certificates', name))

/** A proxy that tunnels, refuses or does not answer, and records each request with its credentials. */
async function startProxy(behaviour: { status?: number; silent?: boolean } = {}) {
  const asked: { target: string; authorization?: string }[] = []
  const sockets = new Set<Socket>()
  const server = createServer()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    // The server's half of a tunnel stays open until it is closed too.
    if (behaviour.silent) return void socket.on('end', () => socket.end()).resume()
    if (behaviour.status) return void socket.end(`HTTP/1.1 ${behaviour.status} No\r\n\r\n`)
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port, asked, sockets, close }
}

describe('connections', () => {
  let bench: ScriptedService
  let secure: TestServer
  const closing: (() => void)[] = []
  beforeEach(async () => {
    bench = await startScriptedService()
    secure = await startServer({ key: fixture('localhost.key'), cert: fixture('localhost.crt') })
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) close()
    await bench.close()
    await secure.close()
  })
  const ca = fixture('localhost.crt')
  const through = (proxyUrl: string, baseUrl: string, noProxy: string[] = [], tls = { ca }) =>
    bench.client({ baseUrl, findProxy: () => ({ url: proxyUrl, noProxy }), tls })
  const proxyOf = async (behaviour?: Parameters<typeof startProxy>[0]) => {
    const proxy = await startProxy(behaviour)
    closing.push(proxy.close)
    return proxy
  }

  describe('through a proxy', () => {
    it('reach http and https addresses by CONNECT, with credentials', async () => {
      const proxy = await proxyOf()
      for (const server of [bench.server, secure]) {
        const client = through(`http://ola:p%40ss@127.0.0.1:${proxy.port}`, server.url)
        should((await client.send('getDeposit', { id: '1' })).data).deepEqual({ ok: true })
        server.calls.length.should.equal(1)
        should(server.calls[0]?.headers).not.have.property('proxy-authorization')
      }
      const authorization = `Basic ${Buffer.from('ola:p@ss').toString('base64')}`
      const targets = [`127.0.0.1:${bench.server.port}`, `localhost:${secure.port}`]
      new Set(proxy.asked.map(({ target }) => target)).should.deepEqual(new Set(targets))
      new Set(proxy.asked.map((one) => one.authorization)).should.deepEqual(new Set([authorization]))
    })

    it('are direct for exempt hosts', async () => {
      const proxy = await proxyOf()
      const client = through(`http://127.0.0.1:${proxy.port}`, bench.server.url, ['127.0.0.1'])
      await client.send('getDocument', { id: '1' })
      proxy.asked.should.be.empty()
    })

    it('that refuses: nothing was done, and the sentence names the proxy', async () => {
      const proxy = await proxyOf({ status: 407 })
      const client = through(`http://127.0.0.1:${proxy.port}`, bench.server.url)
      const error = await failure(client.send('cancelDeposit', { id: '1' }))
      error.code.should.equal('EID_NETWORK')
      error.cause.outcome.should.equal('not-done')
      error.message.should.containEql('proxy')
    })

    it('that keeps silent: a stopped call ends at once, and closing the client ends the tunnel', async () => {
      const proxy = await proxyOf({ silent: true })
      for (const base of [bench.server.url, secure.url]) {
        const client = through(`http://127.0.0.1:${proxy.port}`, base)
        const stop = new AbortController()
        const before = proxy.asked.length
        const stopping = failure(client.send('getDocument', { id: '1', signal: stop.signal }))
        await until(() => proxy.asked.length === before + 1)
        stop.abort()
        ;(await stopping).cause.outcome.should.equal('not-done')
        const closed = failure(client.testToken())
        await until(() => proxy.asked.length > before)
        await client.close()
        ;(await closed).code.should.equal('EID_NETWORK')
        await until(() => proxy.sockets.size === 0)
      }
    })

    it('with a wrong certificate behind it: nothing was done', async () => {
      const proxy = await proxyOf()
      const other = through(`http://127.0.0.1:${proxy.port}`, secure.url, [], { ca: Buffer.alloc(0) })
      const error = await failure(other.send('cancelDeposit', { id: '1' }))
      error.message.should.containEql('certificate')
      error.cause.outcome.should.equal('not-done')
    })

    for (const url of ['nonsense', 'socks5://127.0.0.1:1']) {
      it(`cannot go through ${url}: EID_CONFIG`, async () => {
        const error = await failure(through(url, bench.server.url).send('getDocument', { id: '1' }))
        error.code.should.equal('EID_CONFIG')
        error.cause.outcome.should.equal('not-done')
      })
    }
  })

  describe('with TLS', () => {
    const direct = (tls: ConnectionOptions) => bench.client({ baseUrl: secure.url, tls })

    it('refuse an untrusted certificate, once, with nothing done', async () => {
      const client = direct({})
      const error = await failure(client.send('getDocument', { id: '1' }))
      error.code.should.equal('EID_NETWORK')
      error.message.should.containEql('certificate')
      error.cause.should.match({ attempts: 1, outcome: 'not-done' })
      bench.waits.should.be.empty()
    })

    it('refuse it for a call too, when the token came from elsewhere', async () => {
      const tokenUrl = `${bench.server.url}/oauth/connect/token`
      const client = bench.client({ baseUrl: secure.url, tokenUrl })
      const error = await failure(client.send('cancelDeposit', { id: '1' }))
      error.cause.should.match({ attempts: 1, outcome: 'not-done', path: '/deposit/personal/1/cancel' })
      secure.calls.should.be.empty()
    })

    it('accept it with the right authority', async () => {
      should((await direct({ ca }).send('getDeposit', { id: '1' })).data).deepEqual({ ok: true })
    })

    it('report unusable settings as EID_CONFIG', async () => {
      const error = await failure(direct({ cert: 'no certificate', key: 'no key' }).send('getDocument', { id: '1' }))
      error.code.should.equal('EID_CONFIG')
    })
  })

  describe('by the environment', () => {
    const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'npm_config_http_proxy', 'npm_config_proxy']
    const values = fc.constantFrom('http://a.example:1', 'b.example:2', '')
    const exceptions = fc.constantFrom(
      '',
      '*',
      'service.example',
      '.example',
      '*.example',
      'service.example:8443',
      'x, .no',
    )
    const variables = [...names, 'npm_config_no_proxy', 'npm_config_https_proxy'].flatMap((name) => {
      const value = name.includes('no_proxy') ? exceptions : values
      return [[name, value] as const, [name.toUpperCase(), value] as const]
    })
    const environment = fc.record(Object.fromEntries(variables), { requiredKeys: [] })
    const options = fc.record({
      mode: fc.constantFrom('strict', 'legacy'),
      favourUpperCase: fc.boolean(),
      lowerCaseOnly: fc.boolean(),
      excludeNpm: fc.boolean(),
    })
    const addresses = fc.constantFrom(
      'http://service.example/',
      'https://service.example/a?b',
      'https://service.example:8443/',
      'https://deep.service.example/',
      'http://127.0.0.1:1880/',
      'https://[::1]:8443/',
    )

    it('is the proxy that Node-RED itself would use', () => {
      fc.assert(
        fc.property(addresses, environment, options, (address, env, given) => {
          const url = new URL(address)
          const proxy = environmentProxy(url, env, given)
          const ours = proxy && !isExempt(url, proxy.noProxy) ? proxy.url : ''
          ours.should.equal(nodeRed.getProxyForUrl(address, { ...given, env }))
        }),
        { numRuns: 3000 },
      )
    })

    it('obeys NR_PROXY_MODE over the settings', () => {
      const url = new URL('https://service.example/')
      const env = { http_proxy: 'http://a.example:1', NR_PROXY_MODE: 'legacy' }
      should(environmentProxy(url, env, { mode: 'strict' })).deepEqual({ url: 'http://a.example:1', noProxy: [] })
      should(environmentProxy(url, { ...env, NR_PROXY_MODE: 'strict' }, { mode: 'legacy' })).be.undefined()
      should(environmentProxy(url, { ...env, NR_PROXY_MODE: 'odd' })).be.undefined()
    })

    it('exempts hosts by name, end, port or all', () => {
      const url = new URL('https://deep.service.example/')
      for (const entry of ['deep.service.example', '.example', '*.service.example', '*', 'DEEP.service.example:443']) {
        isExempt(url, [' ', entry]).should.be.true()
      }
      for (const entry of ['', 'service.example', 'deep.service.example:80', '.other']) {
        isExempt(url, [entry]).should.be.false()
      }
      isExempt(new URL('http://a/'), ['a:80']).should.be.true()
    })
  })
})
