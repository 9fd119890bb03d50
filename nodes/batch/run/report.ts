/** Builds the report of a batch: every row with its result, as objects for a flow or as CSV for a spreadsheet. */
import type { Translate } from '../../../lib/api/errors/texts'
import { encodeText } from '../../../lib/runtime/files/encode-text'
import { columnName } from '../../../lib/runtime/files/column-name'
import { guardFormula } from '../../../lib/runtime/files/formula-cells'
import { createYielder } from '../../../lib/common/event-loop'
import { createFreeNames } from '../../../lib/common/free-name'
import { isPlainObject } from '../../../lib/common/plain-object'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Batch } from './batch-state'
import { externalIdOf, stateOf, type Row } from '../rows/row'
import { rowPlaceOf, type RowPlace } from '../rows/rows'

interface ReportRow {
  readonly row: number
  /** The number that a spreadsheet shows beside the row in the file of the list. */
  readonly fileRow?: number
  readonly key: string
  readonly state: ReturnType<typeof stateOf>
  readonly externalId: string
  readonly documentId?: string
  readonly shareId?: string
  readonly depositId?: string
  readonly sessionId?: string
  readonly code?: string
  readonly outcome?: string
  readonly problem?: string
}

interface Report {
  readonly id: string
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly changed: number
  readonly rows: readonly ReportRow[]
}

const columns = [
  ...(['row', 'fileRow', 'key', 'state', 'documentId', 'shareId', 'depositId', 'sessionId', 'externalId'] as const),
  ...(['code', 'outcome', 'problem'] as const),
]

/**
 * Builds both forms of the report without blocking other work. The CSV has the format of the list's text file; for
 * other lists, it uses `;` and a byte-order mark, so that a Norwegian Excel splits it into columns.
 */
export async function reportOf(
  batch: Pick<Batch, 'head' | 'rows' | 'journal'>,
  nodeId: string,
  translate: Translate,
): Promise<{ report: Report; csv: string | Buffer }> {
  const { head, rows } = batch
  const { total, done, failed, changed } = rows.counts
  const breathe = createYielder()
  const own = await columnsOf(batch)
  const reported: ReportRow[] = []
  const { separator = ';', encoding = 'utf-8-bom' } = head.text ?? {}
  const line = (cells: readonly unknown[]) => cells.map((value) => cell(value, separator)).join(separator)
  const said = columns.filter((name) => name !== 'fileRow' || head.fileRows !== undefined)
  const lines = [line([...namesFor(own), ...said])]
  for (const [index, row] of rows.all.entries()) {
    await breathe()
    if (row.past !== undefined) continue
    const one = rowOf(rowPlaceOf(batch, row), row, externalIdOf(head.takenBy ?? nodeId, head.id, row.key), translate)
    reported.push(one)
    const cells = cellsOf(await contentAt(batch, index))
    lines.push(line([...own.map((name) => cells[name]), ...said.map((column) => one[column])]))
  }
  const csv = encodeText(`${lines.join('\n')}\n`, encoding)
  return { report: { id: head.id, total, done, failed, changed, rows: reported }, csv }
}

/** The name of the column for rows that consist of a single text or number. */
const plainColumn = 'value'

/** The columns of the list, in the order of its file or of first occurrence. */
async function columnsOf(batch: Pick<Batch, 'head' | 'rows' | 'journal'>): Promise<string[]> {
  const names = new Set(batch.head.columns)
  const breathe = createYielder()
  for (const index of batch.rows.all.keys()) {
    await breathe()
    for (const name of Object.keys(cellsOf(await contentAt(batch, index)))) names.add(name)
  }
  return [...names]
}

/**
 * Returns a row's content; undefined if it can't be read, because the report matters more than the row's own columns.
 */
async function contentAt({ journal }: Pick<Batch, 'journal'>, index: number): Promise<unknown> {
  const said = await journal.content(index).catch(() => undefined)
  return said && deserializeMessage({ row: said.content }).row
}

function cellsOf(content: unknown): Readonly<Record<string, unknown>> {
  if (content === undefined || content === null) return {}
  return isPlainObject(content) ? content : { [plainColumn]: content }
}

/**
 * Returns the report's names for the columns of the list, in the form in which a list is read, because the report may
 * become the next list. A name that clashes with one of the report's columns, or with an earlier one, gets a suffix. The
 * list may itself be a report and already contain such a suffix.
 */
function namesFor(own: readonly string[]): string[] {
  const read = own.map((name) => columnName(name) || plainColumn)
  const freeName = createFreeNames([...columns, ...read])
  const used = new Set<string>(columns)
  return read.map((name) => {
    const isFree = !used.has(name)
    used.add(name)
    return isFree ? name : freeName(name)
  })
}

function rowOf({ id: _list, ...place }: RowPlace, row: Row, externalId: string, translate: Translate): ReportRow {
  const state = stateOf(row)
  const problem = state === 'changed' ? { problem: translate('rows.changed') } : {}
  return { ...place, state, externalId, ...row.result, ...problem }
}

function cell(value: unknown, separator: string): string {
  const text = safeText(value)
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Returns the text of a cell. A spreadsheet would execute a text that begins like a formula, so such a text is guarded;
 * a number is harmless.
 */
function safeText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value as number)
  return guardFormula(value)
}
