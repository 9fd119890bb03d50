/**
 * The signers' answers to questions before signing, as delivered by events. In memory only, because they are personal:
 * they don't survive a restart. They are added to the message of their document.
 */
import { setLatest } from '../../common/latest'
import { isPlainObject, type PlainObject } from '../../common/plain-object'

/** The answers of at most this many documents are remembered; the oldest are dropped first. */
const maxDocuments = 2_000
const known = new Map<string, PlainObject>()

/** Stores the answers from an event about a document; later ones override earlier ones. */
export function noteAnswers(documentId: string, formFields: unknown): void {
  if (!isPlainObject(formFields)) return
  const answers = { ...known.get(documentId), ...formFields }
  setLatest(known, documentId, answers, maxDocuments)
}

/** The answers received through events, by the keys of the questions. */
export function notedAnswers(documentId: string): PlainObject | undefined {
  return known.get(documentId)
}
