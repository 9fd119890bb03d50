/** Serves the visitors of approvers' addresses: the page, and the calls of its script. */
import { randomBytes } from 'node:crypto'
import { isPlainObject } from '../../lib/common/plain-object'
import { isForeign } from '../../lib/runtime/http/editor-only'
import { chooseLanguage } from '../../lib/runtime/http/page-texts'
import type { RequestHandler } from '../../lib/runtime/http/public-routes'
import { readBytes } from '../../lib/runtime/http/raw-body'
import type { HttpRequest, HttpResponse } from '../../lib/runtime/node-red/node-red'
import { textOf } from '../../lib/runtime/values/read-text'
import { attemptMs } from './sessions'
import type { Desk } from './desk'
import { pagePolicy } from '../../lib/runtime/http/page-html'
import { approvalPage } from './page-html'

interface PageHandlerOptions {
  readonly desk: Desk
  /** The public address of the node's pages: its path is that of the cookie, its origin that of the page's own calls. */
  readonly base: URL
  /** False if `base` is only guessed, as it may be with the sandbox. */
  readonly isPublic: boolean
  /** The language of the page; empty for that of the visitor's browser. */
  readonly language: string
  /** Called for a call that did not come from the page itself. */
  refused(): void
}

/** Maximum size of a call's body in bytes, and of a reason in characters. */
const maxBodyBytes = 8 * 1024
const maxReason = 1000

type Handle = (
  options: PageHandlerOptions,
  request: HttpRequest,
  response: HttpResponse,
  token: string,
) => Promise<void>

export function createPageHandler(options: PageHandlerOptions): RequestHandler {
  const calls: Readonly<Record<string, Handle>> = { start, state, answer }
  const handle = async (request: HttpRequest, response: HttpResponse, rest: readonly string[]) => {
    const [token = '', place = '', secret = '', ...more] = rest
    if (token === '' || more.length > 0) return end(response, 404)
    if (request.method === 'GET' && place === '') return show(options, request, response, token)
    if (request.method === 'GET' && place === 'back') return takeBack(options, request, response, token, secret)
    const call = Object.hasOwn(calls, place) ? calls[place] : undefined
    if (request.method !== 'POST' || !call || secret !== '') return end(response, 404)
    if (!isOwn(options, request)) {
      options.refused()
      return end(response, 403)
    }
    await call(options, request, response, token)
  }
  return (request, response, rest) => {
    handle(request, response, rest).catch(() => {
      // The store or the service cannot be reached, or a setting is wrong; the page tries again.
      if (!response.headersSent) end(response, 503)
    })
  }
}

/** Whether the call comes from a page of this node: a page of another site could use the cookie. */
function isOwn({ base, isPublic }: PageHandlerOptions, request: HttpRequest): boolean {
  const { origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers
  if (!/^application\/json\b/i.test(type) || origin === undefined || origin === 'null') return false
  if (site !== undefined && site !== 'same-origin') return false
  return isPublic ? origin === base.origin : !isForeign(request)
}

async function show(
  options: PageHandlerOptions,
  request: HttpRequest,
  response: HttpResponse,
  token: string,
): Promise<void> {
  const found = await options.desk.look(token)
  const page = pageOf(options, request, response)
  if (typeof found !== 'string') return sendPage(response, 200, approvalPage({ ...page, token, what: found.what }))
  sendPage(response, found === 'gone' ? 410 : 200, approvalPage({ ...page, token, first: found }))
}

/**
 * The browser comes back from the service. The page is then opened without the secret, so that it is in no further
 * address. Without the cookie of this approval, nothing counts.
 */
async function takeBack(
  options: PageHandlerOptions,
  request: HttpRequest,
  response: HttpResponse,
  token: string,
  secret: string,
): Promise<void> {
  const found = await options.desk.look(token)
  if (typeof found === 'string') return show(options, request, response, token)
  if (await options.desk.takeBack(token, cookieIn(request, found.approval), secret)) {
    response.set({ Location: `../../${encodeURIComponent(token)}`, 'Referrer-Policy': 'no-referrer' })
    return end(response, 303)
  }
  const page = { ...pageOf(options, request, response), place: '../', token, what: found.what }
  sendPage(response, 200, approvalPage({ ...page, first: 'elsewhere' }))
}

const start: Handle = async (options, request, response, token) => {
  const { cookie, ...view } = await options.desk.start(token, languageOf(options, request) === 'nb' ? 'no' : 'en')
  const found = cookie === undefined ? undefined : await options.desk.look(token)
  if (cookie !== undefined && typeof found === 'object') {
    const secure = options.base.protocol === 'https:' ? '; Secure' : ''
    const path = options.base.pathname
    const rest = `Path=${path}; Max-Age=${attemptMs / 1000}; HttpOnly; SameSite=Lax${secure}`
    response.set({ 'Set-Cookie': `${cookieName(found.approval)}=${cookie}; ${rest}` })
  }
  json(response, view)
}

const state: Handle = async (options, request, response, token) => {
  json(response, await options.desk.state(token, await cookieFor(options, request, token)))
}

const answer: Handle = async (options, request, response, token) => {
  const body = await readBytes(request, maxBodyBytes)
  if (body === 'too-large') return end(response, 413)
  if (body === 'too-slow') return end(response, 408)
  const { answer: said, reason } = Buffer.isBuffer(body) ? parsed(body) : {}
  if (said !== 'approve' && said !== 'reject') return end(response, 400)
  const why = said === 'reject' ? textOf(reason).slice(0, maxReason) : ''
  json(response, await options.desk.answer(token, await cookieFor(options, request, token), said, why))
}

const cookieName = (approval: string) => `eid-approve-${approval}`

async function cookieFor({ desk }: PageHandlerOptions, request: HttpRequest, token: string): Promise<string> {
  const found = await desk.look(token)
  return typeof found === 'string' ? '' : cookieIn(request, found.approval)
}

function cookieIn({ headers }: HttpRequest, approval: string): string {
  const all = (headers.cookie ?? '').split(';').map((one) => one.trim().split('='))
  return all.find(([name]) => name === cookieName(approval))?.[1] ?? ''
}

const languageOf = ({ language }: PageHandlerOptions, { headers }: HttpRequest) =>
  chooseLanguage('approve', language, headers['accept-language'])

/** Sets the headers of a page, and returns what all pages need. */
function pageOf(options: PageHandlerOptions, request: HttpRequest, response: HttpResponse) {
  const nonce = randomBytes(16).toString('base64')
  response.set({
    'Content-Security-Policy': pagePolicy(nonce),
    'Content-Type': 'text/html; charset=utf-8',
    'Cross-Origin-Opener-Policy': 'same-origin',
    // The address of the page, and the secret of the return address, stay private.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  })
  return { nonce, language: languageOf(options, request) }
}

function sendPage(response: HttpResponse, code: number, page: string): void {
  response.set({ 'Cache-Control': 'no-store' })
  response.status(code).end(page)
}

function json(response: HttpResponse, body: object): void {
  response.set({ 'Cache-Control': 'no-store' })
  response.json(body)
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(body.toString('utf8'))
    return isPlainObject(found) ? found : {}
  } catch {
    return {}
  }
}

function end(response: HttpResponse, code: number): void {
  if (code === 408) response.set({ Connection: 'close' })
  response.set({ 'Cache-Control': 'no-store' })
  response.status(code).end()
}
