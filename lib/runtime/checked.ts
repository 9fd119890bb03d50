/** Checks the value of a setting: its kind, its choices and its rule. */
import type { ProblemKey } from '../api/errors'
import { isPathId } from '../api/paths'
import type { TypedField } from '../fields'
import { rules } from '../rules'
import { isPlainObject } from './body'
import { isNumeric } from './client-node'
import { toFile, type FileMeaning } from './files'

/**
 * What a setting's value is worth: the value in the setting's own kind, or undefined when there is none or it is wrong. What is wrong is added
 * to `problems`. `meaning` is what a text stands for where a file is wanted.
 */
export function checked(
  path: string,
  field: TypedField,
  meaning: FileMeaning,
  value: unknown,
  problems: ProblemKey[],
): unknown {
  if (value === undefined || value === null || value === '') {
    // A value that could not be worked out has been reported already.
    if (field.required && !problems.some((one) => one.path === path)) problems.push({ path, key: 'missing' })
    return undefined
  }
  const { value: converted, key } = convert(field, meaning, value)
  // Where anything may stand, a rule is about texts: a number there means something else, such as days from now.
  const ruled = field.kind !== 'any' || typeof converted === 'string'
  const wrong = key ?? (ruled && field.rule ? rules[field.rule](String(converted)) : undefined)
  if (wrong === undefined) return converted
  problems.push({ path, key: wrong, params: { choices: field.choices?.join(', ') ?? '' } })
  return undefined
}

function convert(field: TypedField, meaning: FileMeaning, value: unknown): { value?: unknown; key?: string } {
  switch (field.kind) {
    case 'string':
      return textOrProblem(field, value)
    case 'id':
      return idOrProblem(value)
    case 'number':
      return isNumeric(value) && Number.isFinite(Number(value)) ? { value: Number(value) } : { key: 'number' }
    case 'boolean':
      return booleanOrProblem(value)
    case 'object':
      return isPlainObject(value) ? { value } : { key: 'object' }
    case 'array':
      return Array.isArray(value) ? { value } : { key: 'array' }
    case 'file': {
      const file = toFile(value, meaning)
      return file ? { value: file } : { key: meaning === 'path' ? 'filePath' : 'fileContent' }
    }
    default:
      return { value }
  }
}

function textOrProblem(field: TypedField, value: unknown): { value?: string; key?: string } {
  if (typeof value !== 'string' && typeof value !== 'number') return { key: 'text' }
  const text = String(value)
  return field.choices && !field.choices.includes(text) ? { key: 'choice' } : { value: text }
}

function idOrProblem(value: unknown): { value?: string; key?: string } {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && isPathId(text) ? { value: text } : { key: 'id' }
}

function booleanOrProblem(value: unknown): { value?: boolean; key?: string } {
  if (typeof value === 'boolean') return { value }
  return value === 'true' || value === 'false' ? { value: value === 'true' } : { key: 'boolean' }
}
