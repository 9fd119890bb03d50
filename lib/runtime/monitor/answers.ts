/**
 * The signers' answers to questions before signing, as delivered by events. They are added to the message that waits
 * for the document. They are kept in memory only, because they are personal data. A restart therefore loses them.
 */
import { setLatest } from '../../common/latest'
import { isPlainObject, type PlainObject } from '../../common/plain-object'

/** The answers of at most this many documents are remembered; the oldest are dropped first. */
const maxDocuments = 2_000
const known = new Map<string, PlainObject>()

/** Stores the answers from an event about a document; later answers override earlier answers to the same questions. */
export function noteAnswers(documentId: string, formFields: unknown): void {
  if (!isPlainObject(formFields)) return
  const answers = { ...known.get(documentId), ...formFields }
  setLatest(known, documentId, answers, maxDocuments)
}

/** The answers received through events, keyed by question; undefined if there are no answers. */
export function notedAnswers(documentId: string): PlainObject | undefined {
  return known.get(documentId)
}
