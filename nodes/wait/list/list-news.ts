/** Determines what the latest list shows that previous lists did not. */
import type { Details } from '../details'
import type { ListedDocument } from './changed-documents'

interface ListNews {
  /** Returns the ids of the documents that differ from the list that was noted last. */
  take(documents: readonly ListedDocument[]): string[]
  /** Notes the list, once the waits for its news have been woken. */
  note(documents: readonly ListedDocument[]): void
  /** Whether the list has woken the waits for this document, but shows nothing new about it. True only once. */
  takeKnown(id: string, details: Details | undefined): boolean
  /**
   * Forgets what the list showed about these documents. Events have also woken their waits, so the list may show an
   * older state.
   */
  forget(ids: readonly string[]): void
}

/** Creates an empty record of lists. If `remembers` is false, `takeKnown` always returns false. */
export function createListNews(remembers: boolean): ListNews {
  const marks = new Map<string, string>()
  /** Documents whose waits were woken by the list and have not been polled since. */
  const changed = new Map<string, ListedDocument>()
  return {
    take(documents) {
      const news = documents.filter(({ id, mark }) => marks.get(id) !== mark)
      changed.clear()
      if (remembers) for (const one of news) changed.set(one.id, one)
      return news.map(({ id }) => id)
    },
    note(documents) {
      marks.clear()
      for (const { id, mark } of documents) marks.set(id, mark)
    },
    takeKnown(id, details) {
      const seen = changed.get(id)
      changed.delete(id)
      if (!seen || details?.signed === undefined) return false
      return seen.status === details.status && seen.signed === details.signed
    },
    forget(ids) {
      for (const id of ids) changed.delete(id)
    },
  }
}
