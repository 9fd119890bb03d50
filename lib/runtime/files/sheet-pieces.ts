/**
 * Splits the markup of an Excel sheet into pieces: read as a whole, a long list takes many times its size in memory.
 */

export interface SheetPiece {
  /** The number of rows before this piece. */
  readonly before: number
  /** Its bytes as Latin-1 characters; only the markup matters here. */
  readonly markup: string
}

/** Bytes of a piece, which is read in about a thirtieth of a second. */
const pieceLength = 1024 * 1024
const end = '</sheetData></worksheet>'

/** Yields pieces of at least `atLeast` bytes, in order. A sheet with unusual markup stays whole. */
export function* sheetPieces(sheet: Buffer, atLeast: number): Generator<SheetPiece> {
  const start = sheet.indexOf('<row ')
  const isUsual = start >= 0 && !sheet.includes('<!--') && !sheet.includes('<![CDATA[')
  const length = isUsual ? Math.max(pieceLength, atLeast) : sheet.length
  const letters = (from: number, to?: number) => sheet.toString('latin1', from, to)
  const head = letters(0, start)
  let [from, before] = [start, 0]
  for (let next = nextRow(sheet, start + length); next; next = nextRow(sheet, from + length)) {
    yield { before, markup: head + letters(from, next.at) + end }
    ;[from, before] = [next.at, next.number - 1]
  }
  yield { before, markup: from === start ? letters(0) : head + letters(from) }
}

/** The next row after this position that has a number. */
function nextRow(sheet: Buffer, after: number): { readonly at: number; readonly number: number } | undefined {
  for (let at = sheet.indexOf('<row ', after); at >= 0; at = sheet.indexOf('<row ', at + 1)) {
    const [, number] = /^<row (?:[^<>]*\s)?r="([1-9]\d{0,6})"/.exec(sheet.toString('latin1', at, at + 200)) ?? []
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
    const [row, column] = [Number(digits) - before, numberOf(letters ?? '')]
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
const numberOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
