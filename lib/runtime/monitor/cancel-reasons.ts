/**
 * The reasons that people have typed for canceling documents, from the press of the button until the waits have ended.
 * The service does not return them. Kept in memory only; the ended waits store them.
 */
import { setLatest } from '../../common/latest'

/** Maximum number of documents kept in memory; the oldest are dropped first. */
const maxDocuments = 1_000
const known = new Map<string, string>()

export function noteCancelReason(documentId: string, reason: string): void {
  if (reason !== '') setLatest(known, documentId, reason, maxDocuments)
}

/** The reason for which this document was canceled here; undefined if no one has typed one. */
export function cancelReason(documentId: string): string | undefined {
  return known.get(documentId)
}
