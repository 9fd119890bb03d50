/**
 * Builds the files of a document. A signature in these files is only a remark, which says that the file is not signed.
 */
import { textIn } from '../server/json'
import { withNotes } from './plain-pdf'
import type { Attachment, Content, FileFormat, SignatureDocument, Signer } from './state'

/** A file of a document (its own file or an attachment), with the signers whose signatures the file shows. */
export interface SourceFile {
  readonly documentId: string
  readonly fileName: string
  readonly content: Content | undefined
  readonly signers: readonly Signer[]
}

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

/** The document's own file; if a signer is given, with only the signature of this signer. */
export function fileOf(document: SignatureDocument, signer?: Signer): SourceFile {
  const { id, fileName, content, signers } = document
  return { documentId: id, fileName, content, signers: signer ? [signer] : signers }
}

/** An attachment's file; if a signer is given, with only the signature of this signer. */
export function fileOfAttachment(document: SignatureDocument, attachment: Attachment, signer?: Signer): SourceFile {
  const { requested, content } = attachment
  return { ...fileOf(document, signer), fileName: textIn(requested.fileName), content }
}

/** The file in this format; undefined if the original bytes are missing or gone. */
export async function buildFile(file: SourceFile, format: FileFormat): Promise<BuiltFile | undefined> {
  const original = await file.content?.read()
  if (!original) return undefined
  if (format === 'unsigned') return { bytes: original, type: typeOf(file) }
  if (format === 'pades') return { bytes: remarkPdf(original, file), type: 'application/pdf' }
  return { bytes: Buffer.from(wrapXml(original, file, format)), type: 'application/xml' }
}

/** Content type of the original, from its name. */
export function typeOf({ fileName }: Pick<SourceFile, 'fileName'>): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(types, extension) ? types[extension] : undefined) ?? 'application/octet-stream'
}

const unsigned = 'Simulated signatures: this file is not signed.'

/**
 * Adds the names of the people who signed to a PDF. In a PDF made by the sandbox, the names are on the last page; in
 * any other file, they are in a remark after the original bytes. The pointer to the cross-reference table is repeated
 * at the end, where readers look for it, so that the file stays a valid PDF.
 */
function remarkPdf(original: Buffer, file: SourceFile): Buffer {
  const noted = withNotes(original, [unsigned, ...signaturesOf(file).map((one) => `Signed by ${one} (simulated)`)])
  if (noted) return noted
  const tail = original.subarray(Math.max(0, original.length - 2048)).toString('latin1')
  const pointer = /startxref\s+\d+\s+%%EOF(?![\s\S]*startxref)/.exec(tail)?.[0]
  const remarks = [unsigned, ...signaturesOf(file)]
  const lines = remarks.map((remark) => `% ${asciiOnly(remark)}`)
  // If the document is not a PDF but, for example, a text, the result at least begins like a PDF.
  const head = original.subarray(0, 1024).includes('%PDF') ? '' : '%PDF-1.4\n'
  return Buffer.concat([
    Buffer.from(head),
    original,
    Buffer.from(['', ...lines, ...(pointer ? [pointer] : []), ''].join('\n'), 'latin1'),
  ])
}

function wrapXml(original: Buffer, file: SourceFile, format: FileFormat): string {
  const signatures = signaturesOf(file).map((line) => `  <signature>${xml(line)}</signature>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${unsigned} -->
<simulatedDocument format="${format}" documentId="${file.documentId}" fileName="${xml(file.fileName)}">
${signatures.join('\n')}
  <content encoding="base64">${original.toString('base64')}</content>
</simulatedDocument>
`
}

function signaturesOf({ signers }: SourceFile): string[] {
  return signers.flatMap(({ signature }) =>
    signature ? [`${signature.fullName}, ${signature.signatureMethod}, ${signature.signedTime}`] : [],
  )
}

function asciiOnly(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function xml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
