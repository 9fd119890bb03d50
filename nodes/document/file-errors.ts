/** Converts file system errors into an error with a sentence for people. */
import type { Answer } from '../../lib/api/call/call'
import { causeOf } from '../../lib/api/call/answer-error'
import { inputError, withCause, type EidError } from '../../lib/api/errors/errors'
import { fromFault } from '../../lib/api/call/failures'
import { TransportFault } from '../../lib/api/errors/fault'
import { redact } from '../../lib/api/errors/redact'
import type { OperationName } from '../../lib/api/operations/operations'
import { failedItem } from '../../lib/runtime/node/failed-item'
import { FileFault } from '../../lib/runtime/files/save-file'
import type { DocumentCall } from './document-call'

/** The service's response, given if the file could not be written after the service was asked. */
interface Fetched {
  readonly operation: OperationName
  readonly params: Readonly<Record<string, string>>
  readonly answer: Answer
}

/**
 * Returns an error handler that always rejects. If the file at `path` can't be written, the new error says so in a
 * sentence for people and names `setting`. If the flow was stopped before a request was sent, the new error says that.
 * All other errors stay as they are.
 */
export function fileErrors(
  call: DocumentCall,
  setting: 'saveTo' | 'archiveFolder',
  path: string,
  fetched?: Fetched,
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error === call.signal.reason)
      throw fromFault(new TransportFault('aborted', 'connecting', 'STOPPED'), unsent).error
    const code = error instanceof FileFault ? error.code : systemCode(error)
    throw code === undefined ? error : notWritable(call, { path: setting, file: path }, code, fetched)
  }
}

/** The system's error code, such as ENOSPC; undefined for any other error. */
function systemCode(error: unknown): string | undefined {
  const { syscall, code } = error as NodeJS.ErrnoException
  return error instanceof Error && typeof syscall === 'string' ? String(code) : undefined
}

const unsent = { method: 'GET', path: '', attempts: 0, seconds: 0 }

/** The error codes that have a sentence of their own. */
const knownCodes = [
  ...['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'],
  ...['SPECIAL', 'LINK', 'GONE', 'AWAY', 'ERR_INVALID_ARG_VALUE'],
]

const wordsOf = (code: string) => (knownCodes.includes(code) ? `@files.${code}` : code)

/** Returns why something could not be written, as a parameter of a text. */
export function reasonOf(error: unknown): string {
  return wordsOf(error instanceof FileFault ? error.code : (systemCode(error) ?? String(error)))
}

/**
 * The error for a file that could not be written, either before the service was asked or while its response was
 * arriving. It names the document: each document without its file needs attention.
 */
function notWritable(
  { values, msg }: DocumentCall,
  { path, file }: { readonly path: string; readonly file: string },
  code: string,
  fetched: Fetched | undefined,
): EidError {
  const known = { file: redact(file), reason: wordsOf(code) }
  const { documentId, title } = failedItem({ documentId: values.documentId }, msg)
  // "check the archive" reads the files of all documents.
  const isOne = documentId !== undefined && values.operation !== 'checkArchive'
  const whose = title === undefined ? '@subjects.document' : '@whose'
  const problem = isOne
    ? { key: 'fileNotWritableOf', params: { ...known, whose, id: documentId, title: title ?? '' } }
    : { key: 'fileNotWritable', params: known }
  const refused = inputError([{ path, ...problem }])
  return fetched ? withCause(refused, causeOf(fetched.operation, fetched.answer, fetched.params)) : refused
}
