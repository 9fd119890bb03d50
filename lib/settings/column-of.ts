/** Finds the column of a list from which a setting takes its whole value. */
import { parseTemplate } from './template'

/**
 * The name of the column in `{Last name}`, `payload.Number` or `payload["Last name"]`; undefined if the setting
 * contains anything else.
 */
export function columnOf(type: string, typed: string): string | undefined {
  const text = typed.trim()
  if (type === 'msg') {
    const [, plain, quoted] = /^payload(?:\.([^.[\]]+)|\["([^"]+)"\])$/.exec(text) ?? []
    return plain ?? quoted
  }
  const template = type === 'tpl' ? parseTemplate(text) : { parts: [] }
  const [only, ...others] = 'parts' in template ? template.parts : []
  return only && 'field' in only && others.length === 0 ? only.field : undefined
}
