/**
 * The only place that decides whether a setting applies, is required and is valid. Both the form and the runtime use
 * it.
 */
import { variableIn } from '../common/environment'
import { flagOf } from './flag'
import { isTyped, type Field, type Fields, type InputType, type OtherValues } from './fields'
import { isPlainObject } from '../common/plain-object'
import { splitList } from '../common/split-list'
import { leftToService } from './merge-fields'
import { momentOf } from './moment'
import { parseTemplate, plainText } from './template'
import { isBase64, isPathId, type Rule, type RuleName } from './rules'

/** The rules that a caller provides; a form provides only the rules that its table names. */
export type UsedRules = Readonly<Partial<Record<RuleName, Rule>>>

/** A setting as it is stored, or as it is in an open form. */
export interface Stored {
  readonly value: unknown
  /** The type of the typed input. */
  readonly type?: string
  /** For type `form`: the rows of the list. */
  readonly rows?: unknown
}

export type ReadStored = (name: string) => Stored

/** The value, converted to the kind of its setting; or the key of its problem (`problems` of the catalogs). */
export type Validated = { readonly value: unknown } | { readonly key: string }

/**
 * True if the settings on which this setting depends have the required values, or if their values are unknown before
 * the message arrives.
 */
export function isRelevant(field: Field, fields: Fields, read: ReadStored): boolean {
  const areSo = (wanted: OtherValues | undefined) => haveValues(wanted, fields, read)
  return haveTypes(field.whenType, fields, read) && alternatives(field.when).some(areSo)
}

/** True if each of these settings has one of these types. */
function haveTypes(types: Field['whenType'], fields: Fields, read: ReadStored): boolean {
  return Object.entries(types ?? {}).every(([other, wanted]) => {
    const on = fields[other]
    return !on || !isTyped(on) || wanted.some((type) => type === (read(other).type ?? on.type))
  })
}

/** True if each of these settings has one of these values, or if its value is unknown before the message arrives. */
function haveValues(wanted: OtherValues | undefined, fields: Fields, read: ReadStored): boolean {
  return Object.entries(wanted ?? {}).every(([other, values]) => {
    const on = fields[other]
    if (!on) return true
    const { value, type } = read(other)
    if (isTyped(on) && !isWritten(type ?? on.type)) return true
    const stored = value ?? on.initial
    const said = String(on.kind === 'flag' ? flagOf(stored) : stored)
    return (on.kind === 'any' ? (splitList(said) ?? ['']) : [said]).some((one) => values.includes(String(one)))
  })
}

/** Returns the setting. Its rule is left out while the flag named in `ruleUnless` is ticked. */
export function withoutLifted<F extends Field>(field: F, read: ReadStored): F {
  const isLifted = field.ruleUnless !== undefined && flagOf(read(field.ruleUnless).value) === true
  return isLifted ? { ...field, rule: undefined } : field
}

/** True if a setting of the request differs from its value in a new node. If so, the form provides the request. */
export function isTouched(fields: Fields, read: ReadStored): boolean {
  const differs = (stored: unknown, initial: unknown) => stored !== undefined && stored !== initial
  return Object.entries(fields).some(([name, field]) => {
    // A hidden value, such as one typed for another operation, is not part of this request.
    if (!field.request || !isRelevant(field, fields, read)) return false
    const { value, type, rows } = read(name)
    if (differs(value, field.initial)) return true
    if (!isTyped(field)) return false
    // An empty text counts as empty, whichever of the two text types it has.
    const isEmptyText = field.initial === '' && (type === 'str' || type === 'tpl')
    return (!isEmptyText && differs(type, field.type)) || (Array.isArray(rows) && rows.length > 0)
  })
}

/** True if the form marks the setting with a star. The form does so if the chosen operation requires the value. */
export function isStarred(field: Field, fields: Fields, read: ReadStored): boolean {
  const other = field.requiredWith === undefined ? undefined : read(field.requiredWith).value
  const isAlone = field.requiredWith !== undefined && String(other ?? '') === ''
  if (!field.required || isAlone || !haveTypes(field.requiredType, fields, read)) return false
  const asks = (wanted: OtherValues | undefined) => isKnown(wanted, fields, read) && haveValues(wanted, fields, read)
  return alternatives(field.requiredWhen).some(asks) && !isInRows(field, read)
}

/** Returns the conditions, one of which must be true; without any, a condition that is always true. */
const alternatives = (wanted: Field['when']): readonly (OtherValues | undefined)[] =>
  Array.isArray(wanted) ? (wanted as OtherValues[]) : [wanted as OtherValues | undefined]

/** True if the value of none of these settings comes from the message. */
function isKnown(wanted: OtherValues | undefined, fields: Fields, read: ReadStored): boolean {
  return Object.keys(wanted ?? {}).every((other) => {
    const on = fields[other]
    return !on || !isTyped(on) || isWritten(read(other).type ?? on.type)
  })
}

