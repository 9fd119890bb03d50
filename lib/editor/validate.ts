/** Validation while typing, with the reason: the same kinds and choices that the runtime checks. */
import { isTyped, type Field, type Fields } from '../fields'

interface Texts {
  readonly input: (name: string) => JQuery
  readonly text: (key: string) => string
  readonly common: (key: string) => string
}

/** `true`, or the reason why the stored or typed `value` cannot work. */
export function checkField(
  field: Field,
  name: string,
  node: EditorNode,
  value: unknown,
  fields: Fields,
  { input, text, common }: Texts,
): boolean | string {
  if (!isNeeded(field, fields, node)) return true
  const problem = (key: string) =>
    common(`problems.${key}`)
      .replace('__path__', text(`fields.${name}`))
      .replace('__choices__', (field.choices ?? []).join(', '))
  const blank = value === '' || value === undefined || value === null
  if (!isTyped(field)) return plainProblem(field, value, blank, problem)
  const open = input(`${name}Type`)
  const type = String((open.length > 0 ? open.val() : undefined) ?? node[`${name}Type`] ?? field.type)
  if (type === 'auto' || type === 'form') return true
  if (blank) return field.required ? problem('missing') : true
  if (/^\$\{[^}]+\}$/.test(String(value))) return true
  if (type === 'str' && field.kind === 'id' && /[/\\?#]/.test(String(value))) return problem('id')
  if (type === 'str' && field.choices && !field.choices.includes(String(value))) return problem('choice')
  if (type === 'num') return Number.isFinite(Number(value)) || problem('number')
  if (type === 'json') return isJson(String(value)) || problem('expression')
  return true
}

function plainProblem(
  field: Field,
  value: unknown,
  blank: boolean,
  problem: (key: string) => string,
): boolean | string {
  if (field.required && (blank || value === '_ADD_')) return problem('missing')
  if (field.kind === 'count' && !blank && !(Number(value) >= 0) && !/^\$\{/.test(String(value)))
    return problem('number')
  return true
}

function isNeeded(field: Field, fields: Fields, node: EditorNode): boolean {
  return Object.entries(field.when ?? {}).every(([other, wanted]) => {
    const on = fields[other]
    if (on && isTyped(on) && (node[`${other}Type`] ?? on.type) !== 'str') return true
    return wanted.includes(String(node[other] ?? on?.initial))
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // Not JSON is exactly what is asked here.
  }
}
