/** Reads from the service's list which documents have changed since a given time. */
import type { Answer } from '../../../lib/api/call/call'
import type { Query } from '../../../lib/api/operations/paths'
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { collectOffsetPages } from '../../../lib/runtime/service/offset-pages'
import { getPath } from '../../../lib/runtime/values/read-text'

/** The information that the service's list contains about a document. */
export interface ListedDocument {
  readonly id: string
  /** A mark of the document's state: a different value means that something has happened. */
  readonly mark: string
  readonly status: string | undefined
  /** How many signers have signed. */
  readonly signed: number | undefined
}

interface Changed {
  /** The changed documents; undefined if there are too many to follow, or if the list kept changing. */
  readonly documents: readonly ListedDocument[] | undefined
  /**
   * When the list was created, in milliseconds since 1970 by the service's clock; undefined if the response has no
   * time.
   */
  readonly at: number | undefined
}

/** The error for a list that can't be used. */
export class SenselessList extends Error {}

/** The maximum number of documents that the service returns at once. */
const pageSize = 100
/** If more documents than this have changed, the list is not read to its end, and each document is polled instead. */
const maxDocuments = 5_000
/**
 * Tolerance for the filter, in milliseconds. If an entry is older than the filter by more than this, the service has
 * ignored the filter. The value exceeds any difference between time zones.
 */
const toleranceMs = 26 * 3_600_000

/** Reads the documents that have changed since `from`. Rejects as the call does, or with a SenselessList. */
export async function changedSince(from: number, ask: (query: Query) => Promise<Answer>): Promise<Changed> {
  let at: number | undefined
  const { data, moved } = await collectOffsetPages({
    limit: maxDocuments,
    pageSize,
    idOf: (entry) => documentOf(entry, from).id,
    async ask(page) {
      const answer = await ask({ lastUpdated: new Date(from).toISOString(), ...page })
      at ??= dateOf(answer)
      if (!Array.isArray(getPath(answer.data, 'data'))) throw new SenselessList('no list')
      return answer
    },
  })
  const isWhole = !moved && data.length < maxDocuments
  return { documents: isWhole ? data.map((entry) => documentOf(entry, from)) : undefined, at }
}

function documentOf(entry: unknown, from: number): ListedDocument {
  if (!isPlainObject(entry) || typeof entry.documentId !== 'string') throw new SenselessList('no documents')
  const { documentId: id, lastUpdated, currentSignatures: signed } = entry
  const updated = typeof lastUpdated === 'string' ? Date.parse(lastUpdated) : NaN
  if (updated < from - toleranceMs) throw new SenselessList('not filtered')
  const status = statusOf(entry)
  // A service may give the time in whole seconds, in which a document can be viewed and then signed.
  const mark = JSON.stringify(typeof lastUpdated === 'string' ? [lastUpdated, status, signed] : entry)
  return { id, mark, status, signed: typeof signed === 'number' ? signed : undefined }
}

/** Returns the status. In a list, the status is either a word or an object that contains the word. */
function statusOf({ status }: PlainObject): string | undefined {
  const word = isPlainObject(status) ? status.documentStatus : status
  return typeof word === 'string' ? word : undefined
}

function dateOf({ headers }: Answer): number | undefined {
  const date = Date.parse(String(headers.date ?? ''))
  return Number.isNaN(date) ? undefined : date
}
