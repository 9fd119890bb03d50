/**
 * The limits of the addresses that anyone can call: size, time, rate and number. The flow and the memory are not
 * affected.
 *
 * @rest
 */
import { createHmac } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import should from 'should'
import embed from '../../nodes/embed/embed'
import webhook from '../../nodes/webhook/webhook'
import { createRateLimiter, type RateLimiter } from '../../lib/runtime/http/rate-limiter'
import { removeFlow, startFlow, type Flow } from '../support/flow'
import { startPublicSide, type PublicSide } from '../support/public-site'
import { until } from '../support/time'

const secret = 'secret of the webhook'
const origin = 'https://sign.example'
const mebibyte = 1024 * 1024

describe('public routes', () => {
  let site: PublicSide
  let flow: Flow
  const sockets = new Set<Socket>()

  before(async () => (site = await startPublicSide()))
  after(() => site.close())
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await removeFlow()
  })

  /** Opens a connection, sends this text and nothing more, and returns the answer so far. */
  const speak = (text: string) => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    sockets.add(socket)
    let answer = ''
    socket.on('data', (data) => (answer += data.toString())).on('error', () => socket.destroy())
    socket.write(text)
    return { socket, answer: () => answer }
  }
  const headOf = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  /** Sends this many requests at once and counts the answers by status. */
  const flood = async (count: number, send: () => Promise<Response>) => {
    const answers = await Promise.all(Array.from({ length: count }, send))
    const counts: Record<number, number> = {}
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  /** How much the memory has grown after `run`, in bytes, without a garbage collection: the worst case. */
  const growth = async (run: () => Promise<void>) => {
    const held = () => process.memoryUsage().rss
    const before = held()
    await run()
    return held() - before
  }
  const quiet = () => flow.waiting().out === 0 && flow.waiting().caught === 0

  const path = '/eid/webhook'
  const sign = (body: string) => createHmac('sha256', secret).update(body).digest('hex')
  const event = (id: string) => JSON.stringify({ id, type: 'document_signed', payload: {} })
  const post = (body: string, signature = sign(body)) =>
    fetch(site.url + path, { method: 'POST', headers: { 'X-EID-Signature': signature }, body })
  const webhookIsOpen = () => until(async () => (await post('{}', 'x')).status === 401)

  describe('of webhook', () => {
    beforeEach(async () => {
      flow = await startFlow({ type: 'eid-webhook', module: webhook, secrets: { secret }, modules: [site.module] })
      await webhookIsOpen()
    })

    it('take one mebibyte and not a byte more, even when it is signed', async () => {
      const filled = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`
      should((await post(filled(mebibyte))).status).equal(204)
      await flow.next()
      should((await post(filled(mebibyte + 1))).status).equal(413)
      should(quiet()).be.true()
    })

    it('hold no more memory when large calls pour in', async () => {
      const large = 'x'.repeat(8 * mebibyte)
      const grown = await growth(async () => {
        for (let round = 0; round < 10; round++) {
          const counts = await flood(5, () => post(large, 'wrong'))
          should(counts).deepEqual({ 413: 5 })
        }
      })
      // 400 MiB were sent.
      should(grown).be.below(300 * mebibyte)
      should(quiet()).be.true()
    })

    it('take no more than two hundred calls of one address at the same time, and others again when those are gone', async () => {
      const slow = Array.from({ length: 500 }, () => speak(headOf(path, 1000) + '{'))
      await until(async () => (await post(event('misuse-one'))).status === 429)
      const refused = await post(event('misuse-one'))
      should(refused.headers.get('retry-after')).equal('1')
      should(quiet()).be.true()
      await until(() => flow.statuses.some(({ text }) => text === 'calls refused: too many'))
      for (const { socket } of slow) socket.destroy()
      await until(async () => (await post(event('misuse-one'))).status === 204)
      should((await flow.next()).eventId).equal('misuse-one')
    })

    it('stay open for the service while another host holds all the calls it can', async () => {
      for (let number = 0; number < 500; number++) speak(headOf(path, 1000) + '{')
      await until(async () => (await post('{}', 'not signed')).status === 429)
      should(await postFrom('127.0.0.2', site.url + path, event('of-the-service'), sign)).equal(204)
      should((await flow.next()).eventId).equal('of-the-service')
    })
  })

  it('tell callers apart behind a proxy that Node-RED trusts', async () => {
    const trusting = (RED: unknown) =>
      (RED as { httpNode: { set(name: string, value: number): void } }).httpNode.set('trust proxy', 1)
    flow = await startFlow({
      type: 'eid-webhook',
      module: webhook,
      secrets: { secret },
      modules: [site.module, trusting],
    })
    await webhookIsOpen()
    const from = (address: string) => ({ 'X-EID-Signature': sign(event('proxied')), 'X-Forwarded-For': address })
    const call = async (address: string) =>
      (await fetch(site.url + path, { method: 'POST', headers: from(address), body: event('proxied') })).status
    const head = headOf(path, 1000).replace('\r\n\r\n', '\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n')
    for (let number = 0; number < 300; number++) speak(head + '{')
    await until(async () => (await call('192.0.2.1')) === 429)
    should(await call('192.0.2.2')).equal(204)
  })

  it('wait ten seconds for the body of a webhook or for a report of embed, and then free its place', async () => {
    flow = await startFlow({
      type: 'eid-embed',
      module: embed,
      modules: [site.module, webhook],
      outputs: 3,
      settings: { url: 'url' },
      client: { signatureOrigins: origin },
      more: [{ id: 'w', z: 'f', type: 'eid-webhook', wires: [['out0']] }],
      moreSecrets: { w: { secret } },
    })
    flow.send({ url: `${origin}/sign?jwt=1`, documentId: 'doc-1' })
    const page = new URL(site.url + String((await flow.next(2)).embedUrl)).pathname
    await webhookIsOpen()
    const waits = [path, `${page}/messages`].map(async (place) => {
      const started = Date.now()
      const slow = speak(headOf(place, 1000) + '{')
      await new Promise<void>((resolve) => void slow.socket.once('close', () => resolve()))
      should(slow.answer()).startWith('HTTP/1.1 408 ')
      should(Date.now() - started).be.aboveOrEqual(9_000)
    })
    await Promise.all(waits)
    should(quiet()).be.true()
  })

  describe('in one second', () => {
    let now = 0
    const admitted = (admits: RateLimiter, count: number, peer: string) => {
      const answers = Array.from({ length: count }, () => {
        const response = new EventEmitter()
        const answer = admits(response, peer)
        response.emit('close')
        return answer
      })
      return answers.filter(Boolean).length
    }
    beforeEach(() => void (now = 0))

    it('take at most a thousand requests, seven hundred from one address, and more in the next one', () => {
      const admits = createRateLimiter({ now: () => now })
      should(admitted(admits, 1500, '10.0.0.1')).equal(700)
      should(admitted(admits, 1500, '10.0.0.2')).equal(300)
      now = 999
      should(admitted(admits, 1, '10.0.0.3')).equal(0)
      now = 1000
      should(admitted(admits, 1500, '10.0.0.1')).equal(700)
    })

    it('count the addresses of one network as one sender, and an address in both spellings', () => {
      const admits = createRateLimiter({ now: () => now })
      should(admitted(admits, 800, '2001:db8:1:2::1')).equal(700)
      should(admitted(admits, 1, '2001:db8:1:2:ffff::9')).equal(0)
      should(admitted(admits, 1, '2001:db8:1:3::1')).equal(1)
      now = 1000
      should(admitted(admits, 700, '10.0.0.1')).equal(700)
      should(admitted(admits, 1, '::ffff:10.0.0.1')).equal(0)
    })
  })

  describe('of embed', () => {
    const url = `${origin}/sign?jwt=1`
    const makePage = async () => {
      flow.send({ url, documentId: 'doc-1' })
      const made = await flow.next(2)
      return site.url + String(made.embedUrl)
    }
    const report = (page: string, data: string, more: RequestInit = {}) =>
      fetch(`${page}/messages`, { method: 'POST', body: JSON.stringify({ origin, data }), ...more })

    beforeEach(async () => {
      flow = await startFlow({
        type: 'eid-embed',
        module: embed,
        modules: [site.module],
        outputs: 3,
        settings: { url: 'url' },
        client: { signatureOrigins: origin },
      })
    })

    it('read no more than a message can have', async () => {
      const page = await makePage()
      should((await report(page, 'x', { body: 'x'.repeat(4 * 16_384 + 1) })).status).equal(413)
      const fitting = (size: number) => `{"type":"t","payload":"${'x'.repeat(size - 25)}"}`
      should((await report(page, fitting(16_385))).status).equal(400)
      should(quiet()).be.true()
      should((await report(page, fitting(16_384))).status).equal(204)
      await flow.next(0)
    })

    it('hold no more memory when large reports pour in', async () => {
      const page = await makePage()
      const large = 'x'.repeat(8 * mebibyte)
      const grown = await growth(async () => {
        for (let round = 0; round < 10; round++) {
          const counts = await flood(5, () => report(page, 'x', { body: large }))
          should(counts).deepEqual({ 413: 5 })
        }
      })
      should(grown).be.below(300 * mebibyte)
      should(quiet()).be.true()
    })

    it('take five hundred reports of a page, whether or not they are believed', async () => {
      const page = await makePage()
      const other = await makePage()
      const codes = new Set<number>()
      for (let round = 0; round < 10; round++) {
        const counts = await flood(50, () => report(page, 'nothing'))
        for (const code of Object.keys(counts)) codes.add(Number(code))
      }
      should([...codes]).deepEqual([400])
      await until(async () => (await report(page, '{"type":"app_started"}')).status === 429)
      await until(async () => (await report(other, '{"type":"app_started"}')).status === 204)
      await flow.next(0)
      should(quiet()).be.true()
    })

    it('keep about ten thousand pages, a number that is estimated; the oldest is forgotten first', async () => {
      const first = await makePage()
      for (let count = 1; count < 9_600; count++) await makePage()
      should((await fetch(first)).status).equal(200)
      for (let count = 9_600; count < 10_400; count++) await makePage()
      should((await fetch(first)).status).equal(410)
      should((await fetch(await makePage())).status).equal(200)
    })
  })
})

/** Sends a signed call from another address of this machine; returns the status of the answer. */
function postFrom(localAddress: string, url: string, body: string, sign: (body: string) => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-EID-Signature': sign(body) }
    const sent = request(url, { method: 'POST', localAddress, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end(body)
  })
}
