/** Serves the visitors of a node's pages: the page itself, and the messages that it reports. */
import { randomBytes } from 'node:crypto'
import { isPlainObject } from '../../lib/common/plain-object'
import type { HttpRequest, HttpResponse } from '../../lib/runtime/node-red/node-red'
import type { RequestHandler } from '../../lib/runtime/http/public-routes'
import { readBytes } from '../../lib/runtime/http/raw-body'
import type { ConfirmedEnd } from './page-data'
import { origins } from '../../lib/settings/rules'
import { maxMessageLength, readWebMessage, type WebMessage } from './messages'
import { pagePolicy } from '../../lib/runtime/http/page-html'
import { framePage, noticePage } from './page-html'
import { chooseLanguage } from '../../lib/runtime/http/page-texts'
import { hashOf, type FoundPage, type Page, type Pages } from './pages'

interface PageHandlerOptions {
  readonly pages: Pages
  /** Seconds without a message from the app after which the plain link is offered. */
  readonly appTimeoutSeconds: number
  readonly frameAncestors: readonly string[]
  readonly frameSources: readonly string[]
  /**
   * Handles an accepted message of a live page. Returns what to do after the browser got its response; rejects if the
   * page has to report the message again.
   */
  take(found: FoundPage, message: WebMessage): Promise<() => void>
  /** Called for a report that is not an accepted message. */
  refused(): void
}

/** Maximum number of messages that a page may report. */
const maxMessages = 500
/**
 * Maximum size of a report in bytes. It is larger than the maximum length of a message, because one character can take
 * several bytes, and the message's JSON text is escaped once more within the JSON of the report.
 */
const maxReportBytes = maxMessageLength * 4

export function createPageHandler(options: PageHandlerOptions): RequestHandler {
  const handle = async (request: HttpRequest, response: HttpResponse, rest: readonly string[]) => {
    const [token = '', place, ...more] = rest
    const showing = request.method === 'GET' && place === undefined
    const reporting = request.method === 'POST' && place === 'messages'
    const asking = request.method === 'GET' && place === 'end'
    const beginning = request.method === 'POST' && place === 'begin'
    if (more.length > 0 || !(showing || reporting || asking || beginning)) return answer(response, 404)
    const found = await options.pages.find(token)
    if (showing) return show(options, found, token, request, response)
    if (!found) return answer(response, 410)
    if (isOthers(found, request)) return answer(response, 403)
    if (beginning) return begin(options.pages, found, request, response)
    if (asking) return tellEnd(found.page, response)
    await takeReport(options, found, await options.pages.report(found.id), request, response)
  }
  return (request, response, rest) => {
    handle(request, response, rest).catch(() => {
      // The store can't be reached, or contains something that can't be shown.
      if (!response.headersSent) answer(response, 503)
    })
  }
}

