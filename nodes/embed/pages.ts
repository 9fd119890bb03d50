/** The pages that are live: in memory alone, so after a restart they are no longer valid. */
import { randomBytes } from 'node:crypto'
import type { FlowMessage } from '../../lib/runtime/node-red'
import type { Subject } from './confirm'
import type { Kind } from './origins'

export interface Page extends Subject {
  readonly kind: Kind
  readonly url: string
  /** Whose messages are believed. */
  readonly origins: readonly string[]
  /** A code such as `NO`; empty is the visitor's own. */
  readonly language: string
  /** What every message of the page carries. */
  readonly msg: FlowMessage
  /** Milliseconds since 1970. */
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

/** Beyond this the oldest pages are forgotten. */
const most = 10_000
/** Milliseconds between two looks for expired pages, and that a done page still takes messages. */
const sweep = 30_000

/** `changed` is called when pages have been forgotten. */
export function createPages(changed: () => void): Pages {
  const live = new Map<string, Page>()
  // Kept for the count alone: with thousands of pages, looking through all of them for every message takes seconds.
  const open = new Set<Page>()
  let timer: NodeJS.Timeout | undefined

  const forgetExpired = () => {
    const now = Date.now()
    for (const [token, page] of live) if (page.expires <= now) forget(token, page)
    if (live.size === 0) stop()
    changed()
  }
  const forget = (token: string, page: Page) => {
    live.delete(token)
    open.delete(page)
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
      const [oldest] = live
      if (live.size > most && oldest) forget(...oldest)
      timer ??= setInterval(forgetExpired, sweep).unref()
      return token
    },
    find(token) {
      const page = live.get(token)
      return page && page.expires > Date.now() ? page : undefined
    },
    finish(page) {
      page.done = true
      open.delete(page)
      page.expires = Math.min(page.expires, Date.now() + sweep)
    },
    count: () => open.size,
    close() {
      stop()
      live.clear()
      open.clear()
    },
  }
}
