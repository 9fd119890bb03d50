/** Answers the visitors of a node's pages: the page itself, and the messages that it reports. */
import { randomBytes } from 'node:crypto'
import { isPlainObject } from '../../lib/runtime/body'
import type { HttpRequest, HttpResponse } from '../../lib/runtime/node-red'
import type { RequestHandler } from '../../lib/runtime/public-routes'
import { readBytes } from '../../lib/runtime/raw-body'
import { maxMessageLength, readWebMessage, type WebMessage } from './messages'
import { endedPage, framePage } from './page-html'
import { chooseLanguage } from './page-texts'
import type { Page, Pages } from './pages'

export interface PageHandlerOptions {
  readonly pages: Pages
  /** After so long without a word of the app, the plain link is offered. */
  readonly appTimeoutSeconds: number
  readonly frameAncestors: readonly string[]
  readonly frameSources: readonly string[]
  /** A believed message of a live page. */
  received(page: Page, token: string, message: WebMessage): void
  /** Something was reported that is no believed message. */
  refused(page: Page): void
}

/** How many messages a page may report. */
const maxMessages = 500
/** Characters of JSON can take several bytes each, and are wrapped once more. */
const maxReportBytes = maxMessageLength * 4

export function createPageHandler(options: PageHandlerOptions): RequestHandler {
  return (request, response, rest) => {
    const [token = '', place, ...more] = rest
    const page = more.length === 0 ? options.pages.find(token) : undefined
    if (request.method === 'GET' && place === undefined) return show(options, page, token, request, response)
    if (request.method !== 'POST' || place !== 'messages') return answer(response, 404)
    if (!page) return answer(response, 410)
    takeReport(options, page, token, request, response).catch(() => answer(response, 500))
  }
}

function show(
  options: PageHandlerOptions,
  page: Page | undefined,
  token: string,
  request: HttpRequest,
  response: HttpResponse,
): void {
  const nonce = randomBytes(16).toString('base64')
  const live = page && !page.done ? page : undefined
  const language = chooseLanguage(live?.language ?? '', request.headers['accept-language'])
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy(options, live, nonce),
    'Content-Type': 'text/html; charset=utf-8',
    // The app finds the page around it by its origin; the rest of the address is nobody's business.
    'Referrer-Policy': 'origin',
    'X-Content-Type-Options': 'nosniff',
  })
  if (!live) return void response.status(410).end(endedPage(language, nonce))
  // The last segment again: relative, so that no proxy in front matters.
  const messages = `${encodeURIComponent(token)}/messages`
  response
    .status(200)
    .end(framePage({ page: live, messages, language, nonce, appTimeoutSeconds: options.appTimeoutSeconds }))
}

function policy({ frameAncestors, frameSources }: PageHandlerOptions, page: Page | undefined, nonce: string): string {
  const frames = page ? [...page.origins, ...frameSources].join(' ') : "'none'"
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    `frame-src ${frames}`,
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Takes one report: only from the page itself, only of an origin that is believed. */
async function takeReport(
  options: PageHandlerOptions,
  page: Page,
  token: string,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return refuse(options, page, response, 403)
  if (++page.messages > maxMessages) return refuse(options, page, response, 429)
  const body = await readBytes(request, maxReportBytes)
  if (body === 'too-large') return refuse(options, page, response, 413)
  if (body === 'too-slow') return refuse(options, page, response, 408)
  if (!Buffer.isBuffer(body)) return refuse(options, page, response, 400)
  const report = parse(body)
  if (!report) return refuse(options, page, response, 400)
  if (!page.origins.some((one) => one === report.origin)) return refuse(options, page, response, 403)
  const message = typeof report.data === 'string' ? readWebMessage(report.data) : undefined
  if (!message) return refuse(options, page, response, 400)
  answer(response, 204)
  options.received(page, token, message)
}

function parse(body: Buffer): Record<string, unknown> | undefined {
  try {
    const report: unknown = JSON.parse(body.toString('utf8'))
    return isPlainObject(report) ? report : undefined
  } catch {
    return undefined
  }
}

function refuse({ refused }: PageHandlerOptions, page: Page, response: HttpResponse, code: number): void {
  answer(response, code)
  refused(page)
}

function answer(response: HttpResponse, code: number): void {
  if (code === 408) response.set({ Connection: 'close' })
  response.status(code).set({ 'Cache-Control': 'no-store' }).end()
}
