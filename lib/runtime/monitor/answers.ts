/**
 * The signers' answers to questions before signing, as delivered by events. They are added to the message that waits
 * for the document. They are kept in memory only, because they are personal data. A restart therefore loses them.
 */
import { setLatest } from '../../common/latest'
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import { hosted, type HostOwner } from '../node-red/host'

/** The answers of at most this many documents are remembered; the oldest are dropped first. */
const maxDocuments = 2_000
const createKnown = () => new Map<string, PlainObject>()

/** Stores the answers from an event about a document; later answers override earlier answers to the same questions. */
export function noteAnswers(RED: HostOwner, documentId: string, formFields: unknown): void {
  const known = hosted(RED, createKnown)
  if (!isPlainObject(formFields)) return
  const answers = { ...known.get(documentId), ...formFields }
  setLatest(known, documentId, answers, maxDocuments)
}

/** The answers received through events, keyed by question; undefined if there are no answers. */
export function notedAnswers(RED: HostOwner, documentId: string): PlainObject | undefined {
  return hosted(RED, createKnown).get(documentId)
}
