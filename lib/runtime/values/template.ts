/** Fills in texts with fields in braces from a message: "Lease for {Last name}". */
import type { ProblemKey } from '../../api/errors/errors'
import type { TemplatePart } from '../../settings/template'
import { numberText } from '../../common/number-text'
import { isPlainObject } from '../../common/plain-object'
import { safeName } from '../files/safe-name'
import { asShown } from './as-shown'
import { clockWords } from './message-moment'
import { getPath, listAt, textAt } from './read-text'
import type { FlowMessage } from '../node-red/node-red'

/**
 * Fields that are available in every text. If the message has a value of the same name, the value of the message is
 * used.
 */
export type BuiltIn = Readonly<Record<string, unknown>>

interface FillOptions {
  /** The path of the setting that a problem names. */
  readonly path: string
  /** True if inserted values become part of a file name. */
  readonly asFileName?: boolean
  /** True if numbers and dates of a list are inserted as the cells of its spreadsheet show them. */
  readonly isShown?: boolean
  readonly builtIn?: BuiltIn
  /** Reads an environment variable. If absent, variables stay in the text, as in a preview. */
  readonly variable?: ReadVariable
}

/** Returns the value of an environment variable. Throws EID_CONFIG if the variable is not set. */
export type ReadVariable = (path: string, name: string) => string

/**
 * Returns the text with its fields filled in; values are inserted unchanged, except in file names. If a value is
 * missing, or is neither text nor number, returns undefined and adds a problem to `problems`. A field is looked up in
 * `msg.payload`, then in `msg`, then in the row of the list for which the message was made. In each of these objects,
 * the field is first looked up as one name, which may contain spaces and dots, and then as a path (`address.street`,
 * `signers[0].name`).
 */
export function fillTemplate(
  parts: readonly TemplatePart[],
  msg: FlowMessage,
  { path, asFileName = false, isShown = false, builtIn = {}, variable }: FillOptions,
  problems: ProblemKey[],
): string | undefined {
  const before = problems.length
  const filled = parts.map((part) => {
    if ('text' in part) return part.text
    if ('variable' in part) return variable?.(path, part.variable) ?? `\${${part.variable}}`
    const read = fieldOf(msg, part.field, builtIn)
    const found = isShown ? asShown(msg, part.field.replace(/^payload\./, ''), read) : read
    if (found === null) return problems.push({ path, key: 'fieldNull', params: { field: part.field } })
    const value = textOf(found)
    if (value === undefined) return problems.push({ path, key: 'fieldMissing', params: { field: part.field } })
    if (typeof value !== 'string') return problems.push({ path, key: 'fieldNotText', params: { field: part.field } })
    return asFileName && value !== '' ? safeName(value.replace(/[/\\]/g, '_')) : value
  })
  return problems.length > before ? undefined : filled.join('')
}

/**
 * The built-in fields: `{date}` and `{time}`, and also `{title}` and `{signer}` (the first signer's name) if the other
 * settings provide them. `moment` is in milliseconds since 1970.
 */
export function builtInOf({ title, signers }: Readonly<Record<string, unknown>>, moment: number): BuiltIn {
  const [row] = listAt(signers, 'rows')
  const items = ['list', 'more'].map((name) => listAt(signers, name)[0])
  const names = ['firstName', 'lastName'].map((name) =>
    [textAt(row, name), ...items.map((item) => textAt(item, `signerInfo.${name}`))].find(Boolean),
  )
  const signer = names.filter(Boolean).join(' ')
  return { ...clockWords(moment), title, signer: signer === '' ? undefined : signer }
}

type Settings = Readonly<Record<string, unknown>>

/**
 * Finds the signers for the field {signer} for a node with these fields: in the settings that have been read so far, or
 * in the message. `name` is the setting that is being read.
 */
export function findSigners(fields: Settings, msg: FlowMessage, values: Settings, name: string): unknown {
  const isAboutDocument = 'documentId' in fields
  const isNewDocument = 'signers' in fields && !isAboutDocument
  // The rows of the signers replace those of the request, whose names they can't contain.
  if (isNewDocument) return name === 'signers' ? undefined : signersOfRequest(values)
  const documentId = isAboutDocument ? values.documentId : msg.documentId
  return values.signers ?? { list: signersOf(msg.payload, documentId) }
}

/**
 * The signers of a new document as it will be sent: those of the setting, to which *More fields* adds missing fields, or,
 * without any, those of the request that the form completes, which *More fields* replaces.
 */
export function signersOfRequest({ signers, more, body }: Settings): unknown {
  if (isPlainObject(signers)) return { ...signers, more: listAt(more, 'signers') }
  return { list: listAt(getPath(more, 'signers') === undefined ? body : more, 'signers') }
}

/**
 * The signers in the payload, for a node that is about an existing document. Returns none unless the payload is that
 * very document: the names of another document's signers would be sent to, or stored for, the wrong people.
 */
function signersOf(payload: unknown, documentId: unknown): unknown[] {
  const id = getPath(payload, 'documentId') ?? getPath(payload, 'id')
  const isIt = (typeof id === 'string' || typeof id === 'number') && id !== '' && String(id) === String(documentId)
  return isIt ? listAt(payload, 'signers') : []
}

/**
 * The value of a field, from the first source that has it. A value that exists but is empty (`null`) ends the search,
 * because the same name in another source means something else.
 */
function fieldOf(msg: FlowMessage, name: string, builtIn: BuiltIn): unknown {
  // The row's columns are a separate source, because nodes replace the row in the payload with their own result.
  const columns = isPlainObject(msg._batch) ? msg._batch.columns : undefined
  for (const source of [msg.payload, msg, columns, builtIn]) {
    const own = ownValue(source, name)
    const found = own === undefined ? atPath(source, name) : own
    if (found !== undefined) return found
  }
  return undefined
}

function ownValue(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null || !Object.hasOwn(source, name)) return undefined
  return (source as Record<string, unknown>)[name]
}

/** Looks up a path such as `signers[0].name` or `address.street`. */
function atPath(source: unknown, path: string): unknown {
  const names = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  if (names.length < 2 || source === null) return undefined
  return names.reduce<unknown>((value, name) => (value === null ? null : ownValue(value, name.trim())), source)
}

/** A value as the text to insert; undefined if the value is missing, `false` if it is neither text nor number. */
function textOf(value: unknown): string | false | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? numberText(value) : false
}
