/**
 * The place where the reminders of each day are noted, so that no person gets two reminders a day. The nodes that wait,
 * the sidebar and the overview page look there before they send one; with a shared store, those of the other Node-REDs
 * do so too.
 */
import type { Store } from '../../store/store'

export type ReminderNotes = Pick<Store, 'add' | 'put' | 'get' | 'remove'>

/** The kind under which the notes are stored, in the part of the client's config node. */
export const reminderKind = 'reminders'

export interface ReminderSource {
  /** Runs `use` with the notes for the document of this wait; undefined if this source does not have the wait. */
  withNotes<T extends object>(wait: string, use: (notes: ReminderNotes) => Promise<T>): Promise<T | undefined>
}

const sources = new Set<ReminderSource>()

/** Adds a source; returns the function that removes it. */
export function registerReminders(source: ReminderSource): () => void {
  sources.add(source)
  return () => void sources.delete(source)
}

/**
 * Runs `use` with the notes for this wait, whichever source has it; undefined if the wait no longer exists. Rejects if
 * `use` rejects, or if no source has the wait and one of the sources can't be read at the moment.
 */
export async function withReminderNotes<T extends object>(
  wait: string,
  use: (notes: ReminderNotes) => Promise<T>,
): Promise<T | undefined> {
  let failure: unknown
  let isFound = false
  const useThem = (notes: ReminderNotes) => {
    isFound = true
    return use(notes)
  }
  for (const source of sources) {
    try {
      const result = await source.withNotes(wait, useThem)
      if (result) return result
    } catch (thrown) {
      if (isFound) throw thrown
      failure = thrown
    }
  }
  if (failure !== undefined) throw failure
  return undefined
}
