/**
 * Documents whose files the service has deleted, according to its events. In memory: the waits concerned are woken by
 * the event.
 */

/** At most this many are kept, the latest. */
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
