/** An error as lists show it. */
import type { ErrorCode, Outcome } from '../../api/errors/errors'
import type { Asked } from '../node-red/client-node'
import type { Said } from './error-sentence'
import type { ErrorSubject } from './occurrences'

/** One error. Times: milliseconds since 1970. */
export interface ErrorEntry {
  readonly id: string
  /** Identifies what the error is about in its node, as a hash, because a key may be personal. */
  readonly subject: string
  /** The subject of the message: the same as `subject`, unless something may have been done under a key. */
  readonly request: string
  /** When the error last occurred, and how often it has occurred since `since`. */
  readonly at: number
  readonly since: number
  readonly count: number
  readonly code: ErrorCode
  /** In Node-RED's own language. */
  readonly text: string
  /** The key and parameters of the sentence, for readers in another language. */
  readonly said?: Said
  /** Whether something may have been done; `not-done` for a call that only reads. */
  readonly outcome: Outcome
  /** The call, such as `POST /signature/documents/4711/cancel`. */
  readonly call?: string
  readonly status?: number
  readonly requestId?: string
  readonly about?: ErrorSubject
  /** The client and the service with which to look for the document. Set only if a document may have been created. */
  readonly asked?: Asked
  /** Set if the service was asked and has no such document: nothing was done. */
  readonly found?: 'absent'
  /** Set if a file could not be saved. */
  readonly isUnsaved?: true
  readonly node: FailedNode
}

/**
 * The failed node. The editor tries all ids in `places`, because it does not know the id of a node inside a subflow.
 */
export interface FailedNode {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly places: readonly string[]
}

/** True for a valid entry. Entries that were stored, or that another Node-RED reports, may be from another version. */
export function isErrorEntry(value: unknown): value is ErrorEntry {
  const { id, subject, at, text, node } = (value ?? {}) as Partial<ErrorEntry>
  const texts = [id, subject, text]
  return texts.every((one) => typeof one === 'string') && typeof at === 'number' && Array.isArray(node?.places)
}

/** Errors of one node with the same sentence, which lists show as one. */
export interface ErrorGroup {
  /** The latest of them. */
  readonly entry: ErrorEntry
  readonly ids: readonly string[]
  readonly since: number
  /** How often they occurred. */
  readonly count: number
  /** What they are about, the latest first. */
  readonly about: readonly ErrorSubject[]
}

/** Puts errors with the same sentence together. An error with a button of its own stays alone. */
export function groupErrors(entries: readonly ErrorEntry[]): ErrorGroup[] {
  const groups = new Map<string, ErrorEntry[]>()
  for (const entry of entries) {
    const { node, code, text, outcome, asked, isUnsaved } = entry
    const isAlone = outcome === 'unknown' || asked !== undefined || isUnsaved === true
    const name = isAlone ? entry.id : JSON.stringify([node.id, code, text])
    groups.set(name, [...(groups.get(name) ?? []), entry])
  }
  return [...groups.values()].flatMap(([entry, ...others]) => {
    if (!entry) return []
    const all = [entry, ...others]
    const since = Math.min(...all.map((one) => one.since))
    const count = all.reduce((sum, one) => sum + one.count, 0)
    return [{ entry, ids: all.map(({ id }) => id), since, count, about: all.flatMap(({ about }) => about ?? []) }]
  })
}

/** The number of names shown; no one reads more. */
const shownNames = 10

/** What the errors are about, by title or by id, unless the sentence says it. */
export function namesOf({ about }: Pick<ErrorGroup, 'about'>, sentence: string): string[] {
  const names = about.flatMap(({ title, externalId, documentId, shareId, depositId, sessionId }) => {
    const name = title ?? externalId ?? documentId ?? shareId ?? depositId ?? sessionId
    return name === undefined || sentence.includes(name) ? [] : [name]
  })
  return [...new Set(names)].slice(0, shownNames)
}
