/** Finds the file of a message: the file named in the form, or a Buffer in the payload. */
import type { FileValue } from '../../settings/fields'
import type { FlowMessage } from '../node-red/node-red'
import type { Origin } from './origins'

interface WithFile {
  readonly values: { readonly file?: FileValue | undefined }
  readonly msg: FlowMessage
  origin(name: 'file'): Origin
}

/**
 * The file, or undefined if the message has none. A Buffer in the payload counts only if the form leaves the choice of
 * the file to the message.
 */
export function fileOfMessage({ values, msg, origin }: WithFile): FileValue | undefined {
  if (values.file) return values.file
  const isLeft = origin('file').type === 'auto'
  return isLeft && Buffer.isBuffer(msg.payload) ? { from: 'buffer', buffer: msg.payload } : undefined
}
