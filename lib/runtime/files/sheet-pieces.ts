/**
 * Splits the markup of an Excel sheet into pieces: read as a whole, a long list takes many times its size in memory.
 */

export interface SheetPiece {
  /** The number of rows before this piece. */
  readonly before: number
  /** Its bytes as Latin-1 characters; only the markup matters here. */
  readonly markup: string
}

/** Bytes of a piece. The memory for reading a longer one would stay in use until V8 collects all garbage. */
const pieceLength = 64 * 1024
const end = '</sheetData></worksheet>'

/** True if every `<row ` begins a row. */
export const hasPlainRows = (sheet: Buffer) => !sheet.includes('<!--') && !sheet.includes('<![CDATA[')

/** Yields pieces of at least `atLeast` bytes, in order. */
export async function* sheetPieces(sheet: AsyncIterable<Buffer>, atLeast: number): AsyncGenerator<SheetPiece> {
  const length = Math.max(pieceLength, atLeast)
  let head: string | undefined
  let [text, before] = ['', 0]
  for await (const bytes of sheet) {
    text += bytes.toString('latin1')
    if (text.length < length) continue
    if (head === undefined) {
      const start = text.indexOf('<row ')
      if (start < 0) continue
      ;[head, text] = [text.slice(0, start), text.slice(start)]
    }
    for (let next = nextRow(text, length); next; next = nextRow(text, length)) {
      yield { before, markup: head + text.slice(0, next.at) + end }
      ;[text, before] = [text.slice(next.at), next.number - 1]
    }
  }
  yield { before, markup: (head ?? '') + text }
}

/** The number of a row is within this many of its first characters. */
const tagLength = 200

/** The next row after this position that has a number; undefined if it is not there yet. */
function nextRow(text: string, after: number): { readonly at: number; readonly number: number } | undefined {
  for (let at = text.indexOf('<row ', after); at >= 0; at = text.indexOf('<row ', at + 1)) {
    if (at + tagLength > text.length) return undefined
    const [, number] = /^<row (?:[^<>]*\s)?r="([1-9]\d{0,6})"/.exec(text.slice(at, at + tagLength)) ?? []
    if (number !== undefined) return { at, number: Number(number) }
  }
  return undefined
}

/** The reference of a row or a cell; no text contains a literal `<`. */
const place = /(<(?:\w+:)?(?:row|c)\s(?:[^<]*?\s)?r\s*=\s*)(?:"([^"]*)"|'([^']*)')/g
/** Each filled cell takes at least two tags, so a file within the limits has no more cells than this. */
const maxCells = 3_000_000
/** The last cell of a sheet: XFD1048576. */
const [lastRow, lastColumn] = [1_048_576, 16_384]

/**
 * The markup with its rows counted from the start of the piece; or the cell that is so far out that everything before
 * it would be filled with empty cells, such as `XFD5000`.
 */
export function countedFromPiece({ before, markup }: SheetPiece): string | { readonly far: string } {
  let [low, wide] = [
    { count: 0, cell: '' },
    { count: 0, cell: '' },
  ]
  let strange: string | undefined
  const text = markup.replace(place, (_all, tag: string, double?: string, single?: string) => {
    const cell = double ?? single ?? ''
    const [, letters, digits] = /^([A-Z]{0,3})(\d{1,7})$/.exec(cell) ?? []
    if (letters === undefined) strange ??= cell.slice(0, 12)
    const [row, column] = [Number(digits) - before, columnNumber(letters ?? '')]
    // A row that gives only its own number usually contains a cell.
    if (row > low.count || (row === low.count && low.cell === digits)) low = { count: row, cell }
    if (column > wide.count) wide = { count: column, cell }
    return `${tag}"${letters}${row}"`
  })
  if (strange !== undefined) return { far: strange }
  if (low.count <= lastRow && wide.count <= lastColumn && low.count * wide.count <= maxCells) return text
  return { far: (low.count / lastRow > wide.count / lastColumn ? low : wide).cell }
}

/** A is 1, and AA is 27. */
export const columnNumber = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
