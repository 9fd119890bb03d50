/**
 * The page's script, as it runs in the browser: checks who posts, reports every message in order, tells the visitor.
 */
import type { PageData } from './page-data'

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

const maxTries = 3
const retryMs = 1000

const waiting: Report[] = []
let sending = false
let started = false

/** One after another, as they came. */
async function report(): Promise<void> {
  if (sending) return
  sending = true
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (await isSent(next)) waiting.shift()
    else await new Promise((resolve) => window.setTimeout(resolve, retryMs))
  }
  sending = false
}

/** True also when it has been tried often enough. */
async function isSent(one: Report): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ origin: one.origin, data: one.data })
  try {
    const { status } = await fetch(data.messages, { method: 'POST', headers, body, keepalive: true })
    // It could not be kept: what is to keep it is away for the moment.
    if (status !== 503) return true
  } catch {
    // Nobody was there.
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

function tell(type: unknown): void {
  const end = typeof type === 'string' && Object.hasOwn(data.ends, type) ? data.ends[type] : undefined
  if (type === 'app_started') return begin()
  if (type === 'outdated_browser') offerLink(data.texts.outdated)
  else if (end !== undefined) state.textContent = end
  else return
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
state.textContent = data.texts.opening ?? ''
frame.src = data.url
