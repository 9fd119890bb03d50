/** Reads the file to sign, whatever its source, without blocking, and fills in the fields of a Word file. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { Call } from '../../lib/runtime/node/message-call'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { lastPart, nameOnDisk, readWholeFile } from '../../lib/runtime/files/read-file'
import { isWordFile, wordName } from '../../lib/runtime/files/is-word'
import type { WordField } from '../../lib/runtime/files/word-field'
import { fieldsOfFile, fillWord } from '../../lib/runtime/files/word-file'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { asShown } from '../../lib/runtime/values/as-shown'
import { fileOfMessage } from '../../lib/runtime/values/message-file'
import type { ClockWords } from '../../lib/runtime/values/clock-words'
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
export interface ToSign {
  readonly dataToSign?: PlainObject
  readonly problems: readonly ProblemKey[]
  /** Whether the file is a Word file that contains the date or the time. */
  readonly isDated?: boolean
}

interface ReadFile extends ToSign {
  /** Converts the same file again with these values; absent if the file could not be read. */
  readonly again?: (values: CreateValues, words: ClockWords) => Promise<ToSign>
}

/** Fills in the fields of a Word file. Returns its bytes, or the fault in the file or in a value. */
type Fill = (
  bytes: Buffer,
  values: CreateValues,
  words?: ClockWords,
) => Promise<{ bytes: Buffer; isDated?: boolean } | { problems: ProblemKey[] }>

/**
 * Reads the file of one message; a Word file is filled in by `fill`. Throws EID_CONFIG if the base folder does not
 * exist.
 */
export async function readDocumentFile(call: CreateCall, fill: Fill = filledIn): Promise<ReadFile> {
  const file = fileOfMessage(call)
  const read = file && (await readWholeFile(file, call, call.values.baseFolder))
  if (read && 'key' in read) return { problems: [{ path: 'file', ...read }] }
  const source = { named: call.origin('fileName').isChosen, file, bytes: read?.bytes }
  const again = async (given: CreateValues, words?: ClockWords) => {
    const values = { ...given, fields: asCellsShow(given.fields, call.msg) }
    const made = await toSign(source, values, (bytes) => fill(bytes, values, words))
    return { ...made, problems: namingAbsent(made.problems, call, values) }
  }
  return { ...(await again(call.values)), again }
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

async function toSign({ named, file, bytes }: Source, values: CreateValues, fill: Fill): Promise<ToSign> {
  if (!file || !bytes) return { dataToSign: named ? { fileName: values.fileName } : undefined, problems: [] }
  const given = named ? values.fileName : (lastPart(values.fileName) ?? nameOnDisk(file))
  const fields = isWordFile(bytes, [given, nameOnDisk(file)]) ? undefined : await fieldsOfFile(bytes)
  if (fields && 'key' in fields) return { problems: [{ path: 'file', ...fields }] }
  if (fields?.length === 0)
    return { dataToSign: { base64Content: bytes.toString('base64'), fileName: given }, problems: [] }
  if (named && values.convertToPdf === false && /\.pdf$/i.test(given ?? ''))
    return { problems: [{ path: 'fileName', key: 'wordNotPdf' }] }
  const filled = await fill(bytes, values)
  if ('problems' in filled) return filled
  const [base64Content, fileName] = [filled.bytes.toString('base64'), wordName(given)]
  // The service converts the file to PDF, so that signers see the filled-in text itself and not their own program's
  // rendering of it.
  return { dataToSign: { base64Content, fileName, convertToPDF: true }, problems: [], isDated: filled.isDated === true }
}

/** Fills in the values that the form or the message provides. */
const filledIn: Fill = async (bytes, values, words) => {
  const fields = await fieldsOfFile(bytes)
  if ('key' in fields) return { problems: [{ path: 'file', ...fields }] }
  if (fields.length === 0) return { bytes }
  const { given, mayBeEmpty } = givenIn(values.fields)
  const builtIn = builtInOf({ ...values, signers: signersOfRequest(values) }, words)
  const filled = await fillWord(bytes, fields, { ...defined(builtIn), ...given }, mayBeEmpty)
  const isDated = namesMoment(fields, given)
  return 'bytes' in filled
    ? { ...filled, isDated }
    : { problems: filled.problems.map((one) => ({ path: 'fields', ...one })) }
}

/** Whether the file contains the date or the time of the message, also in a part that may be left out. */
function namesMoment(fields: readonly WordField[], given: PlainObject): boolean {
  return fields.some(({ name, inside }) =>
    inside ? namesMoment(inside, given) : (name === 'date' || name === 'time') && !Object.hasOwn(given, name),
  )
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
