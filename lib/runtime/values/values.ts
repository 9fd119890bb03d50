/**
 * Reads a node's settings for one message: evaluates typed inputs, checks the types of values, and collects problems.
 */
import { configError, type ProblemKey } from '../../api/errors/errors'
import { variableIn } from '../../common/environment'
import { flagOf } from '../../settings/flag'
import { isTyped, type Field, type Fields, type TypedField, type Values } from '../../settings/fields'
import { isPlainObject } from '../../common/plain-object'
import { rules } from '../../settings/rules'
import {
  absentKey,
  isRelevant,
  literalValue,
  ruleOfNumber,
  validateValue,
  withoutLifted,
  type Validated,
} from '../../settings/validation'
import { columnOf } from '../../settings/column-of'
import { leftToService } from '../../settings/merge-fields'
import { parseTemplate } from '../../settings/template'
import { fileMeaning, toFile, type FileMeaning } from '../files/files'
import { storedIn } from './origins'
import { laterTexts } from './later-text'
import { inReadingOrder } from './reading-order'
import { momentOfMessage } from './message-moment'
import { asShown } from './as-shown'
import { builtInOf, fillTemplate, findSigners, type BuiltIn } from './template'
import { variableOf } from './variable'
import { copyValue } from '../node-red/copy-message'
import type { Expression, FlowMessage, NodeConfig, Runtime, RuntimeNode } from '../node-red/node-red'

export interface ReadResult<F extends Fields> {
  readonly values: Values<F>
  readonly problems: ProblemKey[]
  readonly later: (name: keyof F & string, builtIn: BuiltIn) => string | undefined
}

export type ReadValues<F extends Fields> = (msg: FlowMessage) => Promise<ReadResult<F>>

/** The settings that were read for this message so far. */
interface ReadSoFar {
  readonly values: Readonly<Record<string, unknown>>
  /** Finds the signers for the field {signer}. */
  readonly signers: () => unknown
  /** What was found in contexts and by expressions. These are evaluated only once, so that a message has one answer. */
  readonly found: Found
}

type Found = Map<object, Promise<Evaluated>>
type Evaluated = { readonly value: unknown } | 'failed'

type Read = (msg: FlowMessage, problems: ProblemKey[], known: ReadSoFar) => unknown

interface Source {
  readonly RED: Runtime
  readonly node: RuntimeNode
  /** Each begins to read a value from a context. They are called before anything is waited for. */
  readonly contexts: ((msg: FlowMessage, found: Found) => unknown)[]
}

/**
 * Prepares the reading of all settings once: compiles JSONata, parses texts with fields, and leaves out settings that
 * don't apply. A `${NAME}` that is not set in the environment is reported for each message.
 */
export function createReader<F extends Fields>(
  { RED, node }: Pick<Source, 'RED' | 'node'>,
  fields: F,
  config: NodeConfig,
): ReadValues<F> {
  const source: Source = { RED, node, contexts: [] }
  const read = storedIn(config)
  const used = Object.entries(fields)
    .filter(([, field]) => isRelevant(field, fields, read))
    .map(([name, field]) => [name, withoutLifted(field, read)] as [string, Field])
  const texts = laterTexts(used, config, variableOf(source))
  const dynamic = used.filter(([name, field]) => !texts.has(name) && !isEmptySetting(name, field, config))
  const inOrder = inReadingOrder(dynamic, config)
  const readers = inOrder.map(([name, field]) => [name, readerOf(source, name, name, field, config)] as const)
  return async (msg) => {
    const problems: ProblemKey[] = []
    const found: Found = new Map()
    for (const begin of source.contexts) begin(msg, found)
    const values: Record<string, unknown> = {}
    for (const [name, read] of readers) {
      const signers = () => findSigners(fields, msg, values, name)
      const value = read(msg, problems, { values, found, signers })
      values[name] = value instanceof Promise ? await value : value
    }
    const later = (name: string, known: BuiltIn) =>
      texts.has(name) ? texts.get(name)?.(msg, problems, known) : (values[name] as string)
    return { values: values as Values<F>, problems, later }
  }
}

/** True for a typed setting that was left empty: it has no value, whatever the message contains. */
function isEmptySetting(name: string, field: Field, config: Record<string, unknown>): boolean {
  if (!isTyped(field) || field.required === true) return false
  const type = config[`${name}Type`] ?? field.type
  if (field.guard === true && field.kind === 'boolean') return false
  if (type === 'form') return !Array.isArray(config[`${name}Rows`]) || (config[`${name}Rows`] as unknown[]).length === 0
  return type === 'auto' || (config[name] ?? field.initial) === ''
}

