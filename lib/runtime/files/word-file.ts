/** Word files with fields in braces: lists the fields of a file, and fills them in. */
import { createHash } from 'node:crypto'
import { numberText } from '../../common/number-text'
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import { flagOf } from '../../settings/flag'
import type { FileProblem } from './file-problem'
import { isCompound, isLocked, isPdf } from './locked'
import type { WordField, WordFields } from './word-field'
import { createWordProcess } from './word-process'

const worker = createWordProcess()

/**
 * The fields of recently read files, keyed by the hash of the content. They are kept because a list sends the same file
 * for every row.
 */
const known = new Map<string, WordFields>()
const maxKnown = 50

/**
 * The fields of a file that is to be signed. Only a Word file has some; another file that contains a field in braces, or
 * has a password, gets a problem. Files that can contain no field are not sent to the process.
 */
export async function fieldsOfFile(bytes: Buffer): Promise<WordFields> {
  if (isLocked(bytes)) return { key: 'fileLocked' }
  const isPacked = isCompound(bytes) || bytes.toString('latin1', 0, 2) === 'PK'
  return isPdf(bytes) || (!isPacked && !bytes.includes('{')) ? [] : fieldsOfWord(bytes)
}

/** The fields of a Word file in order, each only once; or the first mistake in the file. */
export async function fieldsOfWord(bytes: Buffer): Promise<WordFields> {
  const content = createHash('sha256').update(bytes).digest('base64')
  const fields = known.get(content) ?? (await worker.fields(bytes))
  known.delete(content)
  // A file that took too long may be readable when the machine is less busy.
  if (!('key' in fields) || fields.key !== 'wordHeavy') known.set(content, fields)
  if (known.size > maxKnown) known.delete(known.keys().next().value ?? '')
  return fields
}

/** The text of a Word file, including header and footer: one line per paragraph. Rejects if it can't be read. */
export async function textOfWord(bytes: Buffer): Promise<string> {
  const text = await worker.text(bytes)
  if (typeof text !== 'string') throw new Error(text.key)
  return text
}

/**
 * Returns the file with its fields filled in. Values are inserted unchanged, including line breaks. Only fields whose
 * names are in `mayBeEmpty` may be empty. All values that are missing, empty, or neither text nor number are reported
 * at once. The same values give the same bytes.
 */
export async function fillWord(
  bytes: Buffer,
  fields: readonly WordField[],
  values: PlainObject,
  mayBeEmpty: ReadonlySet<string>,
): Promise<{ readonly bytes: Buffer } | { readonly problems: readonly FileProblem[] }> {
  const problems: FileProblem[] = []
  const data = dataOf(fields, values, '', { mayBeEmpty, problems })
  if (problems.length > 0) return { problems }
  const filled = await worker.fill(bytes, data)
  return 'key' in filled ? { problems: [filled] } : { bytes: filled }
}

interface Filling {
  readonly mayBeEmpty: ReadonlySet<string>
  readonly problems: FileProblem[]
}

/**
 * The values of these fields. All values are from `source`: a value that an item of a list lacks is not taken from the
 * values outside the list.
 */
function dataOf(fields: readonly WordField[], source: PlainObject, prefix: string, filling: Filling): PlainObject {
  const entries = fields.map(({ name, inside }): [string, unknown] => {
    const value = valueIn(source, name)
    const path = `${prefix}${name}`
    return [
      name,
      inside ? partOf(inside, value, { source, prefix, path }, filling) : textOf(value, name, path, filling),
    ]
  })
  return Object.fromEntries(entries)
}

interface PartPlace {
  /** The values outside the part. A part that a yes/no value shows is filled in from them. */
  readonly source: PlainObject
  readonly prefix: string
  readonly path: string
}

/**
 * The values for a part between `{#name}` and `{/name}`: a list repeats the part, and a yes/no value shows or hides it.
 */
function partOf(
  inside: readonly WordField[],
  value: unknown,
  { source, prefix, path }: PartPlace,
  filling: Filling,
): PlainObject[] {
  // A cell of a list from a file can hold the word yes, but no list.
  const isShown = value === undefined || value === null || value === '' ? undefined : flagOf(value)
  if (isShown !== undefined) return isShown ? [dataOf(inside, source, prefix, filling)] : []
  if (!Array.isArray(value)) {
    filling.problems.push({ key: 'wordNoList', params: { field: path } })
    return []
  }
  return value.map((item: unknown, index) =>
    dataOf(inside, isPlainObject(item) ? item : {}, `${path}[${index}].`, filling),
  )
}

/** The text for a field. A value that exists but is empty (`null`) becomes an empty text. */
function textOf(given: unknown, name: string, path: string, { mayBeEmpty, problems }: Filling): string {
  const value = given === null ? '' : given
  if (typeof value === 'number' && Number.isFinite(value)) return numberText(value)
  if (value === undefined) problems.push({ key: 'wordMissing', params: { field: path } })
  else if (typeof value !== 'string') problems.push({ key: 'wordNotText', params: { field: path } })
  else if (value.trim() === '' && !mayBeEmpty.has(name)) problems.push({ key: 'wordEmpty', params: { field: path } })
  const text = typeof value === 'string' ? value.replace(/\r\n?|[\v\f]/g, '\n') : ''
  // The pattern finds characters that an XML file can't contain.
  if (/[^\t\n\P{Cc}]|[\p{Surrogate}\ufffe\uffff]/u.test(text))
    problems.push({ key: 'wordNotText', params: { field: path } })
  return text
}

/** Looks up the whole name first, because a name may contain dots, and then the name as a path. */
function valueIn(scope: PlainObject, name: string): unknown {
  if (Object.hasOwn(scope, name)) return scope[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isThere ? (value as PlainObject)[part] : undefined
  }, scope)
}
