/** The errors of a list: which of its rows have one, by which name people find the row, and why it failed. */
import { maskKey } from '../../../lib/api/errors/mask'
import type { FailedRow } from '../../../lib/runtime/monitor/batches'
import type { OccurredError } from '../../../lib/runtime/monitor/occurrences'
import type { RowError } from '../../../lib/runtime/monitor/row-owners'
import { countsAsFailed, hasEnded, stateOf, type Row } from './row'
import { rowPlaceOf, shownNumber, type Listed } from './rows'

/** The number of rows that lists show; the report of the list contains all of them. */
const maxFailedRows = 100
/** The number of errors that a row keeps: one for each node in which its message failed. */
const maxErrors = 5

/** Adds an error to the row, in place of an earlier one of the same node. */
export function addError(row: Row, error: RowError): void {
  const others = (row.errors ?? []).filter(({ node }) => node.id !== error.node.id)
  row.errors = [...others, error].slice(-maxErrors)
}

/** Removes the errors that `isOver` names; those that stay although the row is done leave only by their own node. */
function removeErrors(row: Row, isOver: (error: RowError) => boolean): boolean {
  const left = row.errors?.filter((one) => !isOver(one))
  if (left?.length === row.errors?.length) return false
  row.errors = left?.length === 0 ? undefined : left
  return true
}

/** Called when the row's message has passed this node. False if that changes nothing. */
export function nodePassed(row: Row, nodeId: string): boolean {
  return removeErrors(row, ({ node, outcome }) => node.id === nodeId && outcome !== 'unknown')
}

/** Called when the row is about to be sent again: what failed before is no longer its state. */
export function sentAgain(row: Row): void {
  removeErrors(row, ({ isLasting }) => !isLasting)
}

/**
 * Called when the row has come back well. Its message got round the nodes `failedIn`; what failed in another branch of
 * the flow is not answered by this. If it is unknown where the message failed, every error is over.
 */
export function cameBackWell(row: Row, failedIn: readonly string[] | undefined): void {
  removeErrors(row, ({ isLasting, node }) => !isLasting && failedIn?.includes(node.id) !== false)
}

/** The first rows that have an error, also while their messages are in the flow. */
export function failedRowsOf(listed: Listed): FailedRow[] {
  const found: FailedRow[] = []
  for (const row of listed.rows.all) {
    if (found.length === maxFailedRows) break
    const last = row.errors?.at(-1)
    // A row that is done and has changed since is counted apart.
    const isOver = countsAsFailed(row) && row.phase !== 'done'
    if (row.past !== undefined || (!last && !isOver)) continue
    const text = (isOver ? row.result?.problem : undefined) ?? last?.text ?? ''
    const title = row.errors?.findLast(({ about }) => about.title !== undefined)?.about.title
    const unsaved = row.errors?.findLast((one) => one.isUnsaved)
    found.push({
      row: shownNumber(rowPlaceOf(listed, row)),
      // A row without a key is called by its number, such as `3`, or `3 (2)` if another row was number 3 before it.
      key: /^\d+ \(\d+\)$/.test(row.key) ? '' : row.key,
      ...(title !== undefined && { title }),
      state: isOver ? (stateOf(row) === 'look first' ? 'look first' : 'failed') : hasEnded(row) ? 'done' : 'out',
      text,
      ...(unsaved && { unsaved: { subject: unsaved.subject, node: unsaved.node.id } }),
      ...(last && text.startsWith(last.reason) && { problem: problemOf(last) }),
    })
  }
  return found
}

const problemOf = ({ code, text, said, node }: RowError) => ({ code, text, said, node })

/** The row as text without personal data, for alerts: its number, its key and its title. */
export function labelOf({ row, key, title }: FailedRow): string {
  const shown = maskKey(key).replace(/…/g, '').trim()
  const name = shown === '' || shown === String(row) ? String(row) : `${row} (${shown})`
  return title === undefined ? name : `${name}: ${title}`
}

/**
 * The error with which all failed rows of the list ended. Undefined if they failed with different errors, or with one
 * that none of our nodes has reported: the text of such an error may contain personal data.
 */
export function sharedReason(rows: readonly Row[]): OccurredError | undefined {
  const failures = rows.filter(countsAsFailed)
  const [problem, ...others] = new Set(failures.map(({ result }) => result?.problem))
  if (others.length > 0) return undefined
  return failures.flatMap(({ errors = [] }) => errors).find(({ text }) => text === problem)
}
