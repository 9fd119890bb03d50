/** Builds paths and queries from what people gave, so that an id can never lead to another address. */
import { inputError } from './errors'

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** True for a text that can stand as one segment of a path: not empty, no dot segment, no separators or control characters. */
export function isPathId(text: string): boolean {
  if (text === '' || text === '.' || text === '..' || /[/\\?#]/.test(text)) return false
  return [...text].every((character) => character.charCodeAt(0) > 31 && character.charCodeAt(0) !== 127)
}

/** Fills `{name}` in a path. Throws EID_INVALID_INPUT that names every parameter that is missing or not an id. */
export function buildPath(template: string, params: Readonly<Record<string, string>>): string {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const bad = names.filter((name) => !isPathId(params[name] ?? ''))
  if (bad.length > 0) throw inputError(bad.map((path) => ({ path, key: params[path] ? 'id' : 'missing' })))
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** `?a=1&b=2`, percent-encoded; empty and absent values are left out, lists are repeated; `` when nothing is left. */
export function buildQuery(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== '')
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
