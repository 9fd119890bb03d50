/** Reads the file to sign, wherever it comes from, without blocking. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { FileValue } from '../../lib/settings/fields'
import type { Call } from '../../lib/runtime/node/api-node'
import type { PlainObject } from '../../lib/common/plain-object'
import { lastPart, nameOnDisk, readWholeFile } from '../../lib/runtime/files/read-file'
import { fields } from './create-document.fields'

type CreateCall = Pick<Call<typeof fields>, 'values' | 'config' | 'msg' | 'workingDirectory' | 'client' | 'signal'>

/**
 * The file as the request wants it, or why it can't be had. Neither when the form brings none, so that the
 * body's own stays.
 */
export interface ReadFile {
  readonly dataToSign?: PlainObject
  readonly problems: readonly ProblemKey[]
}

/** Reads the file of one message. Throws EID_CONFIG when there is a base folder that does not exist. */
export async function readDocumentFile(call: CreateCall): Promise<ReadFile> {
  const { values, config } = call
  const named = config.fileNameType !== undefined && config.fileNameType !== fields.fileName.type
  const file = values.file ?? payloadFile(call)
  if (!file) return { dataToSign: named ? { fileName: values.fileName } : undefined, problems: [] }
  const read = await readWholeFile(file, call, values.baseFolder)
  if ('key' in read) return { problems: [{ path: 'file', ...read }] }
  const fileName = named ? values.fileName : (lastPart(values.fileName) ?? nameOnDisk(file))
  return { dataToSign: { base64Content: read.bytes.toString('base64'), fileName }, problems: [] }
}

function payloadFile({ msg, config }: CreateCall): FileValue | undefined {
  const auto = (config.fileType ?? fields.file.type) === 'auto'
  return auto && Buffer.isBuffer(msg.payload) ? { from: 'buffer', buffer: msg.payload } : undefined
}
