/**
 * Documents whose files the service has deleted, as its events say. In memory: those that need to know are woken by the
 * event.
 */

/** So many are remembered; of more, the latest. */
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
