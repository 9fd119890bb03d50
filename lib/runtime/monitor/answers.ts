/**
 * What signers have filled in before signing, as events bring it. In memory only, for it is about people: it outlives
 * no restart, and is added to the message of its document.
 */
import { setLatest } from '../../common/latest'
import { isPlainObject, type PlainObject } from '../../common/plain-object'

/** The answers of at most this many documents are remembered; the oldest are dropped first. */
const maxDocuments = 2_000
const known = new Map<string, PlainObject>()

/** Remembers the answers of an event about a document; later ones override earlier ones. */
export function noteAnswers(documentId: string, formFields: unknown): void {
  if (!isPlainObject(formFields)) return
  const answers = { ...known.get(documentId), ...formFields }
  setLatest(known, documentId, answers, maxDocuments)
}

/** The answers that events have brought, by the keys of the questions. */
export function notedAnswers(documentId: string): PlainObject | undefined {
  return known.get(documentId)
}
