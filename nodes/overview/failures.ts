/**
 * Combines each wait that ended badly with the error that reported it, so that the page shows both in one row, with the
 * reason.
 */
import type { ErrorEntry } from '../../lib/runtime/monitor/error-log'
import { sentenceOf } from '../../lib/runtime/monitor/error-sentence'
import { translateInto } from '../../lib/runtime/node-red/texts'
import type { EndedItem } from '../../lib/runtime/monitor/ended'

export interface Failures {
  /**
   * Errors that the page shows in rows of their own, because they also occurred for something other than the end of a
   * listed wait.
   */
  readonly others: readonly ErrorEntry[]
  /** Why a wait ended, as a sentence; undefined if no error reported it. */
  reasonOf(item: EndedItem): string | undefined
}

export function sortFailures(errors: readonly ErrorEntry[], ended: readonly EndedItem[], language: string): Failures {
  const listed = new Set(ended.map(({ wait }) => wait))
  const byWait = new Map(errors.flatMap((entry) => (entry.waits ?? []).map((wait) => [wait, entry] as const)))
  return {
    // A listed wait accounts for one occurrence of an error. The remaining occurrences have another reason, or belong
    // to a wait that is no longer listed.
    others: errors.filter(({ waits = [], count }) => waits.filter((wait) => listed.has(wait)).length < count),
    reasonOf({ wait }) {
      const entry = byWait.get(wait)
      return entry && errorSentence(entry, language)
    },
  }
}

export function errorSentence(entry: ErrorEntry, language: string): string {
  return sentenceOf(entry, translateInto(language, entry.node.type.replace(/^eid-/, '')))
}
