/** Recognizes a Word file by what it holds: its name may be that of another file. */
import { namesInZip } from './zip-parts'

/** The text of a Word file; some programs count: `document2.xml`. */
const textPart = /^\/?word\/document\d*\.xml$/i

/**
 * True for bytes that must not be sent before they were read as a Word file. The names count as well where the zip
 * file is damaged or holds no text: what is called .docx is refused with a reason.
 */
export function isWordFile(bytes: Buffer, names: readonly (string | undefined)[]): boolean {
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return false
  const parts = namesInZip(bytes)
  const holdsText = parts ? parts.some((part) => textPart.test(part)) : bytes.includes('word/document')
  return holdsText || names.some((name) => /\.docx$/i.test(name ?? ''))
}

/** The name under which a Word file is sent: the service converts a file to PDF by the ending of its name. */
export function wordName(name: string | undefined): string | undefined {
  return name?.replace(/\.(?:pdf|xml|txt|doc|rtf|ott|odt)$/i, '.docx')
}
