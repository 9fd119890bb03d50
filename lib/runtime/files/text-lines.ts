/** Reads the rows of a text file with separators (.csv). */
import type { FileProblem } from './file-problem'
import { unguardFormula } from './formula-cells'
import type { Encoding, Separator, TextFormat } from './row-list'
import type { Line } from './sheet-lines'

interface TextLines {
  readonly lines: readonly Line[]
  readonly text: TextFormat
}

export async function textLinesIn(bytes: Buffer): Promise<TextLines | FileProblem> {
  // Only texts in UTF-16, which begin with a mark, contain the byte 0: any other file with it is a picture or a PDF.
  if (bytes.includes(0) && !/^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2))) return { key: 'listFile' }
  const decoded = decode(bytes)
  if ('key' in decoded) return decoded
  if (otherFormat.test(decoded.text)) return { key: 'listFile' }
  // A file edited by several programs may have mixed line endings. Old programs end a text with the character 1A.
  const whole = decoded.text.replace(/\r\n?/g, '\n').replace(/\x1a+\s*$/, '')
  const announced = /^"?sep=(.)"?\n/i.exec(whole)
  const given = whole.slice(announced?.[0].length ?? 0)
  const separator = (announced?.[1] ?? separatorIn(given)) as Separator
  const { default: papa } = await import('papaparse')
  const { data, errors } = papa.parse<string[]>(withoutGaps(given, separator), { delimiter: separator, newline: '\n' })
  const quote = errors.find(({ type }) => type === 'Quotes')
  if (quote) return { key: 'listQuote', params: { row: (quote.row ?? 0) + 1 } }
  const lines = data.map((cells, at) => ({ number: at + 1, cells: cells.map(plainText) }))
  return {
    lines: lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
    text: { separator, encoding: decoded.encoding },
  }
}

/** The beginning of a page, of a spreadsheet in XML or of a letter, which some programs save under the name of a list. */
const otherFormat = /^\s*(?:<(?:!doctype|\?xml|html|head|body|meta|style|table)\b|\{\\rtf)/i

/** The text of a cell that some programs write as `="0150"`, so that Excel keeps its zeros. */
const plainText = (cell: string) => unguardFormula(/^="([^"]*)"$/.exec(cell)?.[1] ?? cell)

/** The text without spaces before a cell in quotes: with them, the quotes would belong to the content of the cell. */
function withoutGaps(text: string, separator: string): string {
  if (!/["\n] +"/.test(text.replaceAll(separator, '\n'))) return text
  const between = separator === '|' ? '\\|' : separator
  return text.replace(new RegExp(`"(?:[^"]|"")*"|(^|${between}|\\n) +(?=")`, 'g'), (found, before?: string) => {
    return before ?? found
  })
}

/**
 * Decodes the bytes by their byte-order mark. Bytes without a mark are decoded as UTF-8 if they are valid UTF-8, and
 * otherwise as Windows-1252.
 */
function decode(bytes: Buffer): { text: string; encoding: Encoding } | FileProblem {
  const [one, two, three] = bytes
  if (one === 0xff && two === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16le' }
  // A report about this list is written as UTF-16LE, which spreadsheet programs read as well.
  if (one === 0xfe && two === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16le' }
  const hasMark = one === 0xef && two === 0xbb && three === 0xbf
  const text = new TextDecoder('utf-8').decode(bytes)
  const damaged = damagedIn(text)
  if (damaged === undefined) return { text, encoding: hasMark ? 'utf-8-bom' : 'utf-8' }
  // A text with letters in UTF-8 is UTF-8, although a program has put other bytes into it.
  if (hasMark || /[^\0-\x7f\ufffd]/.test(text)) return { key: 'listLetters', params: { row: damaged } }
  // The bytes are decoded as a stream, because some versions of Node.js 20 to 22 decode Windows-1252 as ISO 8859-1,
  // which lacks €, unless they decode it as a stream.
  const windows = new TextDecoder('windows-1252').decode(bytes, { stream: true })
  const odd = oddIn(windows)
  return odd === undefined ? { text: windows, encoding: 'windows-1252' } : { key: 'listLetters', params: { row: odd } }
}

/** The number of the row in which this pattern is found; undefined if it is in no row. */
function rowOf(pattern: RegExp, text: string): number | undefined {
  const at = text.search(pattern)
  return at < 0 ? undefined : text.slice(0, at).split(/\r\n?|\n/).length
}

const damagedIn = (text: string) => rowOf(/\ufffd/, text)

/**
 * Letters of DOS and old Macs, read as Windows-1252, are characters that Windows has not, symbols between two letters,
 * or a capital with a mark after a small letter: `Bj›rn`, `TrŒe`. Apostrophes, dashes and dots occur between letters.
 */
const oddIn = (text: string) =>
  rowOf(/[\x80-\x9f¯]|(?<=\p{L})[^\p{L}\s\x20-\x7f’´–—·\u00ad](?=\p{L})|(?<=\p{Ll})[ŠŒŽŸ](?=\p{L}|$)/u, text)

/** Ordered by how rarely they are part of a text, as commas often are. */
const separators = ['\t', ';', '|', ','] as const

/** The separator with which most rows have as many cells as the first one, outside of quotes. */
function separatorIn(text: string): Separator {
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const fitting = separators.map((separator) => {
    const [first = 1, ...counts] = lines.map((line) => line.split(separator).length)
    return first < 2 ? -1 : counts.filter((count) => count === first).length
  })
  const most = Math.max(...fitting)
  return most < 0 ? ';' : (separators[fitting.indexOf(most)] ?? ';')
}
