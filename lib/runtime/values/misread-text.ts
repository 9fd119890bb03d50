/**
 * Finds text decoded with the wrong character set, by the replacement character for letters that could not be decoded.
 */
import type { ProblemKey } from '../../api/errors/errors'
import { isPlainObject } from '../../common/plain-object'

const unreadable = '\uFFFD'
const unreadableBytes = Buffer.from(unreadable)

/** Deeper than any request to the service; also stops at circular references. */
const maxLevels = 30

/**
 * Every place of a request with such a text, also inside a text file in base64; `path` is the place of the value
 * itself.
 */
export function misreadTexts(value: unknown, path = ''): ProblemKey[] {
  return isMisread(value, 0) ? placesIn(value, path, 0) : []
}

/** Nearly all requests are valid: for them no places are computed. */
function isMisread(value: unknown, level: number): boolean {
  if (typeof value === 'string') return value.includes(unreadable)
  if (typeof value !== 'object' || value === null || level > maxLevels) return false
  if (Array.isArray(value)) return value.some((one) => isMisread(one, level + 1))
  if (!isPlainObject(value)) return false
  for (const name of Object.keys(value)) if (isMisread(value[name], level + 1)) return true
  return isMisreadFile(value)
}

function placesIn(value: unknown, path: string, level: number): ProblemKey[] {
  if (typeof value === 'string') return value.includes(unreadable) ? [{ path, key: 'characterSet' }] : []
  if (level > maxLevels) return []
  if (Array.isArray(value)) return value.flatMap((one, index) => placesIn(one, `${path}[${index}]`, level + 1))
  if (!isPlainObject(value)) return []
  const inner = Object.entries(value).flatMap(([name, one]) =>
    placesIn(one, path === '' ? name : `${path}.${name}`, level + 1),
  )
  return isMisreadFile(value) ? [...inner, { path: path === '' ? 'file' : path, key: 'characterSet' }] : inner
}

function isMisreadFile({ fileName, base64Content, data }: Readonly<Record<string, unknown>>): boolean {
  const content = base64Content ?? data
  if (typeof content !== 'string' || typeof fileName !== 'string' || !/\.(txt|xml)$/i.test(fileName)) return false
  return Buffer.from(content, 'base64').includes(unreadableBytes)
}
