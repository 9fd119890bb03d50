/** Handles requests of the page: the page itself, its rows, the CSV file, and the actions of its buttons. */
import { randomBytes } from 'node:crypto'
import { isPlainObject } from '../../lib/common/plain-object'
import { isForeign } from '../../lib/runtime/http/editor-only'
import { chooseLanguage, pageTexts } from '../../lib/runtime/http/page-texts'
import type { RequestHandler } from '../../lib/runtime/http/public-routes'
import { readBytes } from '../../lib/runtime/http/raw-body'
import type { ErrorEntry } from '../../lib/runtime/monitor/error-entry'
import type { EndedItem } from '../../lib/runtime/monitor/ended'
import { translateInto } from '../../lib/runtime/node-red/texts'
import { isPlace } from '../../lib/runtime/people/pages'
import type { Press } from '../../lib/runtime/people/press'
import { inWords, type Told } from '../../lib/runtime/people/told'
import type { PacedList } from '../../lib/runtime/monitor/paced-list'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import type { HttpRequest, HttpResponse } from '../../lib/runtime/node-red/node-red'
import { systemClock } from '../../lib/store/clock'
import { nameIn, type Gate } from './access'
import { csvOf } from './csv'
import type { Entry } from './entry'
import { pagePolicy } from '../../lib/runtime/http/page-html'
import { overviewPage, refusedPage } from './page-html'
import { findEntries, readSections, viewOf, type Sources } from './rows'
import { pageActions, queryHeader, sections, type OverviewQuery } from './view'

/** The lists of pending and ended waits, which are read at intervals, however many people request them. */
export interface Lists {
  readonly pending: () => Promise<PacedList<Entry>>
  readonly ended: () => Promise<PacedList<EndedItem>>
  /** Returns errors of the other Node-REDs. */
  readonly otherErrors: () => Promise<PacedList<ErrorEntry>>
  readonly ownErrors: () => readonly ErrorEntry[]
}

interface PageOptions {
  readonly RED: HostOwner
  readonly gate: Gate
  readonly mayAct: boolean
  readonly lists: Lists
  readonly press: (press: Press) => Promise<Told>
  /** Called when a name and password were wrong, or were tried too often. */
  readonly refused: () => void
}

/** Maximum size of a button's request, which is short. */
const maxBodyBytes = 10_000
const maxTextLength = 500

/** The page's script sends requests to these paths below the page's own address. */
export const pagePlaces = ['rows', 'rows.csv', 'press'] as const

export function createPageHandler(options: PageOptions): RequestHandler {
  const handle = async (request: HttpRequest, response: HttpResponse, rest: readonly string[]) => {
    const language = chooseLanguage('overview', '', request.headers['accept-language'])
    const nonce = randomBytes(16).toString('base64')
    response.set(headersFor(nonce))
    if (!(await isAdmitted(options, request, response, { language, nonce }))) return
    const [place = '', ...more] = rest
    const isGet = request.method === 'GET' || request.method === 'HEAD'
    if (more.length > 0) return answer(response, 404)
    if (place === '' && isGet) return html(response, 200, overviewPage(language, nonce))
    // If a person is logged in, the browser adds the password even to requests that another site started.
    if (isForeign(request)) return answer(response, 403)
    if (place === 'rows' && isGet) return showRows(options, request, response, language)
    if (place === 'rows.csv' && isGet) return showFile(options, request, response, language)
    if (place === 'press' && request.method === 'POST') return takePress(options, request, response, language)
    answer(response, 404)
  }
  return (request, response, rest) => {
    handle(request, response, rest).catch(() => {
      if (!response.headersSent) answer(response, 503)
      else response.destroy()
    })
  }
}

function headersFor(nonce: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': pagePolicy(nonce),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  }
}

async function isAdmitted(
  { gate, refused }: PageOptions,
  request: HttpRequest,
  response: HttpResponse,
  page: { readonly language: string; readonly nonce: string },
): Promise<boolean> {
  const access = await gate.admit(request, response)
  if (access === 'granted') return true
  if (access === 'answered') return false
  const texts = pageTexts('overview', page.language)
  if (typeof access === 'object') {
    response.set({ 'Retry-After': String(access.wait) })
    html(response, 429, refusedPage(texts.tooOften ?? '', page.language, page.nonce))
  } else {
    response.set({ 'WWW-Authenticate': 'Basic realm="eID", charset="UTF-8"' })
    html(response, 401, refusedPage(texts.logIn ?? '', page.language, page.nonce))
  }
  if (request.headers.authorization !== undefined) refused()
  return false
}

async function sourcesFor({ RED, lists, mayAct }: PageOptions, language: string): Promise<Sources> {
  const [pending, ended, others] = await Promise.all([lists.pending(), lists.ended(), lists.otherErrors()])
  const errors = [...lists.ownErrors(), ...others.items]
  return { RED, pending, ended, errors, mayAct, language, now: systemClock.epochNow() }
}

async function showRows(options: PageOptions, request: HttpRequest, response: HttpResponse, language: string) {
  const sources = await sourcesFor(options, language)
  const view = viewOf(await readSections(sources), queryOf(request), sources)
  response.json(view)
}

async function showFile(options: PageOptions, request: HttpRequest, response: HttpResponse, language: string) {
  const query = queryOf(request)
  const all = await readSections(await sourcesFor(options, language))
  const rows = findEntries(all[query.section], query).map(({ row }) => row)
  const csv = await csvOf(rows, { ...query, texts: pageTexts('overview', language) })
  response.set({ 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment' })
  response.status(200).end(csv)
}

async function takePress(options: PageOptions, request: HttpRequest, response: HttpResponse, language: string) {
  const { origin, 'content-type': type = '' } = request.headers
  // A form on another page would also send the password, but never with the origin of this page.
  if (!options.mayAct || origin === undefined || origin === 'null') return answer(response, 403)
  if (!/^application\/json\b/i.test(type)) return answer(response, 415)
  const body = await readBytes(request, maxBodyBytes)
  if (body === 'too-large') return answer(response, 413)
  if (body === 'too-slow') return answer(response, 408)
  const said = Buffer.isBuffer(body) ? parsed(body.toString('utf8')) : {}
  const action = pageActions.find((one) => one === said.action)
  if (!action) return answer(response, 400)
  const press = { action, wait: String(said.id), reason: textOf(said.reason), again: said.again === true }
  const told = await options.press({ ...press, by: nameIn(request) })
  const translate = translateInto(language, 'overview')
  response.json(translate ? inWords(told, translate) : { ok: told.ok })
}

function queryOf({ headers }: HttpRequest): OverviewQuery {
  const said = parsed(decoded(headers[queryHeader.toLowerCase()]))
  return {
    section: sections.find((one) => one === said.section) ?? 'waiting',
    after: isPlace(said.after) ? said.after : undefined,
    before: isPlace(said.before) ? said.before : undefined,
    find: textOf(said.find),
    kind: textOf(said.kind),
    flow: textOf(said.flow),
    zone: textOf(said.zone),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxTextLength) : '')

function decoded(header: unknown): string {
  try {
    return typeof header === 'string' ? decodeURIComponent(header) : ''
  } catch {
    return '' // Not encoded by our page.
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? value : {}
  } catch {
    return {}
  }
}

function html(response: HttpResponse, code: number, page: string): void {
  response.status(code).set({ 'Content-Type': 'text/html; charset=utf-8' }).end(page)
}

function answer(response: HttpResponse, code: number): void {
  if (code === 408) response.set({ Connection: 'close' })
  response.status(code).end()
}
