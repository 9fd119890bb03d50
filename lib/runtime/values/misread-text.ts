/**
 * Finds texts that were decoded with the wrong character set: they contain the replacement character in place of
 * letters that could not be decoded.
 */
import type { ProblemKey } from '../../api/errors/errors'
import { isPlainObject } from '../../common/plain-object'

const unreadable = '\uFFFD'
const unreadableBytes = Buffer.from(unreadable)

/** A depth greater than that of any request to the service. */
const maxLevels = 30

/** Reports every misread text in a request, also inside text files in base64. `path` is the path of `value` itself. */
export function misreadTexts(value: unknown, path = ''): ProblemKey[] {
  return isMisread(value, 0, new Set()) ? placesIn(value, path, 0, new Set()) : []
}

/**
 * Whether the value contains a misread text. For nearly all requests it does not, and then no paths need to be
 * computed. `seen` are the objects looked at so far: a message may contain itself in many ways.
 */
function isMisread(value: unknown, level: number, seen: Set<object>): boolean {
  if (typeof value === 'string') return value.includes(unreadable)
  if (typeof value !== 'object' || value === null || level > maxLevels || seen.has(value)) return false
  seen.add(value)
  if (Array.isArray(value)) return value.some((one) => isMisread(one, level + 1, seen))
  if (!isPlainObject(value)) return false
  for (const name of Object.keys(value)) if (isMisread(value[name], level + 1, seen)) return true
  return isMisreadFile(value)
}

function placesIn(value: unknown, path: string, level: number, seen: Set<object>): ProblemKey[] {
  if (typeof value === 'string') return value.includes(unreadable) ? [{ path, key: 'characterSet' }] : []
  if (typeof value !== 'object' || value === null || level > maxLevels || seen.has(value)) return []
  seen.add(value)
  if (Array.isArray(value)) return value.flatMap((one, index) => placesIn(one, `${path}[${index}]`, level + 1, seen))
  if (!isPlainObject(value)) return []
  const inner = Object.entries(value).flatMap(([name, one]) =>
    placesIn(one, path === '' ? name : `${path}.${name}`, level + 1, seen),
  )
  return isMisreadFile(value) ? [...inner, { path: path === '' ? 'file' : path, key: 'characterSet' }] : inner
}

function isMisreadFile({ fileName, base64Content, data }: Readonly<Record<string, unknown>>): boolean {
  const content = base64Content ?? data
  if (typeof content !== 'string' || typeof fileName !== 'string' || !/\.(txt|xml)$/i.test(fileName)) return false
  return Buffer.from(content, 'base64').includes(unreadableBytes)
}
