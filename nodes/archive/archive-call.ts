/** One message handled by "archive", and its errors in sentences for people. */
import { fromFault } from '../../lib/api/call/failures'
import { EidError, inputError } from '../../lib/api/errors/errors'
import { TransportFault } from '../../lib/api/errors/fault'
import { maskKey } from '../../lib/api/errors/mask-key'
import { redact } from '../../lib/api/errors/redact'
import { fileCode, fileReason } from '../../lib/runtime/files/file-reason'
import type { Call } from '../../lib/runtime/node/message-call'
import type { fields } from './archive.fields'
import { ArchiveFault } from './keep'

export type ArchiveCall = Call<typeof fields>

/**
 * The same call, in which an error about a setting also says that the document is not archived and how to archive it,
 * because the document itself is done.
 */
export function archivingCall(call: ArchiveCall): ArchiveCall {
  return {
    ...call,
    check(problems) {
      try {
        call.check(problems)
      } catch (error) {
        throw notArchived(call, error)
      }
    },
  }
}

function notArchived({ values: { documentId = '' } }: ArchiveCall, error: unknown): unknown {
  if (!(error instanceof EidError)) return error
  const { problemKeys } = error
  const last = problemKeys.at(-1)
  // Without a usable id, it is unknown which document this was about.
  if (!last || documentId === '' || problemKeys.some(({ path }) => path === 'documentId')) return error
  // Said in the same problem: Catch nodes and reports count one problem for each setting.
  const params = { ...last.params, id: maskKey(documentId), problem: `@problems.${last.key}` }
  return inputError([...problemKeys.slice(0, -1), { ...last, key: 'notArchived', params }])
}

const unsent = { method: 'GET', path: '', attempts: 0, seconds: 0 }

/**
 * Returns an error handler that always rejects. Errors of the file system become a sentence for people. If the flow was
 * stopped, the new error says that. All other errors stay as they are.
 */
export function archiveErrors(call: ArchiveCall, folder: string): (error: unknown) => Promise<never> {
  const { operation, documentId = '' } = call.values
  return async (error) => {
    if (error === call.signal.reason)
      throw fromFault(new TransportFault('aborted', 'connecting', 'STOPPED'), unsent).error
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