/** True for the types whose value is in the form itself. */
const isWritten = (type: string) => type === 'str' || type === 'bool'

/** True if each row of the list has its own value, or if the list comes with the message and may contain the values. */
function isInRows({ orInRows }: Field, read: ReadStored): boolean {
  if (orInRows === undefined) return false
  const [list, column] = orInRows
  const { type, rows } = read(list)
  if (type !== undefined && type !== 'form') return true
  if (!Array.isArray(rows) || rows.length === 0) return false
  return rows.every((row: unknown) => isPlainObject(row) && String(row[column] ?? '') !== '')
}

/** True if `body` is `auto`: the form provides the request or, if the form is untouched, the payload does. */
export const isFromForm = (read: ReadStored): boolean => (read('body').type ?? 'auto') === 'auto'

/** True if the setting must be filled in: always, or because the form provides a request that requires the value. */
export function isRequired(field: Field, fields: Fields, read: ReadStored): boolean {
  if (!isStarred(field, fields, read)) return false
  if (field.required !== 'request') return true
  return isFromForm(read) && isTouched(fields, read)
}

/**
 * Returns the value of a typed input; undefined if only the message, a context or the environment knows the value.
 * `written` is the rule that checks a number as typed, because the parsed number does not show how it was typed.
 * `field` decides which fields in braces stay in the text.
 */
export function literalValue(
  type: string,
  raw: unknown,
  { written, field }: { readonly written?: Rule | undefined; readonly field?: Field } = {},
): Validated | undefined {
  switch (type as InputType) {
    case 'str':
    case 'path':
    case 'base64':
      return { value: raw }
    case 'tpl':
      return templateFrom(String(raw), field)
    case 'num':
      return numberFrom(raw, written)
    case 'days':
      return fromNow(numberOf(raw))
    case 'bool':
      return { value: flagOf(raw) ?? raw }
    case 'json':
      return parsed(String(raw))
    default:
      return undefined
  }
}

/**
 * Returns the value of a text without fields. Returns undefined for a text with fields, because its value is known only
 * when the message arrives.
 */
function templateFrom(text: string, field: Field | undefined): Validated | undefined {
  const template = parseTemplate(text, field && leftToService(field))
  if ('unclosed' in template) return { key: 'fieldUnclosed' }
  const value = plainText(template)
  return value === undefined ? undefined : { value }
}

/**
 * Reads a number as typed. 1250,50 is accepted: the comma separates the decimals. 1,250 is refused, because its meaning
 * differs between countries.
 */
function numberOf(raw: unknown): number {
  const decimal = typeof raw === 'string' ? /^\s*(-?\d+),(\d{1,2})\s*$/.exec(raw) : null
  return Number(decimal ? `${decimal[1]}.${decimal[2]}` : raw)
}

function numberFrom(raw: unknown, written: Rule | undefined): Validated {
  const key = typeof raw === 'string' ? written?.(raw.trim()) : undefined
  if (key !== undefined) return { key }
  return Number.isFinite(numberOf(raw)) ? { value: numberOf(raw) } : { key: 'number' }
}

/** The rule that checks a number as typed. */
export function ruleOfNumber({ kind, rule }: Field, rules: UsedRules): Rule | undefined {
  return kind === 'number' && rule ? rules[rule] : undefined
}

/** The moment this many days from now, as ISO 8601. */
function fromNow(days: number): Validated {
  const then = new Date(Date.now() + days * 86_400_000)
  return Number.isNaN(then.getTime()) ? { key: 'number' } : { value: then.toISOString() }
}

function parsed(text: string): Validated {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { key: 'expression' } // An exception only means that the text is not JSON, so the value is refused.
  }
}

/** Validates a value of any origin against the kind and rule of its setting. An absent value is valid. */
export function validateValue(field: Field, value: unknown, rules: UsedRules): Validated {
  if (value === undefined || value === null || value === '') return { value: undefined }
  if (field.moment) return toMoment(field, value)
  // A day, such as a date of birth, may be written as any other date, and is sent as the service reads it.
  const day = field.rule === 'day' ? momentOf(value, true)?.slice(0, 10) : undefined
  if (day !== undefined) return { value: day }
  const isNumber = field.kind === 'number' && (typeof value === 'string' || typeof value === 'number')
  const converted = isNumber ? numberFrom(value, ruleOfNumber(field, rules)) : convert(field, value)
  if ('key' in converted) return converted
  const key = field.rule ? rules[field.rule]?.(String(converted.value)) : undefined
  return key === undefined ? converted : { key }
}

/** A number of days up to this is not a moment in milliseconds. */
const mostDays = 100_000

