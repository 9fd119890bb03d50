/** Builds paths and queries from input, so that an id can never lead to another address. */
import { withoutSlashes } from '../../common/trim'
import { isPathId } from '../../settings/rules'
import { inputError } from '../errors/errors'

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/**
 * Fills `{name}` in a path. If parameters are missing or not ids, throws EID_INVALID_INPUT, which names all of them.
 */
export function buildPath(template: string, params: Readonly<Record<string, string>>): string {
  if (!template.includes('{')) return template
  const valueOf = (name: string) => (Object.hasOwn(params, name) && params[name]) || ''
  const names = (template.match(/\{\w+\}/g) ?? []).map((match) => match.slice(1, -1))
  const bad = names.filter((name) => !isPathId(valueOf(name)))
  if (bad.length > 0) throw inputError(bad.map((path) => ({ path, key: valueOf(path) ? 'id' : 'missing' })))
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(valueOf(name)))
}

/**
 * Returns `?a=1&b=2`, percent-encoded. Empty and absent values are left out, and a list repeats its name for each
 * value. Returns an empty text if nothing is left.
 */
export function buildQuery(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== '')
      .map((one) => `${encode(name)}=${encode(String(one))}`),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** A lone surrogate can't be encoded, so it is replaced with the replacement character, as in any web form. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** The target of a call: the full address, and the path below the base, as errors show it. */
export interface Target {
  readonly url: string
  readonly path: string
}

/**
 * Appends a path (which may include a query) and a further query to `base`. Throws EID_INVALID_INPUT if the result
 * would leave the base address, because the token must not go anywhere else.
 */
export function resolveUrl(base: URL, path: string, query: string): Target {
  const root = withoutSlashes(base.pathname)
  const text = base.origin + root + path + (path.includes('?') ? query.replace('?', '&') : query)
  const url = path.startsWith('/') && !path.includes('#') ? parsed(text) : undefined
  if (url?.origin !== base.origin || !url.pathname.startsWith(`${root}/`)) {
    throw inputError([{ path: 'path', key: 'path' }])
  }
  return { url: url.href, path: url.pathname.slice(root.length) }
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
