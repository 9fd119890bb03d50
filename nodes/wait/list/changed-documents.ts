/** Asks the service's list of documents which have changed since a moment. */
import type { Answer } from '../../../lib/api/call/call'
import type { Query } from '../../../lib/api/operations/paths'
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { getPath } from '../../../lib/runtime/values/read-text'

/** What a list tells of a document. */
export interface ListedDocument {
  readonly id: string
  /** Another one than before means that something has happened. */
  readonly mark: string
  readonly status: string | undefined
  /** How many have signed. */
  readonly signed: number | undefined
}

export interface Changed {
  /** Undefined when there are more than it is worth following. */
  readonly documents: readonly ListedDocument[] | undefined
  /** When the list was made, by the service's clock where it tells; milliseconds since 1970. */
  readonly at: number | undefined
}

/** The list makes no sense: nothing can rest on it. */
export class SenselessList extends Error {}

/** The service gives at the most this many at once. */
const pageSize = 100
const maxPages = 50
/** What is older than asked for by more than any time zone shows that the list does not know the filter. */
const toleranceMs = 26 * 3_600_000

/** Rejects with what the call rejects with, or with a SenselessList. */
export async function changedSince(from: number, ask: (query: Query) => Promise<Answer>): Promise<Changed> {
  const documents = new Map<string, ListedDocument>()
  let at: number | undefined
  for (let page = 0; page < maxPages; page++) {
    const offset = page * pageSize
    const answer = await ask({ lastUpdated: new Date(from).toISOString(), offset, limit: pageSize })
    at ??= dateOf(answer)
    const entries = entriesOf(answer.data)
    const before = documents.size
    for (const entry of entries) {
      const one = documentOf(entry, from)
      documents.set(one.id, one)
    }
    // Nothing new on a page: the end, or a list that doesn't know of pages.
    if (documents.size === before || !hasNext(answer.data, entries.length))
      return { documents: [...documents.values()], at }
  }
  return { documents: undefined, at }
}

function entriesOf(data: unknown): unknown[] {
  const entries = getPath(data, 'data')
  if (!Array.isArray(entries)) throw new SenselessList('no list')
  return entries
}

function documentOf(entry: unknown, from: number): ListedDocument {
  if (!isPlainObject(entry) || typeof entry.documentId !== 'string') throw new SenselessList('no documents')
  const { documentId: id, lastUpdated, currentSignatures: signed } = entry
  const updated = typeof lastUpdated === 'string' ? Date.parse(lastUpdated) : NaN
  if (updated < from - toleranceMs) throw new SenselessList('not filtered')
  const mark = typeof lastUpdated === 'string' ? lastUpdated : JSON.stringify(entry)
  return { id, mark, status: statusOf(entry), signed: typeof signed === 'number' ? signed : undefined }
}

/** Lists have the status as a word or as the object that has it. */
function statusOf({ status }: PlainObject): string | undefined {
  const word = isPlainObject(status) ? status.documentStatus : status
  return typeof word === 'string' ? word : undefined
}

/** Its links say whether there is a next page; without them a full page means that there may be one. */
function hasNext(data: unknown, count: number): boolean {
  const links = getPath(data, 'links')
  return isPlainObject(links) ? Boolean(links.next) : count >= pageSize
}

function dateOf({ headers }: Answer): number | undefined {
  const date = Date.parse(String(headers.date ?? ''))
  return Number.isNaN(date) ? undefined : date
}
