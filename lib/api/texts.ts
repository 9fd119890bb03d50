/** Turns a text key and its parameters into an English sentence, for scripts and as the fallback of every node. */
import catalog from '../../locales/en-US/client.json'

export type TextParams = Readonly<Record<string, string | number>>

/** A sentence that has not been put into a language yet: a key of the client's catalogue and the values of its placeholders. */
export interface Text {
  readonly key: string
  readonly params: TextParams
}

/** Replaces every `__name__` in `template` by the parameter of that name; a placeholder without a value stays as it is. */
export function fill(template: string, params: TextParams): string {
  return template.replace(/__(\w+?)__/g, (whole, name: string) =>
    String(Object.hasOwn(params, name) ? params[name] : whole),
  )
}

/** Looks up a dotted key in a catalogue; returns undefined when there is no text of that key. */
export function lookUp(texts: unknown, key: string): string | undefined {
  let found: unknown = texts
  for (const part of key.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return typeof found === 'string' ? found : undefined
}

/** The English text of `key`, or the key itself when the catalogue has none. */
export function english(key: string, params: TextParams = {}): string {
  return fill(lookUp(catalog, key) ?? key, spellOut(params, english))
}

/** Puts parameters that are themselves texts (`@key`) into words, as the reason inside "could not be reached: reason". */
export function spellOut(params: TextParams, translate: (key: string) => string): TextParams {
  const words = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' && value.startsWith('@') ? translate(value.slice(1)) : value,
  ])
  return Object.fromEntries(words) as TextParams
}
