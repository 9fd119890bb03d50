/**
 * "embed" and "webhook" in a real Node-RED behind a reverse proxy: roots, `httpNodeAuth`, public addresses, raw bytes.
 *
 * @rest
 */
import should from 'should'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startNodeRed, type NodeRed } from '../../support/node-red/editor'
import { act, startParties, type CreatedDocument } from '../../support/parties'
import type { HttpServer } from '../../support/servers/http-server'
import { startReverseProxy } from '../../support/servers/reverse-proxy'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

const secret = 'of the webhook'
/** The public address, which Node-RED learns only from the proxy's headers. */
const publicName = 'https://flows.example.com'
const visitor = { Authorization: `Basic ${Buffer.from('kari:letmein').toString('base64')}` }
/** `letmein` in an older format from Node-RED's documentation. */
const passwordAuth = { user: 'kari', pass: '0d107d09f5bbe40cade3de5c71e9e9b7' }

interface Received {
  readonly at: string
  readonly msg: Readonly<Record<string, unknown>>
}

describe('behind a reverse proxy', () => {
  let service: Service
  let collector: { readonly url: string; readonly received: Received[]; close(): void }
  let red: NodeRed | undefined
  let proxy: HttpServer | undefined

  before(async () => {
    service = await startService()
    collector = await startCollector()
  })
  after(async () => {
    collector.close()
    await service.close()
  })
  beforeEach(async () => {
    await service.reset()
    collector.received.length = 0
  })
  afterEach(async () => {
    await proxy?.close()
    await red?.stop()
    proxy = red = undefined
  })

  /** Starts Node-RED with these roots, the proxy in front of it, and the flow. */
  const start = async (roots: Roots, { settings = {}, adds, path = '/public' }: Setup = {}) => {
    red = await startNodeRed({ settings: { ...roots, ...settings } })
    const target = `${red.url}${roots.httpNodeRoot}`.replace(/\/$/, '')
    proxy = await startReverseProxy({ path, target, adds })
    // If the address has no path, the nodes add the root.
    const named = path === roots.httpNodeRoot ? '' : path
    const flows = flowFor(service.url, collector.url, proxy.url + named, publicName + named)
    const headers = { 'Content-Type': 'application/json', 'Node-RED-API-Version': 'v2' }
    const admin = `${red.url}${roots.httpAdminRoot}`.replace(/\/$/, '')
    const answer = await fetch(`${admin}/flows`, { method: 'POST', headers, body: JSON.stringify({ flows }) })
    should(answer.status).equal(200)
    return proxy.url + path
  }
  const received = (at: string) =>
    until(() => {
      const index = collector.received.findIndex((one) => one.at === at)
      return index < 0 ? undefined : collector.received.splice(index, 1)[0]?.msg
    })
  const webhook = () => until(() => [...service.sandbox.world.notification.webhooks.values()][0])

  /** Signs in the page's frame, as a visitor's browser does, and returns the result. */
  const visit = async (publicUrl: string, headers: Record<string, string> = {}) => {
    const { documentId, signers } = await newDocument(service)
    const app = signers[0]?.url ?? ''
    const query = new URLSearchParams({ url: app, documentId })
    const opened = await until(async () => {
      const answer = await fetch(`${publicUrl}/open?${query.toString()}`, { headers })
      return answer.status === 404 ? undefined : answer
    })
    const embedUrl = await opened.text()
    const path = new URL(publicUrl).pathname
    should(embedUrl).startWith(`${publicName}${path}/eid/`)
    const page = embedUrl.replace(publicName + path, publicUrl)
    const shown = await fetch(page, { headers })
    should(shown.status).equal(200)
    const data = /<script[^>]* id="data"[^>]*>([^<]+)</.exec(await shown.text())?.[1] ?? '{}'
    // Resolved relative to the page, as in a browser.
    const messages = new URL((JSON.parse(data) as { messages: string }).messages, page)
    await act(app)
    const message = { type: 'sign_success', payload: { documentId } }
    const body = JSON.stringify({ origin: new URL(service.url).origin, data: JSON.stringify(message) })
    const posted = { ...headers, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
    should((await fetch(messages, { method: 'POST', headers: posted, body })).status).equal(204)
    should(await received('message')).have.property('documentId', documentId)
    should(await received('final')).have.properties({ documentId, confirmed: true })
    return { page, messages }
  }

  /**
   * The service registers, pings and calls the webhook; a call whose bytes no JSON serializer would write is accepted
   * too.
   */
  const call = async (publicUrl: string) => {
    should((await webhook()).url).equal(`${publicUrl}/eid/webhook`)
    await until(async () => ((await webhook()).lastResponse?.code === 204 ? true : undefined))
    service.sandbox.world.emit('deposit_fully_funded', { depositId: 'deposit-1' }, [])
    should(await received('event')).have.property('depositId', 'deposit-1')
    should((await webhook()).lastResponse?.code).equal(204)
    const body = '{ "id":"r\\u00e5",\r\n\t"type" : "document_signed", "n": 1.0, "n": 2e0 }'
    should(await post(publicUrl, body)).equal(204)
    should(await received('event')).have.property('eventId', 'rå')
    should(await post(publicUrl, body, 'another secret')).equal(401)
  }

  it('works where the editor and the flows share one root', async () => {
    const publicUrl = await start({ httpAdminRoot: '/', httpNodeRoot: '/' })
    await visit(publicUrl)
    await call(publicUrl)
  })

  it('works where the flows have a root of their own below the editor', async () => {
    const publicUrl = await start({ httpAdminRoot: '/', httpNodeRoot: '/flows' })
    await visit(publicUrl)
    await call(publicUrl)
  })

  it('puts httpNodeRoot into a public address without a path, for a proxy that leaves paths as they are', async () => {
    const publicUrl = await start({ httpAdminRoot: '/', httpNodeRoot: '/flows' }, { path: '/flows' })
    await visit(publicUrl)
    await call(publicUrl)
  })

  it('asks visitors and the service for the password of httpNodeAuth, which the proxy may add', async () => {
    const publicUrl = await start(
      { httpAdminRoot: '/admin', httpNodeRoot: '/flows' },
      { settings: { httpNodeAuth: passwordAuth }, adds: (below) => (below === '/eid/webhook' ? visitor : {}) },
    )
    const { page, messages } = await visit(publicUrl, visitor)
    should((await fetch(page)).status).equal(401)
    should((await fetch(messages, { method: 'POST', body: '{}' })).status).equal(401)
    await call(publicUrl)
    should(await post(`${red?.url ?? ''}/flows`, '{"id":"direct"}')).equal(401)
    should(red?.output()).match(/\[warn\] \[eid-webhook:[^\]]+\] .*httpNodeAuth.*\/flows\/eid\/webhook/)
  })

  it('lets the service and visitors in where httpNodeAuth is a function that leaves their paths out', async () => {
    const publicUrl = await start(
      { httpAdminRoot: '/admin', httpNodeRoot: '/flows' },
      { settings: { httpNodeAuth: leavesOut } },
    )
    await visit(publicUrl)
    await call(publicUrl)
    should((await fetch(`${publicUrl}/other`)).status).equal(401)
    should(red?.output()).not.containEql('httpNodeAuth')
  })
})

