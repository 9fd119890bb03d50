/** Reads from the service's list which documents have changed since a given time. */
import type { Answer } from '../../../lib/api/call/call'
import type { Query } from '../../../lib/api/operations/paths'
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { collectOffsetPages } from '../../../lib/runtime/service/offset-pages'
import { getPath } from '../../../lib/runtime/values/read-text'

/** A list's information about a document. */
export interface ListedDocument {
  readonly id: string
  /** A different value means that something has happened. */
  readonly mark: string
  readonly status: string | undefined
  /** How many have signed. */
  readonly signed: number | undefined
}

export interface Changed {
  /** Undefined if there are too many to follow. */
  readonly documents: readonly ListedDocument[] | undefined
  /** When the list was created, by the service's clock if given; milliseconds since 1970. */
  readonly at: number | undefined
}

/** The list is not usable. */
export class SenselessList extends Error {}

/** The service returns at most this many at once. */
const pageSize = 100
/** Above this number, each document is polled instead. */
const maxDocuments = 5_000
/** An entry older than the filter by more than any time zone shows that the list ignores the filter. */
const toleranceMs = 26 * 3_600_000

/** Rejects as the call does, or with a SenselessList. */
export async function changedSince(from: number, ask: (query: Query) => Promise<Answer>): Promise<Changed> {
  let at: number | undefined
  const { data } = await collectOffsetPages({
    ...{ limit: maxDocuments, pageSize },
    idOf: (entry) => documentOf(entry, from).id,
    async ask(page) {
      const answer = await ask({ lastUpdated: new Date(from).toISOString(), ...page })
      at ??= dateOf(answer)
      if (!Array.isArray(getPath(answer.data, 'data'))) throw new SenselessList('no list')
      return answer
    },
  })
  return { documents: data.length < maxDocuments ? data.map((entry) => documentOf(entry, from)) : undefined, at }
}

function documentOf(entry: unknown, from: number): ListedDocument {
  if (!isPlainObject(entry) || typeof entry.documentId !== 'string') throw new SenselessList('no documents')
  const { documentId: id, lastUpdated, currentSignatures: signed } = entry
  const updated = typeof lastUpdated === 'string' ? Date.parse(lastUpdated) : NaN
  if (updated < from - toleranceMs) throw new SenselessList('not filtered')
  const mark = typeof lastUpdated === 'string' ? lastUpdated : JSON.stringify(entry)
  return { id, mark, status: statusOf(entry), signed: typeof signed === 'number' ? signed : undefined }
}

/** Lists give the status as a word, or as an object that contains it. */
function statusOf({ status }: PlainObject): string | undefined {
  const word = isPlainObject(status) ? status.documentStatus : status
  return typeof word === 'string' ? word : undefined
}

function dateOf({ headers }: Answer): number | undefined {
  const date = Date.parse(String(headers.date ?? ''))
  return Number.isNaN(date) ? undefined : date
}
