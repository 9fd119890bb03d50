/**
 * Documents whose files the service has deleted, according to its events. Kept in memory only: the same event wakes the
 * waits for the document, and these look here at once.
 */

/** The maximum number of documents kept; the oldest are dropped first. */
const maxDocuments = 20_000
const deleted = new Set<string>()

export function noteDeleted(documentId: string): void {
  deleted.add(documentId)
  const [oldest] = deleted
  if (deleted.size > maxDocuments && oldest !== undefined) deleted.delete(oldest)
}

export function isNotedDeleted(documentId: string): boolean {
  return deleted.has(documentId)
}
