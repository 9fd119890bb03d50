/** The rows of the page as a file that a spreadsheet opens into columns. */
import type { PageTexts } from '../../lib/runtime/http/page-texts'
import { inChunks } from '../../lib/common/in-chunks'
import { guardFormula } from '../../lib/runtime/files/formula-cells'
import type { OverviewRow, Section } from './view'

/** Makes Excel read letters such as å correctly. */
const byteOrderMark = '\uFEFF'
/** A Norwegian Excel expects semicolons. */
const format = { delimiter: ';', newline: '\r\n' }
/** Rows written per turn of the loop. */
const writtenAtOnce = 1_000

export interface CsvOptions {
  readonly section: Section
  readonly texts: PageTexts
  /** The time zone of the person's browser; any other text means Node-RED's. */
  readonly zone: string
}

export async function csvOf(rows: readonly OverviewRow[], { section, texts, zone }: CsvOptions): Promise<string> {
  const { default: papa } = await import('papaparse')
  const moments = momentsIn(zone)
  const people = section === 'waiting' ? 'waitingFor' : 'people'
  const names = ['title', 'kind', people, 'since', 'until', 'ended', 'state', 'flow'] as const
  // The name of the zone is right in summer and in winter.
  const head = names.map((name) => (texts[`columns.${name}`] ?? name).replace('__zone__', moments.zone))
  const lines = [papa.unparse([head], format)]
  await inChunks(rows, writtenAtOnce, (part) => {
    lines.push(
      papa.unparse(
        part.map((row) => cellsOf(row, texts, moments).map(guardFormula)),
        format,
      ),
    )
  })
  return byteOrderMark + lines.join(format.newline)
}

function cellsOf(row: OverviewRow, texts: PageTexts, { textOf }: Moments): string[] {
  return [
    row.title,
    row.kind === undefined ? '' : (texts[`kinds.${row.kind}`] ?? row.kind),
    row.people.map(({ name }) => name).join(', '),
    textOf(row.since),
    textOf(row.until),
    textOf(row.ended),
    stateOf(row, texts),
    row.flow ?? '',
  ]
}

function stateOf({ progress, elsewhere, text = '' }: OverviewRow, texts: PageTexts): string {
  if (elsewhere !== undefined) return (texts.elsewhere ?? '').replace('__service__', elsewhere)
  return progress ? `${progress.done + progress.failed}/${progress.total}` : text
}

interface Moments {
  readonly zone: string
  textOf(at: number | undefined): string
}

function momentsIn(zone: string): Moments {
  const dates = formatIn(zone)
  return { zone: dates.resolvedOptions().timeZone, textOf: (at) => (at === undefined ? '' : dates.format(at)) }
}

/** Swedish writes `2031-05-16 08:00`, which spreadsheets in any language recognize as a date. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const options = { dateStyle: 'short', timeStyle: 'short' } as const
  try {
    return new Intl.DateTimeFormat('sv', { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat('sv', options) // Not a time zone.
  }
}
