/** Fills texts with fields in braces from a message: "Lease for {Last name}". */
import type { ProblemKey } from '../../api/errors/errors'
import type { TemplatePart } from '../../settings/template'
import { numberText } from '../../common/number-text'
import { isPlainObject } from '../../common/plain-object'
import { safeName } from '../files/safe-name'
import { currentWords } from './clock-words'
import { listAt, textAt } from './read-text'
import type { FlowMessage } from '../node-red/node-red'

/** Fields available in every text; values of the message under the same names take precedence. */
export type BuiltIn = Readonly<Record<string, unknown>>

export interface FillOptions {
  /** The setting to name in a problem. */
  readonly path: string
  /** Inserted values become part of a file name. */
  readonly asFileName?: boolean
  readonly builtIn?: BuiltIn
  /** Absent: variables stay in the text, as in a preview. */
  readonly variable?: ReadVariable
}

/** The value of an environment variable. Throws EID_CONFIG if it is not set. */
export type ReadVariable = (path: string, name: string) => string

/**
 * The text with its fields filled in; values are inserted unchanged, except in file names. If a value is missing, or
 * neither text nor number, the result is undefined and a problem is added to `problems`. A field is looked up in
 * `msg.payload`, then on `msg`, then in the row of a list that the message was made for: first as one name, which may
 * contain spaces and dots, then as a path (`address.street`, `signers[0].name`).
 */
export function fillTemplate(
  parts: readonly TemplatePart[],
  msg: FlowMessage,
  { path, asFileName = false, builtIn = {}, variable }: FillOptions,
  problems: ProblemKey[],
): string | undefined {
  const before = problems.length
  const filled = parts.map((part) => {
    if ('text' in part) return part.text
    if ('variable' in part) return variable?.(path, part.variable) ?? `\${${part.variable}}`
    const found = fieldOf(msg, part.field, builtIn)
    if (found === null) return problems.push({ path, key: 'fieldNull', params: { field: part.field } })
    const value = textOf(found)
    if (value === undefined) return problems.push({ path, key: 'fieldMissing', params: { field: part.field } })
    if (typeof value !== 'string') return problems.push({ path, key: 'fieldNotText', params: { field: part.field } })
    return asFileName && value !== '' ? safeName(value.replace(/[/\\]/g, '_')) : value
  })
  return problems.length > before ? undefined : filled.join('')
}

/**
 * `{date}`, `{time}`, and `{title}` and `{signer}` (the first signer's name) as far as the other settings give them.
 */
export function builtInOf({ title, signers }: Readonly<Record<string, unknown>>, words = currentWords()): BuiltIn {
  const [row] = listAt(signers, 'rows')
  const [item] = listAt(signers, 'list')
  const names = ['firstName', 'lastName'].map((name) => textAt(row, name) || textAt(item, `signerInfo.${name}`))
  const signer = names.filter(Boolean).join(' ')
  return { ...words, title, signer: signer === '' ? undefined : signer }
}

/** If a value exists but is empty (`null`), the same name elsewhere belongs to something else. */
function fieldOf(msg: FlowMessage, name: string, builtIn: BuiltIn): unknown {
  // Nodes put their result into the payload, where the row had been.
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

/** `signers[0].name` and `address.street`. */
function atPath(source: unknown, path: string): unknown {
  const names = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  if (names.length < 2 || source === null) return undefined
  return names.reduce<unknown>((value, name) => (value === null ? null : ownValue(value, name.trim())), source)
}

/** A value as inserted text; undefined if it is missing, `false` if it is neither text nor number. */
function textOf(value: unknown): string | false | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? numberText(value) : false
}