/** Whether the page belongs to another browser than the one that asks. */
function isOthers({ id, page }: FoundPage, request: HttpRequest): boolean {
  const cookie = new RegExp(`(?:^|;\\s*)${cookieName(id)}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? ''
  return page.browser !== undefined && page.browser !== hashOf(cookie)
}

const cookieName = (id: string) => `eid-${id}`

/** Binds the page of an identification to this browser, so that its result counts only from there. */
async function begin(pages: Pages, found: FoundPage, request: HttpRequest, response: HttpResponse): Promise<void> {
  const { origin = '', 'sec-fetch-site': site } = request.headers
  if (found.page.kind !== 'session' || (site !== undefined && site !== 'same-origin')) return answer(response, 403)
  if (found.page.browser === undefined) {
    // Without a path of its own, the cookie belongs to this page alone, also behind a proxy that changes paths.
    const secure = origin.startsWith('https:') ? '; Secure' : ''
    const cookie = `${cookieName(found.id)}=${await pages.bind(found)}; HttpOnly; SameSite=Lax${secure}`
    response.set({ 'Set-Cookie': cookie })
  }
  answer(response, 204)
}

function show(
  options: PageHandlerOptions,
  found: FoundPage | undefined,
  token: string,
  request: HttpRequest,
  response: HttpResponse,
): void {
  const nonce = randomBytes(16).toString('base64')
  const live = found && !found.page.done ? found.page : undefined
  const language = chooseLanguage('embed', live?.language ?? '', request.headers['accept-language'])
  response.set(
    headersOf(
      pagePolicy(nonce, {
        frames: live ? [...live.origins, ...options.frameSources] : [],
        ancestors: options.frameAncestors,
      }),
    ),
  )
  if (!live) return void response.status(410).end(noticePage('gone', language, nonce))
  if (found && isOthers(found, request)) return void response.status(403).end(noticePage('elsewhere', language, nonce))
  // The address repeats the page's last segment, because such a relative address works behind any proxy.
  const own = encodeURIComponent(token)
  const places = { messages: `${own}/messages`, end: `${own}/end`, begin: `${own}/begin` }
  response
    .status(200)
    .end(framePage({ ...options, parents: options.frameAncestors, page: live, ...places, language, nonce }))
}

const headersOf = (contentPolicy: string) => ({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentPolicy,
  'Content-Type': 'text/html; charset=utf-8',
  // The app recognizes its framing page by the origin; the rest of the address stays private.
  'Referrer-Policy': 'origin',
  'X-Content-Type-Options': 'nosniff',
})

/** Shows the visitor of a node that is disabled or starting that the page is paused. */
export function showPaused(frameAncestors: readonly string[], request: HttpRequest, response: HttpResponse): void {
  const nonce = randomBytes(16).toString('base64')
  const language = chooseLanguage('embed', '', request.headers['accept-language'])
  const known = frameAncestors.filter((one) => origins(one) === undefined)
  response.set(headersOf(pagePolicy(nonce, { frames: [], ancestors: known })))
  response.end(noticePage('paused', language, nonce))
}

/**
 * Responds to a poll by the page. The response contains the page's result, or is 204 if the service has not confirmed a
 * result yet.
 */
function tellEnd({ done, kind, end = '', sessionId, documentId, continueAt }: Page, response: HttpResponse): void {
  if (!done) return answer(response, 204)
  const ids = { ...(sessionId !== undefined && { sessionId }), ...(documentId !== undefined && { documentId }) }
  const notice = { source: 'eid-embed', kind, status: end, confirmed: true, ...ids } as const
  response.set({ 'Cache-Control': 'no-store' })
  response.json({ notice, ...(continueAt !== undefined && { continueAt }) } satisfies ConfirmedEnd)
}

/**
 * Handles one report, which must come from the page itself and be about a message from an accepted origin. `count` is
 * the number of reports so far.
 */
async function takeReport(
  options: PageHandlerOptions,
  found: FoundPage,
  count: number,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const refuse = (code: number) => {
    answer(response, code)
    options.refused()
  }
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return refuse(403)
  if (count > maxMessages) return refuse(429)
  const body = await readBytes(request, maxReportBytes)
  if (body === 'too-large') return refuse(413)
  if (body === 'too-slow') return refuse(408)
  const report = Buffer.isBuffer(body) ? parse(body) : undefined
  if (!report) return refuse(400)
  if (!found.page.origins.some((one) => one === report.origin)) return refuse(403)
  const message = typeof report.data === 'string' ? readWebMessage(report.data) : undefined
  if (!message) return refuse(400)
  // The signer app and the identification UI send different kinds of messages. Only one of the two may send messages to
  // this page.
  if (message.kind !== found.page.kind) return refuse(403)
  const taken = await options.take(found, message)
  answer(response, 204)
  taken()
}

function parse(body: Buffer): Record<string, unknown> | undefined {
  try {
    const report: unknown = JSON.parse(body.toString('utf8'))
    return isPlainObject(report) ? report : undefined
  } catch {
    return undefined
  }
}

function answer(response: HttpResponse, code: number): void {
  if (code === 408) response.set({ Connection: 'close' })
  response.status(code).set({ 'Cache-Control': 'no-store' }).end()
}
