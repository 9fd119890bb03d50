/** Reads the service's error responses in all their formats, without personal data and secrets (`interface.md` 7). */
import { redact } from './mask'

export interface SaidError {
  readonly code?: string
  readonly requestId?: string
  readonly errors: { field: string; message: string }[]
  /** The message about the request as a whole; may be empty. */
  readonly general: string
  /** All messages as one sentence; may be empty. */
  readonly sentence: string
}

/**
 * Reads `{message, code, errors[]}`, in which any part may be missing. Also understands `{title, detail,
 * invalidParams[]}`, `{error, error_description}` and errors listed by field. Removes `secrets` wherever they occur.
 */
export function readErrorBody(
  body: Buffer,
  secrets: readonly string[] = [],
  personal: readonly string[] = [],
): SaidError {
  const clean = (value: unknown) => redact(without(textOf(value), secrets), personal)
  const said = parseObject(body)
  const errors = toEntries(said.errors ?? said.invalidParams)
    .map(({ field, message }) => ({ field: clean(field), message: clean(message) }))
    .filter(({ field, message }) => field || message)
  const first = clean(said.message ?? said.detail ?? said.title ?? said.error_description ?? said.error)
  const rest = errors.map(({ field, message }) => [field, message].filter(Boolean).join(': '))
  // A leading @ would be mistaken for a text key.
  const bare = (text: string) => text.replace(/^@+/, '')
  return {
    code: clean(said.code ?? codeIn(said.error)) || undefined,
    requestId: clean(said.requestId) || undefined,
    errors,
    general: bare(first),
    sentence: bare([first, ...rest].filter(Boolean).join(' – ')),
  }
}

/** The code of an OAuth endpoint, such as `invalid_client`; undefined if the endpoint sent a sentence instead. */
function codeIn(error: unknown): string | undefined {
  return typeof error === 'string' && /^\w{1,60}$/.test(error) ? error : undefined
}

/** Does not remove short secrets, because the short secrets of the sandbox are ordinary words. */
function without(text: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length > 7).reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}

function parseObject(body: Buffer): Record<string, unknown> {
  if (body.length === 0 || body.length > 1_000_000) return {}
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {} // Error pages of gateways are not JSON; the status is enough.
  }
}

interface Entry {
  readonly field?: unknown
  readonly message?: unknown
}

/** The first fifty errors, from a list of objects or sentences, or from an object keyed by field. */
function toEntries(value: unknown): Entry[] {
  if (Array.isArray(value)) return value.slice(0, 50).map(entryOf)
  if (typeof value !== 'object' || value === null) return []
  const fields = Object.entries(value as Record<string, unknown>).slice(0, 50)
  return fields.map(([field, said]) => ({ field, message: Array.isArray(said) ? said.map(textOf).join(' ') : said }))
}

function entryOf(one: unknown): Entry {
  if (typeof one !== 'object' || one === null) return { message: one }
  const { field, name, message, reason } = one as Record<string, unknown>
  return { field: field ?? name, message: message ?? reason }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
