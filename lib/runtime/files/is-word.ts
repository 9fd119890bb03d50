/** Recognizes a Word file by its content, because its name may be wrong. */
import { namesInZip } from './zip-parts'

/** The part with the text of a Word file; some programs number it: `document2.xml`. */
const textPart = /^[\\/]?word[\\/]document\d*\.xml$/i

/**
 * True for bytes that must be read as a Word file before they are sent. If the zip file is damaged or contains no text,
 * the names decide: a file named .docx counts as a Word file, so that it is refused with a reason.
 */
export function isWordFile(bytes: Buffer, names: readonly (string | undefined)[]): boolean {
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return false
  const parts = namesInZip(bytes)
  const holdsText = parts ? parts.some((part) => textPart.test(part)) : bytes.includes('word/document')
  return holdsText || names.some((name) => /\.docx$/i.test(name ?? ''))
}

/**
 * The name under which a Word file is sent. Its extension matters, because the service decides by it whether to convert
 * the file to PDF.
 */
export function wordName(name: string | undefined): string | undefined {
  return name?.replace(/\.(?:pdf|xml|txt|doc|rtf|ott|odt)$/i, '.docx')
}
