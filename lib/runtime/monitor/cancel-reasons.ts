/**
 * The reasons that people have typed for canceling documents, from the press of the button until the waits have ended.
 * The service does not return them. Kept in memory only; the ended waits store them.
 */
import { setLatest } from '../../common/latest'

/** Maximum number of documents kept in memory; the oldest are dropped first. */
const maxDocuments = 1_000
const known = new Map<string, string>()

/** Notes the reason of the latest attempt; it may be empty. Returns the function that takes the note back. */
export function noteCancelReason(documentId: string, reason: string): () => void {
  const earlier = cancelReason(documentId) ?? ''
  set(documentId, reason)
  return () => {
    // Another press may have noted its own reason meanwhile.
    if ((cancelReason(documentId) ?? '') === reason) set(documentId, earlier)
  }
}

function set(documentId: string, reason: string): void {
  if (reason === '') known.delete(documentId)
  else setLatest(known, documentId, reason, maxDocuments)
}

/** The reason for which this document was canceled here; undefined if no one has typed one. */
export function cancelReason(documentId: string): string | undefined {
  return known.get(documentId)
}