/** Returns the moment with its offset or, where the form offers numbers, a number of days from now. */
function toMoment(field: Field, value: unknown): Validated {
  const takesDays = isTyped(field) && field.types?.includes('num') === true
  if (takesDays && typeof value === 'number' && Math.abs(value) < mostDays) return { value }
  const moment = momentOf(value, field.moment === 'begins')
  if (moment === undefined) return { key: 'date' }
  return hasPassed(field, moment) ? { key: 'past' } : { value: moment }
}

const hasPassed = ({ future }: Field, moment: string) => future === true && Date.parse(moment) <= Date.now()

function convert(field: Field, value: unknown): Validated {
  const isText = typeof value === 'string' || typeof value === 'number'
  switch (field.kind) {
    case 'string':
      if (!isText) return { key: 'text' }
      return field.choices && !field.choices.includes(String(value)) ? { key: 'choice' } : { value: String(value) }
    case 'id':
      return isText && isPathId(String(value)) ? { value: String(value) } : { key: 'id' }
    case 'number':
      return { key: 'number' } // The caller has already converted numbers, so this value is not a number.
    case 'count':
      return isText && Number(value) >= 0 ? { value: Number(value) } : { key: 'number' }
    case 'boolean':
      return toBoolean(field, value)
    case 'object':
      return isPlainObject(value) ? { value } : { key: 'object' }
    case 'array':
      return Array.isArray(value) ? { value } : { key: 'array' }
    default:
      return { value }
  }
}

function toBoolean({ guard }: Field, value: unknown): Validated {
  if (typeof value === 'string' && value.trim() === '') return { value: undefined }
  const flag = flagOf(value)
  if (flag === undefined) return guard === true ? { value: true } : { key: 'boolean' }
  return { value: flag }
}

/**
 * True for the name of a property; false for a text that is probably a value typed in its place, such as `Ola Nordmann`
 * or `ola@example.com`.
 */
function isPropertyPath(text: string): boolean {
  const inBrackets = text.replace(/\[("[^"]*"|'[^']*'|[\w$.[\]]+)\]/g, '')
  return /^[^\s@:;,"'[\]]*$/.test(inBrackets) && !/^\.|\.\.|\.$/.test(inBrackets)
}

/**
 * Returns the key of the problem with a stored setting; undefined if the setting is valid, or if its value is unknown
 * before the message arrives. `required` is the result of `isRequired`.
 */
export function problemOf(field: Field, stored: Stored, required: boolean, rules: UsedRules): string | undefined {
  const type = isTyped(field) ? (stored.type ?? field.type) : ''
  if (type === 'auto') return undefined
  if (type === 'form')
    return required && !(Array.isArray(stored.rows) && stored.rows.length > 0) ? absentKey(field) : undefined
  // If the flow file lacks the setting, the value of a new node applies.
  const value = stored.value ?? field.initial
  // `_ADD_` is the editor's value if no config node is chosen.
  if (value === '' || value === '_ADD_') return required && !isEmptyMeant(field, type) ? absentKey(field) : undefined
  if (variableIn(value) !== undefined) return undefined
  if (type === 'msg' && !isPropertyPath(String(value))) return 'property'
  const literal = isTyped(field) ? literalValue(type, value, { written: ruleOfNumber(field, rules), field }) : { value }
  if (!literal || 'key' in literal) return literal?.key
  if (type === 'base64' && !isBase64(String(value).replace(/^data:[^,]*;base64,/, ''))) return 'fileContent'
  if (type === 'json' && isOtherJson(field, literal.value)) return field.json
  if (type === 'json' && isTyped(field) && field.rows && !areObjects(literal.value)) return 'objects'
  const validated = validateValue(field, literal.value, rules)
  if ('key' in validated) return validated.key
  return required && isNothing(validated.value, field) ? absentKey(field) : undefined
}

/**
 * The key of the problem of a required setting that is empty. Lists need a different sentence, because "Signers is
 * missing" would be wrong.
 */
export const absentKey = (field: Field): 'none' | 'missing' =>
  field.several || field.kind === 'array' || (isTyped(field) && field.rows) ? 'none' : 'missing'

const isEmptyMeant = ({ emptyTypes }: Field, type: string) => emptyTypes?.some((one) => one === type) === true

/** True if a value that was read counts as empty, such as a list without entries. */
const isNothing = (value: unknown, { kind }: Field) =>
  value === undefined ||
  (kind === 'any' && value !== '' && typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** True for values that can be the rows of a list. */
const areObjects = (value: unknown) => !Array.isArray(value) || value.every(isPlainObject)

/** True if the setting requires another type of JSON. */
function isOtherJson({ json }: Field, value: unknown): boolean {
  if (json === undefined || value === null) return false
  return json === 'array' ? !Array.isArray(value) : !isPlainObject(value)
}
