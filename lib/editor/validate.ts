/** Validation while typing, with the reason: the same kinds, choices and rules that the runtime checks. */
import { isTyped, type Field, type Fields } from '../fields'
import type { Rule, RuleName } from '../rules'

export type UsedRules = Readonly<Partial<Record<RuleName, Rule>>>

/** A stored or typed value with its typed-input type, of a setting that goes by `label` in messages. */
export interface Given {
  readonly value: unknown
  readonly type: string
  readonly label: string
}

/** `true`, or the reason why the value cannot work. `common` finds texts of the client's catalogue. */
export function checkValue(field: Field, given: Given, used: UsedRules, common: (key: string) => string) {
  const key = problemOf(field, given.value, given.type, used)
  if (key === undefined) return true
  return common(`problems.${key}`)
    .replace('__path__', given.label)
    .replace('__choices__', (field.choices ?? []).join(', '))
}

function problemOf(field: Field, given: unknown, type: string, used: UsedRules): string | undefined {
  // A flow file that lacks the setting means what a new node has.
  const value = given ?? field.initial
  if (type === 'auto' || type === 'form') return undefined
  if (value === '' || value === '_ADD_') {
    return field.required ? 'missing' : undefined
  }
  const text = String(value)
  if (/^\$[{(][^}]+[})]$/.test(text)) return undefined
  if (field.kind === 'count' && !(Number(text) >= 0)) return 'number'
  if (!isTyped(field)) return ruled(field, text, used)
  if (type === 'num' || type === 'days') {
    if (!Number.isFinite(Number(text))) return 'number'
    // As at run time: a number of days, or one where anything may stand, is not the text that the rule is about.
    return type === 'days' || field.kind === 'any' ? undefined : ruled(field, text, used)
  }
  if (type === 'json') return isJson(text) ? undefined : 'expression'
  if (type !== 'str') return undefined
  if (field.kind === 'id' && /[/\\?#]/.test(text)) return 'id'
  if (field.choices && !field.choices.includes(text)) return 'choice'
  return ruled(field, text, used)
}

function ruled(field: Field, text: string, used: UsedRules): string | undefined {
  return field.rule && used[field.rule]?.(text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // Not JSON is exactly what is asked here.
  }
}

/**
 * True when the settings that this one depends on have one of the values it is meant for, or can't be known before the message; the same rule
 * as at run time. `read` gives value and type of another setting.
 */
export function isMeant(
  field: Field,
  fields: Fields,
  read: (name: string) => { value: unknown; type?: string },
): boolean {
  const typesFit = Object.entries(field.whenType ?? {}).every(([other, wanted]) => {
    const on = fields[other]
    return !on || !isTyped(on) || wanted.some((type) => type === (read(other).type ?? on.type))
  })
  return (
    typesFit &&
    Object.entries(field.when ?? {}).every(([other, wanted]) => {
      const on = fields[other]
      if (!on) return true
      const { value, type } = read(other)
      if (isTyped(on) && (type ?? on.type) !== 'str') return true
      return wanted.includes(String(value ?? on.initial))
    })
  )
}
