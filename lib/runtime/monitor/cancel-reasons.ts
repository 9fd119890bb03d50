/**
 * The reasons that people have typed for canceling documents, from the press of the button until the waits have ended.
 * The service does not return them. Kept in memory only; the ended waits store them.
 */
import { setLatest } from '../../common/latest'

/** An attempt to cancel a document: an object of its own, because two attempts may have the same reason. */
interface Attempt {
  readonly reason: string
}

/** Maximum number of documents kept in memory; the oldest are dropped first. */
const maxDocuments = 1_000
/** Maximum number of attempts kept for each of them. */
const maxAttempts = 20
const known = new Map<string, readonly Attempt[]>()

const attemptsFor = (documentId: string) => known.get(documentId) ?? []

/** Notes an attempt to cancel; the reason may be empty. Returns the function that takes the note back. */
export function noteCancelReason(documentId: string, reason: string): () => void {
  const attempt: Attempt = { reason }
  set(documentId, [...attemptsFor(documentId), attempt].slice(-maxAttempts))
  return () =>
    set(
      documentId,
      attemptsFor(documentId).filter((one) => one !== attempt),
    )
}

function set(documentId: string, attempts: readonly Attempt[]): void {
  if (attempts.length === 0) known.delete(documentId)
  else setLatest(known, documentId, attempts, maxDocuments)
}

/**
 * The reason of the latest attempt to cancel this document here; undefined if no one has tried, or has typed no reason.
 */
export function cancelReason(documentId: string): string | undefined {
  return attemptsFor(documentId).at(-1)?.reason || undefined
}
