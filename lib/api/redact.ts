/** Takes personal data and tokens out of sentences that the service wrote, before they reach an error or a log. */

const anywhere: readonly RegExp[] = [
  /[^\s"'<>(),;:]+(?:@|%40)[^\s"'<>(),;]+/gi, // e-mail addresses
  /\b[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g, // tokens in three parts
  /\bBearer\s+\S+/gi,
  /\bBasic\s+(?=\S*[\d=])[\w+/=]{8,}/gi,
  /\b\w*(?:token|secret|password)["']?\s*[:=]\s*["']?[^\s"',;&]+/gi,
]

const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi

const besideIds: readonly RegExp[] = [
  /\b\d{1,4}(?:[./-]\d{1,4}){2,}/g, // dates, which may be birth dates; phone numbers in groups
  /\+?\d(?:[\s-]?[()]?[\s-]?\d){5,}/g, // phone numbers, national ids, birth dates written together
  /[\w+=-]{40,}/g, // tokens in one part
]

/** Returns `text` with e-mail addresses, tokens, dates and long numbers replaced by `…`; uuids stay. At most 500 characters. */
export function redact(text: string): string {
  // What is cut in two can't be recognised: the last word goes.
  const start = text.length > 2000 ? text.slice(0, 2000).replace(/\S*$/, '') : text
  const clean = replaceAll(start, anywhere)
  const ids = clean.match(uuid) ?? []
  const parts = clean.split(uuid).map((part) => replaceAll(part, besideIds))
  return parts
    .map((part, index) => part + (ids[index] ?? ''))
    .join('')
    .slice(0, 500)
}

function replaceAll(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, '…'), text)
}