function readerOf(source: Source, name: string, path: string, field: Field, config: Record<string, unknown>): Read {
  const raw = config[name] ?? field.initial
  if (!isTyped(field)) return plainReader(path, field, raw)
  const type = String(config[`${name}Type`] ?? field.type)
  const read = typedReader(source, path, field, type, raw, config[`${name}Rows`])
  const meaning = fileMeaning(type, field.as && config[field.as])
  return (msg, problems, known) => {
    const value = read(msg, problems, known)
    const finish = (found: unknown) => {
      const before = problems.length
      const known = accept(
        { path, field, meaning, isForm: type === 'form', isNamed: isLookedUp(type) },
        found,
        problems,
      )
      // The problem names the property that should contain the value, because people will look there.
      if (places.has(type)) sayWhere(problems, before, `${type}.${String(raw)}`)
      return known
    }
    return value instanceof Promise ? value.then(finish) : finish(value)
  }
}

/** The typed-input types whose text is the path of a property that contains the value. */
const places: ReadonlySet<string> = new Set(['msg', 'flow', 'global', 'env'])

/** Whether the value is not in the form itself. */
const isLookedUp = (type: string) => places.has(type) || type === 'jsonata'

const named: Readonly<Record<string, string>> = { missing: 'missingFrom', none: 'noneFrom' }

function sayWhere(problems: ProblemKey[], from: number, source: string): void {
  for (let index = from; index < problems.length; index++) {
    const problem = problems[index]
    const key = problem && named[problem.key]
    if (key) problems[index] = { path: problem.path, key, params: { ...problem.params, source } }
  }
}

interface ValueSource {
  readonly path: string
  readonly field: TypedField
  /** How a text is read if a file is expected: as the file's content or as its path. */
  readonly meaning: FileMeaning
  /** True if the setting is a list edited in the form. */
  readonly isForm: boolean
  /** True if the form names where the value is, or how it is computed. */
  readonly isNamed: boolean
}

/**
 * The value in the setting's own type; undefined if the value is missing or wrong. Problems are added to `problems`.
 */
function accept(
  { path, field, meaning, isForm, isNamed }: ValueSource,
  found: unknown,
  problems: ProblemKey[],
): unknown {
  const validated = field.kind === 'file' ? fileFrom(found, meaning) : validateValue(field, found, rules)
  if ('key' in validated) {
    problems.push({ path, key: validated.key, params: { choices: field.choices?.join(', ') ?? '' } })
    return undefined
  }
  // A value that could not be evaluated has been reported already, so it is not reported as missing too.
  const isAsked = field.required === true || (field.guard === true && (isNamed || field.kind === 'boolean'))
  const missing = validated.value === undefined && isAsked
  if (missing && !problems.some((one) => one.path === path))
    problems.push({ path, key: absentKey(field), ...(found === '' && { params: { found } }) })
  return field.rows && Array.isArray(validated.value) ? listFrom(validated.value, isForm) : validated.value
}

/** Marks whether a list comes from the form or from elsewhere, so that code can distinguish the two. */
function listFrom(list: unknown[], isForm: boolean) {
  return isForm ? { from: 'form', rows: list } : { from: 'elsewhere', list }
}

function fileFrom(found: unknown, meaning: FileMeaning): Validated {
  if (found === undefined || found === null || found === '') return { value: undefined }
  const value = toFile(found, meaning)
  return value ? { value } : { key: meaning === 'content' ? 'fileContent' : 'filePath' }
}

function plainReader(path: string, field: Field, raw: unknown): Read {
  return (_msg, problems) => {
    refuseUnset(path, raw)
    if (field.kind === 'flag') {
      const flag = flagOf(raw)
      if (flag === undefined) problems.push({ path, key: 'boolean' })
      return flag
    }
    if (field.kind === 'count') return Number(raw)
    if (field.kind !== 'text' && field.kind !== 'choice') return raw
    // A flow file can contain values that no form produces.
    if (typeof raw !== 'string' && typeof raw !== 'number') problems.push({ path, key: 'text' })
    const text = typeof raw === 'string' || typeof raw === 'number' ? String(raw) : field.initial
    if (text === '' && field.required === true) problems.push({ path, key: 'missing' })
    if (!field.choices || field.choices.includes(String(text))) return text
    if (text !== '') problems.push({ path, key: 'choice', params: { choices: field.choices.join(', ') } })
    return field.initial
  }
}

/**
 * Throws for a value `${NAME}`: Node-RED replaces it when the flow starts, so a value that still has this form is not
 * set in the environment.
 */
export function refuseUnset(path: string, raw: unknown): void {
  const name = variableIn(raw)
  if (name !== undefined) throw configError('env', { field: path, name })
}

function typedReader(source: Source, path: string, field: TypedField, type: string, raw: unknown, rows: unknown): Read {
  if (type === 'form') return rowsReader(source, path, field.rows ?? {}, rows)
  if (raw === '' || type === 'auto') return () => undefined
  // Texts with fields and expressions may contain such a text with another meaning.
  if (type !== 'tpl' && type !== 'jsonata' && variableIn(raw) !== undefined) return () => refuseUnset(path, raw)
  if (type !== 'json' && literalValue(type, raw, { field })) return literalReader({ path, field, type, raw })
  if (type === 'tpl') return templateReader(source, path, field, String(raw))
  switch (type) {
    case 'msg':
      return isText(field) ? shownReader(source, String(raw)) : messageReader(source, String(raw))
    case 'jsonata':
      return jsonataReader(source, path, String(raw))
    default:
      return contextReader(source, path, raw, type)
  }
}

