/** Converts file system errors into an error with a sentence for people. */
import type { Answer } from '../../lib/api/call/call'
import { causeOf } from '../../lib/api/call/answer-error'
import { type EidError, inputError, withCause } from '../../lib/api/errors/errors'
import { stoppedBeforeSending } from '../../lib/api/call/no-answer'
import { maskKey, redact } from '../../lib/api/errors/mask'
import type { OperationName } from '../../lib/api/operations/operations'
import { fileCode, fileReason } from '../../lib/runtime/files/file-reason'
import { explainCheck } from '../../lib/runtime/node/explain-check'
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
  setting: 'saveTo',
  path: string,
  fetched?: Fetched,
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error === call.signal.reason) throw stoppedBeforeSending().error
    const code = fileCode(error)
    throw code === undefined ? error : notWritable(call, { path: setting, file: path }, code, fetched)
  }
}

/**
 * The same call for an operation that fetches a file. If a setting can't be read, the error also says whose file is not
 * saved and how to get it, because the document itself is done.
 */
export function savingCall(call: DocumentCall): DocumentCall {
  return explainCheck(call, 'notSavedOf', () => ({ ...subjectOf(call), ...partParams(call) }))
}

/** The signer and the attachment whose file is to be saved, as parameters of a text; empty for the document's file. */
function partParams({ values: { operation, ofSigner = '', ofAttachment = '' }, origin }: DocumentCall) {
  const signer = shownId(ofSigner)
  const attachment = shownId(ofAttachment)
  const isWanted = (name: 'ofSigner' | 'ofAttachment') => operation === 'download' && Boolean(origin(name).typed)
  return {
    ofSigner: isWanted('ofSigner') ? `@fileOf.${signer ? 'signer' : 'aSigner'}` : '',
    ofAttachment: isWanted('ofAttachment') ? `@fileOf.${attachment ? 'attachment' : 'anAttachment'}` : '',
    signer,
    attachment,
  }
}

/**
 * The id, or nothing if the value does not look like an id of the service: the wrong property may contain the name of a
 * person, a phone number or a date of birth.
 */
const shownId = (id: string) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? id : '')

/** The document of the message, as parameters of a text; undefined if the message names no document. */
function subjectOf({ values: { documentId = '' } }: DocumentCall) {
  return documentId === '' ? undefined : { whose: '@subjects.document', id: maskKey(documentId) }
}

/**
 * The error for a file that could not be written, either before the service was asked or while its response was
 * arriving. It names the document: each document without its file needs attention.
 */
function notWritable(
  call: DocumentCall,
  { path, file }: { readonly path: string; readonly file: string },
  code: string,
  fetched: Fetched | undefined,
): EidError {
  const known = { file: redact(file), reason: fileReason(code) }
  const subject = subjectOf(call)
  const problem = subject
    ? { key: 'fileNotWritableOf', params: { ...known, ...subject } }
    : { key: 'fileNotWritable', params: known }
  const refused = inputError([{ path, ...problem }])
  return fetched ? withCause(refused, causeOf(fetched.operation, fetched.answer, fetched.params)) : refused
}
