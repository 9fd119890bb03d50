/** Handles a row that returns with an error after its list was reported as done, from a second branch of the flow. */
import type { Store } from '../../../lib/store/store'
import type { Translate } from '../../../lib/api/errors/texts'
import type { RowEnd } from '../rows/row'
import { Rows } from '../rows/rows'
import { partlyFailed, type Failure } from '../rows/verdict'
import type { SentRow } from '../rows/returning-row'
import { isOfAnother } from './batch-state'
import { findHead, keepEnds, loadStates } from './storage'

/** A row of a list, by its number (from 1) and its key. */
export interface RowPlace {
  readonly id: string
  readonly row: number
  readonly key: string
}

interface Ended extends SentRow {
  readonly end: RowEnd
}

export interface LateOptions {
  readonly store: Store
  readonly translate: Translate
  failedLate(row: RowPlace, problem: string): void
}

/** False if it is not a row of an ended list. When the list is sent again, the row is listed as *look first*. */
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
  failedLate({ id, row: rows.indexOf(row) + 1, key: row.alias || row.key }, end.result.problem ?? '')
  return true
}
