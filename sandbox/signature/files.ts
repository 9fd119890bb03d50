/** Gives out the files of a document. */
import { invalid, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import { findDocument } from './find'
import { buildFile } from './package'
import { fileFormats } from './state'

/** `GET …/files?fileFormat=`: the bytes; 404 while the format is not among the completed packages. */
export async function getDocumentFile(call: Call, world: World): Promise<Answer> {
  const document = findDocument(call, world)
  const asked = call.query.get('fileFormat')
  const format = fileFormats.find((one) => one === asked)
  if (!format) {
    throw invalid([{ field: 'FileFormat', message: `The file format must be one of ${fileFormats.join(', ')}.` }])
  }
  if (!document.completedPackages.includes(format)) throw notFound(`${format} file`, 'FILE_NOT_READY')
  const file = await buildFile(document, format)
  if (!file) throw notFound('file')
  const ending = file.type === 'application/xml' && format !== 'unsigned' ? '.xml' : ''
  const name = encodeURIComponent(`${document.fileName}${ending}`).replace(/['()*]/g, encodeCharacter)
  const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''${name}` }
  return { buffer: file.bytes, type: file.type, headers }
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
