/**
 * The page's script, as it runs in the browser: checks which window sent a message, reports every message in order, and
 * informs the visitor.
 */
import type { ConfirmedEnd, PageData } from './page-data'

interface Report {
  readonly origin: string
  readonly data: string
  tries: number
}

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const data = JSON.parse(element('data').textContent ?? '') as PageData
const frame = element<HTMLIFrameElement>('app')
const state = element('state')
const plain = element('plain')
const on = element('on')

const maxTries = 3
const retryMs = 1000
/** How many times the page polls for its confirmed result. A later result is sent only into the flow. */
const maxQuestions = 60
/** Milliseconds during which the visitor can read the last text. */
const readingMs = 1500

const waiting: Report[] = []
let sending = false
let started = false

/** Reports the waiting messages one after another, in order of arrival. */
async function report(): Promise<void> {
  if (sending) return
  sending = true
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (await isSent(next)) waiting.shift()
    else await new Promise((resolve) => window.setTimeout(resolve, retryMs))
  }
  sending = false
}

/** Sends a report. True if the report needs no further attempt: it has arrived, or this was the last attempt. */
async function isSent(one: Report): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ origin: one.origin, data: one.data })
  try {
    const { status } = await fetch(data.messages, { method: 'POST', headers, body, keepalive: true })
    // With 503, the message could not be stored, because the store is currently down.
    if (status !== 503) return true
  } catch {
    // The server could not be reached.
  }
  return ++one.tries > maxTries
}

function offerLink(text: string | undefined): void {
  state.textContent = text ?? ''
  plain.hidden = false
}

function begin(): void {
  if (started) return
  started = true
  if (state.textContent !== data.texts.outdated) {
    state.textContent = ''
    plain.hidden = true
  }
  frame.focus()
}

let asked = false

/**
 * Polls until the service has confirmed the app's report; then notifies the framing page and sends the visitor to the
 * next address.
 */
async function awaitEnd(): Promise<void> {
  if (asked) return
  asked = true
  for (let question = 0; question < maxQuestions; question++) {
    await new Promise((resolve) => window.setTimeout(resolve, retryMs))
    const answer = await fetch(data.end).catch(() => undefined)
    if (answer?.status === 410) break
    if (answer?.status === 200) return end((await answer.json()) as ConfirmedEnd)
  }
  // The visitor may try once more, so the script polls again after the next report.
  asked = false
}

function end({ notice, continueAt }: ConfirmedEnd): void {
  if (window.parent !== window) for (const origin of parentsToNotify()) window.parent.postMessage(notice, origin)
  if (continueAt === undefined) return
  const link = document.createElement('a')
  // If another page shows this page in a frame, the whole window continues, not only the frame.
  Object.assign(link, { href: continueAt, target: '_top', textContent: data.texts.continue })
  on.replaceChildren(link)
  on.hidden = false
  link.focus()
  window.setTimeout(() => link.click(), readingMs)
}

/**
 * Returns the origin of the framing page if the browser reveals it, otherwise all allowed origins without a wildcard.
 * Notifying only the framing page's origin avoids errors in the browser's log about other origins.
 */
function parentsToNotify(): readonly string[] {
  const allowed = data.parents.map((one) => (one === "'self'" ? location.origin : originOf(one)))
  const [first] = Array.from((location as { ancestorOrigins?: ArrayLike<string> }).ancestorOrigins ?? [])
  const around = first ?? (URL.canParse(document.referrer) ? originOf(document.referrer) : undefined)
  if (around === undefined) return allowed.filter((one) => !one.includes('*'))
  return allowed.some((one) => isWithin(around, one)) ? [around] : []
}

/** Whether an origin is allowed; an allowed origin may have a wildcard as its first part. */
function isWithin(origin: string, allowed: string): boolean {
  const [scheme = '', rest = ''] = allowed.split('://*')
  return origin === allowed || (rest !== '' && origin.startsWith(`${scheme}://`) && origin.endsWith(rest))
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}

function tell(type: unknown): void {
  const words = typeof type === 'string' && Object.hasOwn(data.ends, type) ? data.ends[type] : undefined
  if (type === 'app_started') return begin()
  if (type === 'outdated_browser') offerLink(data.texts.outdated)
  else if (words !== undefined) {
    state.textContent = words
    void awaitEnd()
  } else return
  started = true
}

function read(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

window.addEventListener('message', ({ origin, source, data: text }: MessageEvent<unknown>) => {
  if (!data.origins.includes(origin) || source !== frame.contentWindow) return
  if (typeof text !== 'string' || text.length > data.maxMessageLength) return
  const message = read(text)
  if (!message) return
  waiting.push({ origin, data: text, tries: 0 })
  void report()
  tell(data.session ? message.status : message.type)
})

frame.addEventListener('load', () => {
  if (data.session) begin()
  else frame.focus()
})
window.setTimeout(() => {
  if (!started) offerLink(data.texts.slow)
}, data.appTimeoutMs)
/**
 * Shows the app. An identification first binds the page to this browser. A frame of another site gets no cookies, so a
 * page in such a frame is bound to no browser.
 */
async function open(): Promise<void> {
  if (data.begin !== undefined && window.top === window) {
    const answer = await fetch(data.begin, { method: 'POST' }).catch(() => undefined)
    if (answer?.status === 403 || answer?.status === 410) return location.reload()
    if (!answer?.ok) return void window.setTimeout(() => void open(), retryMs)
  }
  frame.src = data.url
}

state.textContent = data.texts.opening ?? ''
void open()
