/** The report of a batch: every row with what became of it, as objects and as CSV. */
import { createYielder } from '../../../lib/common/event-loop'
import type { Batch } from '../run/batch-state'
import { countsAsFailed, externalIdOf, type Row } from './row'

export interface ReportRow {
  readonly row: number
  readonly key: string
  readonly state: 'done' | 'failed' | 'look first'
  readonly externalId: string
  readonly documentId?: string
  readonly shareId?: string
  readonly depositId?: string
  readonly sessionId?: string
  readonly code?: string
  readonly outcome?: string
  readonly problem?: string
}

export interface Report {
  readonly id: string
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly rows: readonly ReportRow[]
}

type Translate = (key: string, params?: Record<string, string | number>) => string

const columns = [
  ...(['row', 'key', 'state', 'documentId', 'shareId', 'depositId', 'sessionId', 'externalId'] as const),
  ...(['code', 'outcome', 'problem'] as const),
]

/** Both forms of the report, made without keeping everything else waiting. */
export async function reportOf(
  { head, rows }: Pick<Batch, 'head' | 'rows'>,
  nodeId: string,
  translate: Translate,
): Promise<{ report: Report; csv: string }> {
  const { total, done, failed } = rows.counts
  const breathe = createYielder()
  const reported: ReportRow[] = []
  const lines = [columns.join(',')]
  for (const [place, row] of rows.all.entries()) {
    await breathe()
    const one = rowOf(row, place + 1, externalIdOf(nodeId, head.id, row.key), translate)
    reported.push(one)
    lines.push(columns.map((column) => cell(one[column])).join(','))
  }
  return { report: { id: head.id, total, done, failed, rows: reported }, csv: `${lines.join('\n')}\n` }
}

function rowOf(row: Row, number: number, externalId: string, translate: Translate): ReportRow {
  const { key, phase, changed, result } = row
  const state = phase === 'done' || phase === 'look first' ? phase : 'failed'
  if (phase !== 'done' || !changed) return { row: number, key, state, externalId, ...result }
  const refusal = { code: 'EID_REFUSED', outcome: 'not-done', problem: translate('rows.changed') }
  return { row: number, key, externalId, ...result, ...refusal, state: countsAsFailed(row) ? 'failed' : state }
}

function cell(value: string | number | undefined): string {
  const text = String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
