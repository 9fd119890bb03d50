/** Sends events to webhooks: a signed HTTP POST, ten seconds for the response, no retry. */
import { createHmac, randomUUID } from 'node:crypto'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { parseUrl } from '../server/urls'
import type { World } from '../world'
import type { Delivery, ServiceEvent, Webhook } from './state'

const DELIVERY_TIMEOUT_MS = 10_000
const MAX_DELIVERIES = 10

/** Maximum bytes kept of a response. */
const MAX_ANSWER_BYTES = 16 * 1024

interface Outcome {
  readonly code: number
  readonly message: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly error: string
}

/** Starts a delivery; the result goes into the webhook's `deliveries` and `lastResponse`. */
export function deliver(world: World, webhook: Webhook, event: ServiceEvent): void {
  const body = JSON.stringify(event)
  const headers = headersFor(world, webhook, body)
  const started = Date.now()
  void attempt(world, webhook.url, headers, body).then((outcome) => {
    record(world, webhook, event, { headers, body, elapsedMs: Date.now() - started }, outcome)
  })
}

/** Lower-case hexadecimal HMAC-SHA256 of the body's bytes. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

function headersFor({ notification }: World, { secret }: Webhook, body: string): Record<string, string> {
  const signature = secret ? { [notification.signatureHeader]: signatureOf(body, secret) } : {}
  return { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': 'eid-sandbox', ...signature }
}

/** Tries to deliver once. Never rejects: a failure is returned as an outcome. */
async function attempt(world: World, url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
  const failed = (error: string): Outcome => ({ code: 0, message: '', headers: {}, body: '', error })
  const target = parseUrl(url)
  if (!target || !mayReach(target, world)) return failed('The sandbox delivers to loopback addresses only.')
  try {
    return await post(target, headers, body)
  } catch (error) {
    const { name, message } = error as Error
    return failed(name === 'AbortError' ? 'No answer within 10 seconds.' : message)
  }
}

/**
 * Whether the sandbox may deliver to this address: other machines get events only if they can also reach the sandbox.
 */
function mayReach({ hostname, protocol }: URL, { url }: World): boolean {
  const isLoopback = (name: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name)
  return /^https?:$/.test(protocol) && (isLoopback(hostname) || !isLoopback(new URL(url).hostname))
}

function post(target: URL, headers: Record<string, string>, body: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const request = target.protocol === 'https:' ? requestHttps : requestHttp
    const signal = AbortSignal.timeout(DELIVERY_TIMEOUT_MS)
    const length = { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request(target, { method: 'POST', headers: { ...headers, ...length }, agent: false, signal })
    sent.on('error', reject)
    sent.on('socket', (socket) => socket.unref())
    sent.on('response', (response) => {
      readStart(response)
        .then((text) => {
          const { statusCode: code = 0, statusMessage: message = '' } = response
          resolve({ code, message, headers: response.headers, body: text, error: '' })
        })
        .catch(reject)
    })
    sent.end(body)
  })
}

async function readStart(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < MAX_ANSWER_BYTES) chunks.push(chunk)
    size += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8')
}

interface Sent {
  readonly headers: Record<string, string>
  readonly body: string
  readonly elapsedMs: number
}

function record(world: World, webhook: Webhook, event: ServiceEvent, sent: Sent, outcome: Outcome): void {
  const timestamp = world.clock.iso()
  const delivery: Delivery = {
    id: randomUUID(),
    webhookId: webhook.id,
    eventId: event.id,
    timestamp,
    url: webhook.url,
    elapsedMs: sent.elapsedMs,
    requestHeaders: sent.headers,
    requestBody: sent.body,
    responseHeaders: outcome.headers,
    responseBody: outcome.body,
    responseStatusCode: outcome.code,
    responseMessage: outcome.message,
    errorMessage: outcome.error,
  }
  webhook.lastResponse = { code: outcome.code, message: outcome.message || outcome.error, timestamp }
  const failed = outcome.code < 200 || outcome.code > 299
  if (webhook.deliveryLogging === 'never' || (webhook.deliveryLogging === 'failed' && !failed)) return
  webhook.deliveries = [delivery, ...webhook.deliveries].slice(0, MAX_DELIVERIES)
}
