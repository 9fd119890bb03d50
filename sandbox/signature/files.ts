/** Returns the files of a document, of its attachments, and of single signers. */
import { invalid, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import { buildFile, fileOf, fileOfAttachment, type SourceFile } from './build-file'
import { findAttachment, findDocument, findSigner } from './find'
import { attachmentPackages } from './record'
import { fileFormats, type FileFormat, type SignatureDocument, type Signer } from './state'

/** `GET …/files?fileFormat=`: the bytes; 404 while the format is not among the completed packages. */
export async function getDocumentFile(call: Call, world: World): Promise<Answer> {
  const document = findDocument(call, world)
  const format = formatOf(call, fileFormats)
  if (!document.completedPackages.includes(format)) throw notReady(format)
  return answerFile(fileOf(document), format)
}

/** `GET …/files/signers/{signerId}?fileFormat=`: the document with this signer's signature alone. */
export async function getSignerFile(call: Call, world: World): Promise<Answer> {
  const document = findDocument(call, world)
  const signer = findSigner(call, document)
  return answerFile(fileOf(document, signer), signerFormat(call, document, signer))
}

/** `GET …/files/attachments/{attachmentId}?fileFormat=` */
export async function getAttachmentFile(call: Call, world: World): Promise<Answer> {
  const document = findDocument(call, world)
  const attachment = findAttachment(call, document)
  const format = formatOf(call, fileFormats)
  if (!attachmentPackages(document, attachment).includes(format)) throw notReady(format)
  return answerFile(fileOfAttachment(document, attachment), format)
}

/** `GET …/files/attachments/{attachmentId}/signers/{signerId}?fileFormat=` */
export async function getAttachmentSignerFile(call: Call, world: World): Promise<Answer> {
  const document = findDocument(call, world)
  const attachment = findAttachment(call, document)
  const signer = findSigner(call, document)
  return answerFile(fileOfAttachment(document, attachment, signer), signerFormat(call, document, signer))
}

/** The format of a signer's own file, which exists once the signer has signed and the document's packages exist. */
function signerFormat(call: Call, document: SignatureDocument, signer: Signer): FileFormat {
  const format = formatOf(call, ['native', 'packaged'] as const)
  if (!signer.signature || !document.completedPackages.includes('native')) throw notReady(format)
  return format === 'native' ? 'native' : 'standard_packaging'
}

function formatOf<Format extends string>({ query }: Call, formats: readonly Format[]): Format {
  const format = formats.find((one) => one === query.get('fileFormat'))
  if (format) return format
  throw invalid([{ field: 'FileFormat', message: `The file format must be one of ${formats.join(', ')}.` }])
}

function notReady(format: string): Error {
  return notFound(`${format} file`, 'FILE_NOT_READY')
}

async function answerFile(source: SourceFile, format: FileFormat): Promise<Answer> {
  const file = await buildFile(source, format)
  if (!file) throw notFound('file')
  const ending = file.type === 'application/xml' && format !== 'unsigned' ? '.xml' : ''
  const name = encodeURIComponent(`${source.fileName}${ending}`).replace(/['()*]/g, encodeCharacter)
  const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''${name}` }
  return { buffer: file.bytes, type: file.type, headers }
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
