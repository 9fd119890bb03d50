/** A row that comes back with an error when its list has been reported as done: a second branch of the flow was still running. */
import type { Store } from '../../../lib/store/store'
import type { TellRow } from '../rows/merge-list'
import type { RowEnd } from '../rows/row'
import { Rows } from '../rows/rows'
import { partlyFailed, type Failure } from '../rows/verdict'
import type { SentRow } from '../rows/returning-row'
import { isOfAnother } from './batch-state'
import { findHead, keepEnds, loadStates } from './storage'

interface Ended extends SentRow {
  readonly end: RowEnd
}

export interface LateOptions {
  readonly store: Store
  readonly translate: TellRow
  /** `row` is its number, from 1. */
  failedLate(list: string, row: number, problem: string): void
}

/** False when it is no row of a list that has ended; the next time that the list is sent it is one to look at first. */
export async function endLate({ store, translate, failedLate }: LateOptions, ended: Ended): Promise<boolean> {
  const { id, key, sent, run, end } = ended
  const head = await findHead(store, id)
  if (head?.stage !== 'ended' || !end.failed || isOfAnother(head, run)) return false
  const rows = new Rows(await loadStates(store, head, translate('rows.lostState')))
  const row = rows.find(key)
  if (!row || row.phase !== 'done' || (sent ?? row.sent) !== row.sent) return row !== undefined
  const { result }: Failure = partlyFailed(end, translate)
  rows.end(row, { ...end, result }, 1)
  await keepEnds(store, head, rows.all)
  failedLate(id, rows.indexOf(row) + 1, result.problem ?? '')
  return true
}
