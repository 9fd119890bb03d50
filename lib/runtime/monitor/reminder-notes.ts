/**
 * The reminders of each day are noted here, so that no person gets two reminders a day. The nodes that wait, the
 * sidebar and the overview page look for a note before they send a reminder. With a shared store, the other Node-REDs
 * use the same notes.
 */
import type { Store } from '../../store/store'
import { hosted, type HostOwner } from '../node-red/host'

export type ReminderNotes = Pick<Store, 'add' | 'put' | 'get' | 'remove'>

/**
 * The kind of item as which the notes are stored. They belong to the client's config node, not to the node that waits.
 */
export const reminderKind = 'reminders'

export interface ReminderSource {
  /**
   * Runs `use` with the notes about the document of this wait. Resolves with undefined if this source does not have the
   * wait.
   */
  withNotes<T extends object>(wait: string, use: (notes: ReminderNotes) => Promise<T>): Promise<T | undefined>
}

const createSources = () => new Set<ReminderSource>()

/** Adds a source; returns the function that removes it. */
export function registerReminders(RED: HostOwner, source: ReminderSource): () => void {
  const sources = hosted(RED, createSources)
  sources.add(source)
  return () => void sources.delete(source)
}

/**
 * Runs `use` with the notes about the document of this wait, from the source that has the wait. Resolves with undefined
 * if the wait no longer exists. Rejects if `use` rejects, or if no source has the wait and one of the sources can't be
 * read at the moment.
 */
export async function withReminderNotes<T extends object>(
  RED: HostOwner,
  wait: string,
  use: (notes: ReminderNotes) => Promise<T>,
): Promise<T | undefined> {
  let failure: unknown
  let isFound = false
  const useThem = (notes: ReminderNotes) => {
    isFound = true
    return use(notes)
  }
  for (const source of hosted(RED, createSources)) {
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
