/** One message handled by "archive", and its errors in sentences for people. */
import { stoppedBeforeSending } from '../../lib/api/call/no-answer'
import { inputError } from '../../lib/api/errors/errors'
import { maskKey, redact } from '../../lib/api/errors/mask'
import { fileCode, fileReason } from '../../lib/runtime/files/file-reason'
import { explainCheck } from '../../lib/runtime/node/explain-check'
import type { Call } from '../../lib/runtime/node/message-call'
import type { fields } from './archive.fields'
import { ArchiveFault } from './keep'

export type ArchiveCall = Call<typeof fields>

/**
 * The same call, in which an error about a setting also says that the document is not archived and how to archive it,
 * because the document itself is done.
 */
export function archivingCall(call: ArchiveCall): ArchiveCall {
  return explainCheck(call, 'notArchived', () => ({ id: maskKey(call.values.documentId ?? '') }))
}

/**
 * Returns an error handler that always rejects. Errors of the file system become a sentence for people. If the flow was
 * stopped, the new error says that. All other errors stay as they are.
 */
export function archiveErrors(call: ArchiveCall, folder: string): (error: unknown) => Promise<never> {
  const { operation, documentId = '' } = call.values
  return async (error) => {
    if (error === call.signal.reason) throw stoppedBeforeSending().error
    if (error instanceof ArchiveFault) {
      const key = error.state === 'missing' ? 'archiveMissing' : 'archiveChanged'
      throw inputError([{ path: 'archiveFolder', key, params: { id: maskKey(documentId), file: error.file } }])
    }
    const code = fileCode(error)
    if (code === undefined) throw error
    const params = { folder: redact(folder), reason: fileReason(code), id: maskKey(documentId) }
    throw inputError([{ path: 'archiveFolder', key: operation === 'check' ? 'notRead' : 'notWritten', params }])
  }
}
