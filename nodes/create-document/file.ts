/** Reads the file to sign, whatever its source, without blocking. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { Call } from '../../lib/runtime/node/api-node'
import type { PlainObject } from '../../lib/common/plain-object'
import { lastPart, nameOnDisk, readWholeFile } from '../../lib/runtime/files/read-file'
import { isWordFile, wordName } from '../../lib/runtime/files/is-word'
import { fileOfMessage } from '../../lib/runtime/values/message-file'
import type { fields } from './create-document.fields'
import { filledIn } from './word'

type CreateCall = Pick<Call<typeof fields>, 'values' | 'origin' | 'msg' | 'workingDirectory' | 'client' | 'signal'>

/**
 * The file in the form that the request needs, or the reason why it is not available. Neither if the form provides
 * none, so that the body's own stays.
 */
export interface ReadFile {
  readonly dataToSign?: PlainObject
  readonly problems: readonly ProblemKey[]
}

/** Reads the file of one message, a Word file with `fill`. Throws EID_CONFIG if its base folder does not exist. */
export async function readDocumentFile(call: CreateCall, fill = filledIn): Promise<ReadFile> {
  const { values, origin } = call
  const named = origin('fileName').isChosen
  const file = fileOfMessage(call)
  if (!file) return { dataToSign: named ? { fileName: values.fileName } : undefined, problems: [] }
  const read = await readWholeFile(file, call, values.baseFolder)
  if ('key' in read) return { problems: [{ path: 'file', ...read }] }
  const given = named ? values.fileName : (lastPart(values.fileName) ?? nameOnDisk(file))
  if (!isWordFile(read.bytes, [given, nameOnDisk(file)]))
    return { dataToSign: { base64Content: read.bytes.toString('base64'), fileName: given }, problems: [] }
  if (named && values.convertToPdf === false && /\.pdf$/i.test(given ?? ''))
    return { problems: [{ path: 'fileName', key: 'wordNotPdf' }] }
  const filled = await fill(read.bytes, values)
  if ('problems' in filled) return filled
  const [base64Content, fileName] = [filled.bytes.toString('base64'), wordName(given)]
  // Signers must see the filled-in text itself, not their own program's rendering of it.
  return { dataToSign: { base64Content, fileName, convertToPDF: true }, problems: [] }
}
