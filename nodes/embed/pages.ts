/** The pages that are live: bounded by their number and by what they hold. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/runtime/clock'
import type { Subject } from './confirmation'
import type { Kind } from './origins'

export interface Page extends Subject {
  readonly kind: Kind
  readonly url: string
  /** Whose messages are believed. */
  readonly origins: readonly string[]
  /** A code such as `NO`; empty is the visitor's own. */
  readonly language: string
  /** What every message of the page carries, as JSON. */
  readonly message: Buffer
  /** By the clock that never jumps. */
  expires: number
  /** How many messages have come. */
  messages: number
  /** The service has confirmed the end. */
  done: boolean
}

export interface Pages {
  /** Makes a page live; gives its token. */
  add(page: Page): string
  find(token: string): Page | undefined
  /** The page is done: what the app still has to say is let in for a moment. */
  finish(page: Page): void
  count(): number
  close(): void
}

export interface PagesOptions {
  readonly clock: Clock
  /** Called when pages have been forgotten in their time. */
  changed(): void
  /** Called when a page was forgotten before its time, to make room. */
  crowded(): void
}

/** Beyond these the oldest pages are forgotten. */
const maxPages = 10_000
const maxBytes = 64 * 1024 * 1024
/** Between two looks for expired pages, and how long a done page still takes messages. */
const sweepMs = 30_000

export function createPages({ clock, changed, crowded }: PagesOptions): Pages {
  const live = new Map<string, Page>()
  // Kept for the count alone: with thousands of pages, looking through all of them for every message takes seconds.
  const open = new Set<Page>()
  let bytes = 0
  let timer: NodeJS.Timeout | undefined

  const forgetExpired = () => {
    const now = clock.now()
    for (const [token, page] of live) if (page.expires <= now) forget(token, page)
    if (live.size === 0) stop()
    changed()
  }
  const forget = (token: string, page: Page) => {
    live.delete(token)
    open.delete(page)
    bytes -= page.message.length
  }
  const makeRoom = () => {
    for (const [token, page] of live) {
      if (live.size <= maxPages && bytes <= maxBytes) return
      forget(token, page)
      if (!page.done) crowded()
    }
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    add(page) {
      const token = randomBytes(32).toString('base64url')
      live.set(token, page)
      open.add(page)
      bytes += page.message.length
      makeRoom()
      timer ??= setInterval(forgetExpired, sweepMs).unref()
      return token
    },
    find(token) {
      const page = live.get(token)
      return page && page.expires > clock.now() ? page : undefined
    },
    finish(page) {
      page.done = true
      open.delete(page)
      page.expires = Math.min(page.expires, clock.now() + sweepMs)
    },
    count: () => open.size,
    close() {
      stop()
      live.clear()
      open.clear()
      bytes = 0
    },
  }
}
