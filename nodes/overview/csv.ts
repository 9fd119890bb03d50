/** Writes the rows of the page as a file that a spreadsheet splits into columns. */
import type { PageTexts } from '../../lib/runtime/http/page-texts'
import { inChunks } from '../../lib/common/in-chunks'
import { guardFormula } from '../../lib/runtime/files/formula-cells'
import type { OverviewRow, Section } from './view'

/** With this mark, Excel reads letters such as å correctly. */
const byteOrderMark = '\uFEFF'
/** Semicolons, because a Norwegian Excel expects them. */
const format = { delimiter: ';', newline: '\r\n' }
/** Number of rows written per turn of the event loop. */
const writtenAtOnce = 1_000

interface CsvOptions {
  readonly section: Section
  readonly texts: PageTexts
  /** The time zone of the person's browser; for any text that is not a time zone, Node-RED's time zone is used. */
  readonly zone: string
}

export async function csvOf(rows: readonly OverviewRow[], { section, texts, zone }: CsvOptions): Promise<string> {
  const { default: papa } = await import('papaparse')
  const moments = momentsIn(zone)
  const people = section === 'waiting' ? 'waitingFor' : 'people'
  const names = ['title', 'kind', people, 'since', 'until', 'ended', 'state', 'flow'] as const
  // The header row contains the name of the zone, because the offset differs between summer and winter.
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
  return progress ? `${progress.done + progress.failed + progress.changed}/${progress.total}` : text
}

interface Moments {
  readonly zone: string
  textOf(at: number | undefined): string
}

function momentsIn(zone: string): Moments {
  const dates = formatIn(zone)
  return { zone: dates.resolvedOptions().timeZone, textOf: (at) => (at === undefined ? '' : dates.format(at)) }
}

/**
 * Returns the format of dates, which is the Swedish one: spreadsheets in any language recognize `2031-05-16 08:00` as a
 * date.
 */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const options = { dateStyle: 'short', timeStyle: 'short' } as const
  try {
    return new Intl.DateTimeFormat('sv', { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat('sv', options) // Not a time zone.
  }
}
