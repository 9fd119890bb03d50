/**
 * Splits the markup of an Excel sheet into pieces, because a long list that is read as a whole takes many times its
 * size in memory.
 */

export interface SheetPiece {
  /** The number of rows before this piece. */
  readonly before: number
  /** The bytes of the piece as Latin-1 characters, which is enough because only the markup matters here. */
  readonly markup: string
}

/**
 * The number of bytes of a piece. The memory for reading a longer piece would stay in use until the next full garbage
 * collection.
 */
const pieceLength = 64 * 1024
const end = '</sheetData></worksheet>'

/** True if every `<row ` in the sheet begins a row, because the sheet contains no comment and no CDATA section. */
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

/** The number of a row is within this many characters from the start of the row's tag. */
const tagLength = 200

/** The next row with a number after this position; undefined if the text does not contain such a row yet. */
function nextRow(text: string, after: number): { readonly at: number; readonly number: number } | undefined {
  for (let at = text.indexOf('<row ', after); at >= 0; at = text.indexOf('<row ', at + 1)) {
    if (at + tagLength > text.length) return undefined
    const [, number] = /^<row (?:[^<>]*\s)?r="([1-9]\d{0,6})"/.exec(text.slice(at, at + tagLength)) ?? []
    if (number !== undefined) return { at, number: Number(number) }
  }
  return undefined
}

/** The reference of a row or a cell. The pattern can't match within a text, because texts contain no literal `<`. */
const place = /(<(?:\w+:)?(?:row|c)\s(?:[^<]*?\s)?r\s*=\s*)(?:"([^"]*)"|'([^']*)')/g
/** Each filled cell takes at least two tags, so a file within the limits has no more cells than this. */
const maxCells = 3_000_000
/** The last cell of a sheet: XFD1048576. */
const [lastRow, lastColumn] = [1_048_576, 16_384]

/**
 * Returns the markup with its rows counted from the start of the piece. If the library would have to create too many
 * empty cells before a cell, such as before `XFD5000`, returns the reference of this cell instead.
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
    // The tag of a row may give only the row's number. If the row also has a cell, the cell is reported instead.
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
