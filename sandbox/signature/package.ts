/** Builds the files a document can be had as. What looks like a signature in them is a plain remark, and says so. */
import type { FileFormat, SignatureDocument } from './state'

export interface BuiltFile {
  readonly bytes: Buffer
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  rtf: 'application/rtf',
}

/** The file in this format; undefined when the original bytes are not there (any more). */
export async function buildFile(document: SignatureDocument, format: FileFormat): Promise<BuiltFile | undefined> {
  const original = await document.content?.read()
  if (!original) return undefined
  if (format === 'unsigned') return { bytes: original, type: typeOf(document) }
  if (format === 'pades') return { bytes: remarkPdf(original, document), type: 'application/pdf' }
  return { bytes: Buffer.from(wrapXml(original, document, format)), type: 'application/xml' }
}

/** Content type of the original, by its name. */
export function typeOf(document: SignatureDocument): string {
  const extension = document.fileName.slice(document.fileName.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(types, extension) ? types[extension] : undefined) ?? 'application/octet-stream'
}

/**
 * The original bytes and a remark after them. The pointer to the cross-reference table is repeated at the end, where readers look
 * for it, so that the file stays a valid PDF.
 */
function remarkPdf(original: Buffer, document: SignatureDocument): Buffer {
  const tail = original.subarray(Math.max(0, original.length - 2048)).toString('latin1')
  const pointer = /startxref\s+\d+\s+%%EOF(?![\s\S]*startxref)/.exec(tail)?.[0]
  const remarks = ['Simulated signatures: this file is not signed.', ...signaturesOf(document)]
  const lines = remarks.map((remark) => `% ${asciiOnly(remark)}`)
  return Buffer.concat([original, Buffer.from(['', ...lines, ...(pointer ? [pointer] : []), ''].join('\n'), 'latin1')])
}

function wrapXml(original: Buffer, document: SignatureDocument, format: FileFormat): string {
  const signatures = signaturesOf(document).map((line) => `  <signature>${xml(line)}</signature>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- Simulated signatures: this file is not signed. -->
<simulatedDocument format="${format}" documentId="${document.id}" fileName="${xml(document.fileName)}">
${signatures.join('\n')}
  <content encoding="base64">${original.toString('base64')}</content>
</simulatedDocument>
`
}

function signaturesOf(document: SignatureDocument): string[] {
  return document.signers.flatMap(({ signature }) =>
    signature ? [`${signature.fullName}, ${signature.signatureMethod}, ${signature.signedTime}`] : [],
  )
}

function asciiOnly(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function xml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
