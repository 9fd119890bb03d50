/** The rows of the page as a file that a spreadsheet opens into columns. */
import type { PageTexts } from '../../lib/runtime/http/page-texts'
import type { OverviewRow } from './view'

/** With it, Excel reads letters such as å correctly. */
const byteOrderMark = '\uFEFF'

export async function csvOf(rows: readonly OverviewRow[], texts: PageTexts): Promise<string> {
  const { default: papa } = await import('papaparse')
  const names = ['title', 'kind', 'people', 'since', 'until', 'ended', 'state', 'flow'] as const
  const head = names.map((name) => texts[`columns.${name}`] ?? name)
  const lines = rows.map((row) => [
    row.title,
    row.kind === undefined ? '' : (texts[`kinds.${row.kind}`] ?? row.kind),
    row.people.map(({ name }) => name).join(', '),
    dateOf(row.since),
    dateOf(row.until),
    dateOf(row.ended),
    stateOf(row),
    row.flow ?? '',
  ])
  // A spreadsheet would run a text that begins like a formula; one of a Norwegian machine reads semicolons.
  return byteOrderMark + papa.unparse([head, ...lines], { delimiter: ';', newline: '\r\n', escapeFormulae: true })
}

function stateOf({ progress, text = '' }: OverviewRow): string {
  return progress ? `${progress.done + progress.failed}/${progress.total}` : text
}

/** In a form that spreadsheets take for a date in any language. */
function dateOf(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
