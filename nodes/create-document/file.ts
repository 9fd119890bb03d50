/** Reads the file to sign, whatever its source, without blocking, and fills in the fields of a Word file. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { Call } from '../../lib/runtime/node/message-call'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { lastPart, nameOnDisk, readWholeFile } from '../../lib/runtime/files/read-file'
import { isWordFile, wordName } from '../../lib/runtime/files/is-word'
import { fieldsOfFile, fillWord } from '../../lib/runtime/files/word-file'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { asShown } from '../../lib/runtime/values/as-shown'
import { fileOfMessage } from '../../lib/runtime/values/message-file'
import { momentOfMessage } from '../../lib/runtime/values/message-moment'
import { builtInOf, signersOfRequest } from '../../lib/runtime/values/template'
import { namingAbsent } from './absent-columns'
import type { fields } from './create-document.fields'
import type { CreateValues } from './request'

type Provided = 'values' | 'origin' | 'columns' | 'msg' | 'workingDirectory' | 'client' | 'signal'
type CreateCall = Pick<Call<typeof fields>, Provided>

/**
 * The file in the form that the request needs, or the problems that make it unavailable. If the form provides no file,
 * there is no content and no problem, so that the file in the body is kept.
 */
interface ToSign {
  readonly dataToSign?: PlainObject
  readonly problems: readonly ProblemKey[]
}

/** Fills in the fields of a Word file. Returns its bytes, or the fault in the file or in a value. */
type Fill = (
  bytes: Buffer,
  values: CreateValues,
  moment: number,
) => Promise<{ bytes: Buffer } | { problems: ProblemKey[] }>

/**
 * Reads the file of one message; a Word file is filled in by `fill`. Throws EID_CONFIG if the base folder does not
 * exist.
 */
export async function readDocumentFile(call: CreateCall, fill: Fill = filledIn): Promise<ToSign> {
  const file = fileOfMessage(call)
  const read = file && (await readWholeFile(file, call, call.values.baseFolder))
  if (read && 'key' in read) return { problems: [{ path: 'file', ...read }] }
  const source = { named: call.origin('fileName').isChosen, file, bytes: read?.bytes }
  const values = { ...call.values, fields: asCellsShow(call.values.fields, call.msg) }
  const made = await toSign(source, values, (bytes) => fill(bytes, values, momentOfMessage(call.msg)))
  return { ...made, problems: namingAbsent(made.problems, call, values) }
}

/** An object with the values of the fields, with numbers and dates as the cells of their spreadsheet show them. */
function asCellsShow(given: CreateValues['fields'], msg: FlowMessage): CreateValues['fields'] {
  if (!isPlainObject(given) || isList(given)) return given
  const shown = Object.entries(given).map(([name, value]): [string, unknown] => [name, asShown(msg, name, value)])
  return Object.fromEntries(shown) as CreateValues['fields']
}

interface Source {
  /** Whether the form names the file. */
  readonly named: boolean
  readonly file: ReturnType<typeof fileOfMessage>
  readonly bytes: Buffer | undefined
}

async function toSign(
  { named, file, bytes }: Source,
  values: CreateValues,
  fill: (bytes: Buffer) => ReturnType<Fill>,
): Promise<ToSign> {
  if (!file || !bytes) return { dataToSign: named ? { fileName: values.fileName } : undefined, problems: [] }
  const given = named ? values.fileName : (lastPart(values.fileName) ?? nameOnDisk(file))
  const fields = isWordFile(bytes, [given, nameOnDisk(file)]) ? undefined : await fieldsOfFile(bytes)
  if (fields && 'key' in fields) return { problems: [{ path: 'file', ...fields }] }
  if (fields?.length === 0)
    return { dataToSign: { base64Content: bytes.toString('base64'), fileName: given }, problems: [] }
  if (named && values.convertToPdf === false && /\.pdf$/i.test(given ?? ''))
    return { problems: [{ path: 'fileName', key: 'wordNotPdf' }] }
  const filled = await fill(bytes)
  if ('problems' in filled) return filled
  const base64Content = filled.bytes.toString('base64')
  const fileName = wordName(given)
  // The service converts the file to PDF, so that signers see the filled-in text itself and not their own program's
  // rendering of it.
  return { dataToSign: { base64Content, fileName, convertToPDF: true }, problems: [] }
}

/** Fills in the values that the form or the message provides. */
const filledIn: Fill = async (bytes, values, moment) => {
  const fields = await fieldsOfFile(bytes)
  if ('key' in fields) return { problems: [{ path: 'file', ...fields }] }
  if (fields.length === 0) return { bytes }
  const { given, mayBeEmpty } = givenIn(values.fields)
  const builtIn = builtInOf({ ...values, signers: signersOfRequest(values) }, moment)
  const filled = await fillWord(bytes, fields, { ...defined(builtIn), ...given }, mayBeEmpty)
  return 'bytes' in filled ? filled : { problems: filled.problems.map((one) => ({ path: 'fields', ...one })) }
}

/** Returns the values by field name, from the rows of the form or from an object that comes from elsewhere. */
function givenIn(given: CreateValues['fields'] | PlainObject): { given: PlainObject; mayBeEmpty: ReadonlySet<string> } {
  if (!isPlainObject(given)) return { given: {}, mayBeEmpty: new Set() }
  if (!isList(given)) return { given, mayBeEmpty: new Set() }
  const empty = given.rows.filter(({ mayBeEmpty }) => mayBeEmpty).map(({ name }) => name ?? '')
  // A value that is empty, or missing from the message, counts as an empty text.
  const named = given.rows.map(({ name = '', value }): [string, unknown] => [name, value ?? ''])
  return { given: Object.fromEntries(named), mayBeEmpty: new Set(empty) }
}

type FormList = Extract<CreateValues['fields'], { from: 'form' }>

const isList = (given: PlainObject | FormList): given is FormList => given.from === 'form' && Array.isArray(given.rows)

function defined(values: Readonly<Record<string, unknown>>): PlainObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