/**
 * Reads a message property. A bare name is read directly, because Node-RED would parse the expression for every
 * message.
 */
function messageReader({ RED }: Source, path: string): Read {
  if (path !== 'msg' && /^[a-z_]\w*$/i.test(path)) return (msg) => (Object.hasOwn(msg, path) ? msg[path] : undefined)
  return (msg) => {
    try {
      return RED.util.getMessageProperty(msg, path)
    } catch {
      return undefined // Node-RED throws if the property's parent does not exist, so there is no value.
    }
  }
}

/**
 * Whether a setting is text for people. Everything else, such as an e-mail address, a key or the path of a file, must
 * not depend on the format of a cell.
 */
const isText = ({ template, rule }: TypedField) => rule === undefined && (template === true || template === 'merge')

/** Reads a message property that may be a column of a list, as its cell shows it. */
function shownReader(source: Source, path: string): Read {
  const read = messageReader(source, path)
  const column = columnOf('msg', path)
  if (column === undefined) return read
  return (msg, problems, known) => asShown(msg, column, read(msg, problems, known))
}

/** Reads a text with fields in braces; a text without fields is read as a literal. */
function templateReader(source: Source, path: string, field: TypedField, text: string): Read {
  const template = parseTemplate(text, leftToService(field))
  const parts = 'parts' in template ? template.parts : []
  const options = {
    path,
    asFileName: field.template === 'fileName',
    isShown: isText(field),
    variable: variableOf(source),
  }
  return (msg, problems, { values, signers }) => {
    const builtIn = builtInOf({ ...values, signers: signers() }, momentOfMessage(msg))
    return fillTemplate(parts, msg, { ...options, builtIn }, problems)
  }
}

/** Reads a literal value. It is evaluated for every message, because the date "this many days from now" changes. */
function literalReader({ path, field, type, raw }: { path: string; field: Field; type: string; raw: unknown }): Read {
  const written = ruleOfNumber(field, rules)
  return (_msg, problems) => {
    refuseUnset(path, raw)
    const literal = literalValue(type, raw, { written, field })
    if (!literal || 'value' in literal) return literal?.value
    problems.push({ path, key: literal.key })
    return undefined
  }
}

function rowsReader(source: Source, path: string, fields: Fields, rows: unknown): Read {
  const list = Array.isArray(rows) ? rows.map((row: unknown) => (isPlainObject(row) ? row : {})) : []
  const readers = list.map((row, index) =>
    Object.entries(fields).map(
      ([name, field]) => [name, readerOf(source, name, `${path}[${index}].${name}`, field, row)] as const,
    ),
  )
  if (readers.length === 0) return () => undefined
  return (msg, problems, known) =>
    Promise.all(
      readers.map(async (row) => {
        const values: Record<string, unknown> = {}
        for (const [name, read] of row) values[name] = await read(msg, problems, known)
        return values
      }),
    )
}

function jsonataReader({ RED, node }: Source, path: string, text: string): Read {
  let expression: Expression | undefined
  try {
    expression = RED.util.prepareJSONataExpression(text, node)
  } catch {
    expression = undefined // The error is reported with the first message, so that a Catch node receives it.
  }
  return once(path, (msg) => {
    if (!expression) return Promise.resolve('failed')
    const compiled = expression
    return new Promise((resolve) => {
      RED.util.evaluateJSONataExpression(compiled, msg, (error, value) =>
        resolve(error ? 'failed' : { value: copyValue(value) }),
      )
    })
  })
}

/** Reads a value of any other type, such as `flow`. */
function contextReader(source: Source, path: string, raw: unknown, type: string): Read {
  const { RED, node } = source
  // Node-RED may throw immediately, or call back with an error.
  const evaluate = (msg: FlowMessage) =>
    new Promise<Evaluated>((resolve) => {
      const answer = (error: unknown, value: unknown) => resolve(error ? 'failed' : { value: copyValue(value) })
      try {
        RED.util.evaluateNodeProperty(raw, type, node, msg, answer)
      } catch (error) {
        answer(error ?? true, undefined)
      }
    })
  return once(path, evaluate, source.contexts)
}

/** A reader that evaluates its value only once for each message, even if the settings are read again. */
function once(
  path: string,
  evaluate: (msg: FlowMessage) => Promise<Evaluated>,
  contexts: Source['contexts'] = [],
): Read {
  const evaluated = (msg: FlowMessage, found: Found) => {
    const answer = found.get(evaluate) ?? evaluate(msg)
    found.set(evaluate, answer)
    return answer
  }
  contexts.push(evaluated)
  return async (msg, problems, { found }) => {
    const answer = await evaluated(msg, found)
    return answer === 'failed' ? refuse(problems, path) : answer.value
  }
}

function refuse(problems: ProblemKey[], path: string): undefined {
  problems.push({ path, key: 'expression' })
  return undefined
}
