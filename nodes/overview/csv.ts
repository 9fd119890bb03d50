/** The rows of the page as a file that a spreadsheet opens into columns. */
import type { PageTexts } from '../../lib/runtime/http/page-texts'
import type { OverviewRow } from './view'

/** Makes Excel read letters such as å correctly. */
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
  // A spreadsheet would execute a text that begins like a formula; a Norwegian Excel expects semicolons.
  return byteOrderMark + papa.unparse([head, ...lines], { delimiter: ';', newline: '\r\n', escapeFormulae: true })
}

function stateOf({ progress, text = '' }: OverviewRow): string {
  return progress ? `${progress.done + progress.failed}/${progress.total}` : text
}

/** A format that spreadsheets in any language recognise as a date. */
function dateOf(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