interface Roots {
  readonly httpAdminRoot: string
  readonly httpNodeRoot: string
}

interface Setup {
  readonly settings?: object
  /** Headers that the proxy adds. */
  readonly adds?: (below: string) => IncomingHttpHeaders
  /** The path of the flows, as seen from outside. */
  readonly path?: string
}

interface Asked {
  readonly path: string
}

interface Answering {
  sendStatus(code: number): void
}

/** Runs in Node-RED's settings file. */
const leavesOut = (request: Asked, response: Answering, next: () => void) =>
  /^\/(open$|eid\/)/.test(request.path) ? next() : response.sendStatus(401)

/** A flow that makes pages on request, and reports everything that the two nodes send to the collector. */
function flowFor(serviceUrl: string, collectorUrl: string, publicUrl: string, name: string): object[] {
  const at = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
  const teller = (name: string) => ({
    ...at(name),
    type: 'function',
    outputs: 1,
    func: `msg.payload = { at: '${name}', msg: { ...msg, payload: null } }; return msg`,
    wires: [['tell']],
  })
  const onMessage = 'Object.assign(msg, msg.payload); return msg'
  const onPage = 'msg.payload = msg.embedUrl; return msg'
  return [
    { id: 'f', type: 'tab', label: 'test' },
    { id: 'c', type: 'eid-client', baseUrl: serviceUrl, retries: 0 },
    { ...at('in'), type: 'http in', method: 'get', url: '/open', wires: [['read']] },
    { ...at('read'), type: 'function', outputs: 1, func: onMessage, wires: [['embed']] },
    {
      ...at('embed'),
      type: 'eid-embed',
      client: 'c',
      url: 'url',
      publicUrl: name,
      wires: [['message'], ['final'], ['page']],
    },
    { ...at('page'), type: 'function', outputs: 1, func: onPage, wires: [['out']] },
    { ...at('out'), type: 'http response', wires: [] },
    {
      ...at('webhook'),
      type: 'eid-webhook',
      client: 'c',
      register: true,
      publicUrl,
      events: 'deposit_fully_funded',
      credentials: { secret },
      wires: [['event']],
    },
    ...['message', 'final', 'event'].map(teller),
    { ...at('tell'), type: 'http request', method: 'POST', url: collectorUrl, ret: 'txt', wires: [[]] },
  ]
}

async function newDocument(service: Service): Promise<CreatedDocument> {
  return (await startParties(service)).createDocument('proxied')
}

/** Calls the webhook as the service does. */
async function post(root: string, body: string, key = secret): Promise<number> {
  const signature = createHmac('sha256', key).update(body).digest('hex')
  const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
  return (await fetch(`${root}/eid/webhook`, { method: 'POST', headers, body })).status
}

/** Stores what the flow reports. */
async function startCollector() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += String(part)))
    request.on('end', () => {
      received.push(JSON.parse(text) as Received)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => void server.close(),
  }
}
