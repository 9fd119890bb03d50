/**
 * Reads the text of files that are not filled in: .rtf, .odt, .ott, .txt, .doc, .xml, .html, and what other programs have
 * inserted into a Word file.
 */
import type { FileProblem } from './file-problem'
import { isCompound, isLocked, isPdf } from './locked'
import { textOfOldWord } from './old-word'
import { partsIn, type ZipLimits } from './zip-parts'

/** The maximum length of a field that is quoted in a sentence. */
export const maxNamed = 40

/** A field in braces, with a letter or digit in it; not an id such as `{00000000-…}`, data, or the number of a list. */
const field = /\{(?!%|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\})(?=[^{}]*[\p{L}\p{N}])[^{}"\n\r]{1,100}\}/iu

/** The first field in braces in a text. */
export function fieldLeftIn(text: string): string | undefined {
  return field.exec(text)?.[0].slice(0, maxNamed)
}

/** The fault of a file that would be sent with a field in it, or that has a password; undefined if it has neither. */
export async function faultOfOther(bytes: Buffer, limits: ZipLimits): Promise<FileProblem | undefined> {
  const text = await textOfOther(bytes, limits)
  if (typeof text !== 'string') return text
  const left = fieldLeftIn(text)
  return left === undefined ? undefined : { key: 'wordOnly', params: { text: left } }
}

/** The text of a file that is not filled in; empty if it is something else. */
export async function textOfOther(bytes: Buffer, limits: ZipLimits): Promise<string | FileProblem> {
  if (isLocked(bytes)) return { key: 'fileLocked' }
  if (isPdf(bytes)) return ''
  if (isCompound(bytes)) return textOfOldWord(bytes) ?? { key: 'fileLocked' }
  const begin = bytes.toString('latin1', 0, 1024)
  if (begin.startsWith('PK')) return textOfZip(bytes, limits)
  if (begin.startsWith('{\\rtf')) return textOfRtf(bytes.toString('latin1'))
  const text = decoded(bytes)
  if (text.includes('\0')) return ''
  // A web page that is saved as one file is encoded like an e-mail.
  const whole = /^content-transfer-encoding:\s*quoted-printable/im.test(text) ? fromQuotedPrintable(text) : text
  return /<\/\w/.test(whole) ? textOfMarkup(whole) : whole
}

/** The text of an OpenDocument file, or of a Word file in a Word file. */
async function textOfZip(bytes: Buffer, limits: ZipLimits): Promise<string | FileProblem> {
  const parts = await partsIn(bytes, limits, (name, part) =>
    /^(?:content\.xml|styles\.xml|META-INF\/manifest\.xml|encrypted-package|word\/.*\.xml)$/i.test(name)
      ? part
      : undefined,
  )
  if (typeof parts === 'string') return { key: parts === 'tooLarge' ? 'wordTooLarge' : 'wordFile' }
  const isLocked = parts.has('encrypted-package') || parts.get('META-INF/manifest.xml')?.includes('encryption-data')
  if (isLocked) return { key: 'fileLocked' }
  const notPrinted = /<(text:tracked-changes|office:annotation)\b.*?<\/\1>/gs
  return [...parts].map(([, part]) => textOfMarkup(part.toString('utf8').replace(notPrinted, ''))).join('\n')
}

/** The end of a paragraph, of a heading, of a cell, or of a line. */
const endOfLine = /<\/(?:[\w.-]+:)?(?:p|h\d?|div|td|th|li|tr|title|v)\s*>|<(?:w:|text:line-)?(?:br|cr|break)\b[^<>]*>/gi

/** The text of a page or of a part of an Office file, a line for each paragraph. */
export function textOfMarkup(markup: string): string {
  return markup
    .replace(/<!--.*?-->|<(style|script)\b.*?<\/\1\s*>/gis, '')
    .replace(endOfLine, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, number?: string, hex?: string, name = '') =>
      (number ?? hex)
        ? characterOf(hex === undefined ? Number(number) : parseInt(hex, 16))
        : (entities[name as string] ?? all),
    )
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  nbsp: ' ',
}

const characterOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** The text of a file in rich text format (RTF 1.9.1): its braces are written `\{` and `\}`. */
function textOfRtf(rtf: string): string {
  // A character in Unicode may be followed by one for programs that cannot show it, usually a question mark.
  const token = /\\'([\da-f]{2})|\\u(-?\d+) ?(?:\\'[\da-f]{2}|\?)?|\\([a-z]+)-?\d* ?|\\([^a-z])|[{}\r\n]/gi
  return rtf.replace(token, (_all, hex?: string, code?: string, word?: string, sign?: string) => {
    if (hex !== undefined) return characterOf(parseInt(hex, 16))
    if (code !== undefined) return characterOf(Number(code) & 0xffff)
    if (word !== undefined) return /^(?:par|line|cell|row|tab|sect|page)$/.test(word) ? '\n' : ''
    return sign === '~' ? ' ' : sign === '_' ? '-' : sign !== undefined && '{}\\'.includes(sign) ? sign : ''
  })
}

function decoded(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2)
  if (mark === 'fffe') return bytes.toString('utf16le', 2)
  if (mark === 'feff')
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const fromQuotedPrintable = (text: string) =>
  text.replace(/=\r?\n/g, '').replace(/=([\da-f]{2})/gi, (_all, hex: string) => characterOf(parseInt(hex, 16)))
