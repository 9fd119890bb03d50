/** Reads and extends addresses. */

/** The address, or undefined for any other text. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** The address with one more query parameter; everything else stays unchanged. */
export function withParameter(address: string, name: string, value: string): string {
  const [before = '', fragment] = address.split('#', 2)
  const extended = `${before}${before.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
  return fragment === undefined ? extended : `${extended}#${fragment}`
}
