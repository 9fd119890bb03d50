/** Takes personal data and tokens out of sentences that the service wrote, before they reach an error or a log. */

const patterns: readonly RegExp[] = [
  /[^\s"'<>(),;:]+@[^\s"'<>(),;]+/g, // e-mail addresses
  /\b[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g, // tokens in three parts
  /\bBearer\s+\S+/gi,
  /\b\d{4}-\d{2}-\d{2}\b/g, // dates, which may be birth dates
]

const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi
const manyDigits = /\+?\d(?:[\s-]?\d){5,}/g // phone numbers, national ids, birth dates written together

/** Returns `text` with e-mail addresses, tokens, dates and long numbers replaced by `…`; uuids stay. At most 500 characters. */
export function redact(text: string): string {
  let clean = text.slice(0, 2000)
  for (const pattern of patterns) clean = clean.replace(pattern, '…')
  const ids = clean.match(uuid) ?? []
  const rest = clean.split(uuid).map((part) => part.replace(manyDigits, '…'))
  return rest
    .map((part, index) => part + (ids[index] ?? ''))
    .join('')
    .slice(0, 500)
}
