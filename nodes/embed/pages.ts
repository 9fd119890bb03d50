/** Stores the pages that can be opened, also across restarts; their number and total size are limited. */
import { createHash, randomBytes } from 'node:crypto'
import { setLatest } from '../../lib/common/latest'
import { isPlainObject } from '../../lib/common/plain-object'
import { systemClock } from '../../lib/store/clock'
import type { Store } from '../../lib/store/store'
import type { ConfirmedSubject } from './confirmation'
import type { PageKind } from './origins'

/** The stored data of a page. */
export interface Page extends ConfirmedSubject {
  readonly kind: PageKind
  readonly url: string
  /** The origins whose messages are accepted. */
  readonly origins: readonly string[]
  /** A language code such as `NO`; if empty, the page is in the language of the visitor's browser. */
  readonly language: string
  /** The message that requested the page, as returned by `serializeMessage`. Every message of the page includes it. */
  readonly message: Readonly<Record<string, unknown>>
  /** Whether the service has confirmed the page's result. */
  readonly done: boolean
  /** The type of the final web message, once the page is done. */
  readonly end?: string
  /** The address to which the visitor continues once the page is done. */
  readonly continueAt?: string
  /** The hash of the cookie of the browser in which an identification was begun. */
  readonly browser?: string
}

/** A page that was found by its token. */
export interface FoundPage {
  readonly id: string
  readonly page: Page
}

export interface Pages {
  /** Adds a page with this lifetime; returns its token. Rejects if there is no room. */
  add(page: Page, lifetimeMs: number): Promise<string>
  find(token: string): Promise<FoundPage | undefined>
  /** Gives the page to the browser in which it was opened; returns the browser's cookie. */
  bind(found: FoundPage): Promise<string>
  /** Whether the service has already confirmed the page's result; false if the page no longer exists. */
  isDone(id: string): Promise<boolean>
  /** Marks the page as done with this web message; for a short time, it still accepts further messages of the app. */
  finish(found: FoundPage, end: string): Promise<void>
  /** Returns how many messages this page has reported, including this one. */
  report(id: string): Promise<number>
  /** Whether this is the first report of this result. */
  isFirst(id: string, end: string): Promise<boolean>
  /** Returns the number of pages that are not done. */
  count(): Promise<number>
  close(): Promise<void>
}

/** Above these limits, the oldest pages are dropped. */
export const limits = { maxItems: 10_000, maxBytes: 64 * 1024 * 1024 } as const

/**
 * Maximum number of pages whose messages are counted in memory, and milliseconds for which counts in the store are
 * kept.
 */
const maxCounted = 10_000
const keepCountMs = 86_400_000

/** Milliseconds for which a page that is done still accepts messages. */
const doneMs = 30_000

/**
 * Opens the pages in `store`. `shared` is the store in which several Node-REDs count together; if absent, this Node-RED
 * counts in memory.
 */
export function createPages(store: Store, shared?: Store): Pages {
  const countHere = createCounter()
  /** Timers of pages that were just done and are still available. */
  const done = new Map<string, NodeJS.Timeout>()
  const read = async (id: string) => {
    const { body } = (await store.get(id)) ?? {}
    return isPage(body) ? body : undefined
  }
  return {
    async add(page, keepMs) {
      const token = randomBytes(32).toString('base64url')
      await store.put(idOf(token), { body: page, summary: { until: systemClock.epochNow() + keepMs }, keepMs })
      return token
    },
    async find(token) {
      const id = idOf(token)
      const page = await read(id)
      return page && { id, page }
    },
    async bind({ id, page }) {
      const cookie = randomBytes(32).toString('base64url')
      const until = Number(((await store.get(id))?.summary as { until?: unknown } | undefined)?.until)
      const keepMs = Math.max(doneMs, until - systemClock.epochNow())
      await store.put(id, { body: { ...page, browser: hashOf(cookie) }, summary: { until }, keepMs })
      return cookie
    },
    isDone: async (id) => (await read(id))?.done ?? false,
    async finish({ id, page }, end) {
      if (done.has(id)) return
      done.set(id, setTimeout(() => done.delete(id), doneMs).unref())
      await store.put(id, { body: { ...page, done: true, end }, keepMs: doneMs })
    },
    report: async (id) => (shared ? shared.increment(id, keepCountMs) : countHere(id)),
    isFirst: async (id, end) => !shared || shared.add(`${id}/${end}`, { keepMs: keepCountMs }),
    count: async () => Math.max(0, (await store.count()) - done.size),
    async close() {
      for (const timer of done.values()) clearTimeout(timer)
      await Promise.all([store.close(), shared?.close()])
    },
  }
}

/**
 * Returns a function that counts the reports of each page. If there are very many pages, it counts only the reports of
 * the latest pages.
 */
function createCounter(): (id: string) => number {
  const counts = new Map<string, number>()
  return (id) => {
    const count = (counts.get(id) ?? 0) + 1
    setLatest(counts, id, count, maxCounted)
    return count
  }
}

/**
 * Derives the id of a page from its token. The token itself is not stored, so that a person who can read the store
 * can't open a page.
 */
function idOf(token: string): string {
  return `p${hashOf(token).slice(0, 40)}`
}

/** A secret of a visitor as it is stored and compared. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether a stored body is a page. */
export function isPage(body: unknown): body is Page {
  if (!isPlainObject(body) || !isPlainObject(body.message) || !Array.isArray(body.origins)) return false
  return (body.kind === 'document' || body.kind === 'session') && typeof body.url === 'string'
}
