/** Downloads a document's file into the message, or streams it into a file, with its size and SHA-256. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { Answer } from '../../lib/api/call/call'
import { beginsAsPdf, pdfHead } from '../../lib/api/call/file-answer'
import { isNotFound, nodeError, type EidError } from '../../lib/api/errors/errors'
import { redact } from '../../lib/api/errors/mask'
import type { Patch } from '../../lib/runtime/node/message-call'
import { absolutePath, isForeignPath, isForeignRelative } from '../../lib/runtime/files/files'
import { isReservedName } from '../../lib/runtime/files/safe-name'
import type { DocumentCall } from './document-call'
import { fileErrors } from './file-errors'
import { formatParam } from '../../lib/runtime/service/document-words'
import { nameForPdf } from './saved-file'
import { createFile, prepareTarget } from '../../lib/runtime/files/save-file'
import { waitUntilReady } from '../../lib/runtime/service/wait-until-ready'

export async function download(given: DocumentCall): Promise<Patch> {
  const pdfName = nameForPdf(given)
  const fileFormat = pdfName === undefined ? given.values.fileFormat : 'pades'
  const call = { ...given, values: { ...given.values, fileFormat } }
  const { values, workingDirectory } = call
  call.check([...unnamed(call, ['ofSigner', 'ofAttachment', 'saveTo']), ...nameless(call)])
  const path = values.saveTo ? absolutePath(values.saveTo, workingDirectory) : undefined
  if (values.waitUntilReady) {
    // If the file can't be saved, waiting for it would be pointless, so this is checked first.
    if (path) await prepareTarget(path, call.signal).catch(fileErrors(call, 'saveTo', path))
    await waitUntilReady(call, pdfName)
  }
  try {
    return await (path ? save(call, path) : fetch(call))
  } catch (error) {
    throw isNotFound(error) && !values.waitUntilReady ? missingFile(call, error, pdfName) : error
  }
}

/**
 * Returns the error for a missing file. The sentence of this error assumes that the document was signed just now and
 * has no signed file yet, because that is more likely than a wrong id.
 */
function missingFile(
  { values: { documentId: id = '', fileFormat = '' } }: DocumentCall,
  { code, cause }: EidError,
  pdfName: string | undefined,
): EidError {
  if (pdfName !== undefined) return nodeError(code, 'errors.noFileNamed', { id, name: pdfName }, cause)
  return nodeError(code, 'errors.noFile', { id, fileFormat: formatParam(fileFormat) }, cause)
}

/**
 * Returns the call for the wanted file: the file of the document, of one signer, of one attachment, or of one signer
 * for one attachment.
 */
function wanted({ values }: DocumentCall) {
  const { documentId: id = '', ofSigner: signerId, ofAttachment: attachmentId } = values
  const params = { id, ...(signerId && { signerId }), ...(attachmentId && { attachmentId }) }
  if (signerId && attachmentId) return { operation: 'getAttachmentSignerFile', params } as const
  if (signerId) return { operation: 'getSignerFile', params } as const
  return { operation: attachmentId ? 'getAttachmentFile' : 'getDocumentFile', params } as const
}

/**
 * Returns a problem if the form names a signer, an attachment, a path or a key, but the value is empty, for example
 * because the message lacks it. Without this check, the node would download the file of the whole document instead,
 * leave the file in the message, or list all documents.
 */
export function unnamed(
  { values, origin }: DocumentCall,
  names: readonly ('ofSigner' | 'ofAttachment' | 'saveTo' | 'externalId')[],
) {
  return names.filter((name) => origin(name).typed && !values[name]).map((path) => ({ path, key: 'missing' }))
}

/**
 * Returns a problem if the path names no file: a slash at the end means a folder, and the name must be valid on this
 * computer.
 */
function nameless({ values: { saveTo = '' } }: DocumentCall) {
  const key = isForeignPath(saveTo)
    ? 'foreignTarget'
    : isForeignRelative(saveTo)
      ? 'separators'
      : saveTo.endsWith('/') || saveTo.endsWith(sep)
        ? 'fileUnnamed'
        : isReservedName(basename(saveTo))
          ? 'reservedName'
          : undefined
  return key === undefined ? [] : [{ path: 'saveTo', key }]
}

async function fetch(call: DocumentCall): Promise<Patch> {
  const { documentId: id, fileFormat } = call.values
  const { operation, params } = wanted(call)
  const answer = await call.api.send(operation, { params, query: { fileFormat }, as: 'buffer' })
  const payload = answer.data as Buffer
  const sha256 = createHash('sha256').update(payload).digest('hex')
  const file = { fileFormat, contentType: answer.headers['content-type'], size: payload.length, sha256 }
  call.setStatus('downloaded')
  return { payload, file, documentId: id }
}

async function save(call: DocumentCall, path: string): Promise<Patch> {
  const { documentId: id, fileFormat } = call.values
  const { operation, params } = wanted(call)
  let answer: Answer | undefined
  try {
    const target = await createFile(path, call)
    answer = await call.api
      .send(operation, { params, query: { fileFormat }, as: 'stream' })
      .catch(async (error: unknown) => {
        await target.discard()
        throw error
      })
    const written = await target.receive(answer.data as Readable, call.signal)
    const file = { fileFormat, contentType: answer.headers['content-type'], ...written }
    // The client passes on nothing but a PDF as the signed PDF.
    if (fileFormat !== 'pades' && (await isFalsePdf(written.path)))
      call.warn('notPdf', { file: redact(basename(written.path)) })
    call.setStatus(written.path === path ? 'saved' : 'savedBeside')
    return { payload: file, file, documentId: id }
  } catch (error) {
    return fileErrors(call, 'saveTo', path, answer && { operation, params, answer })(error)
  }
}

/** Whether a file has the name of a PDF but does not begin like one; false if the file can't be read again. */
async function isFalsePdf(path: string): Promise<boolean> {
  if (!/\.pdf$/i.test(path)) return false
  const beginning = await readBeginning(path).catch(() => undefined)
  // A zip file may have a PDF as its first part.
  return beginning !== undefined && (beginning.toString('latin1', 0, 2) === 'PK' || !beginsAsPdf(beginning))
}

async function readBeginning(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(pdfHead), 0, pdfHead, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
