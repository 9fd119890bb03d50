/** Turns a text key and its parameters into an English sentence, for scripts and as the fallback of every node. */
import catalog from '../../../locales/en-US/client.json'

export type TextParams = Readonly<Record<string, string | number>>

/** A sentence not yet translated: a key of the client's catalog and the values of its placeholders. */
export interface Text {
  readonly key: string
  readonly params: TextParams
}

/** Returns the text of a key in some language. */
export interface Translate {
  (key: string, params?: TextParams): string
  /**
   * Returns the name that the form uses for a place in the input, such as `signers[0].signerInfo.email`. Without this
   * function, the path itself is shown.
   */
  readonly label?: (path: string) => string
}

/** Replaces every `__name__` in `template` with the parameter of that name; a placeholder without a value stays. */
export function fill(template: string, params: TextParams): string {
  return template.replace(/__(\w+?)__/g, (whole, name: string) =>
    String(Object.hasOwn(params, name) ? params[name] : whole),
  )
}

/** Looks up a dotted key in a catalog; returns undefined if it has no such key. */
export function lookUp(texts: unknown, key: string): string | undefined {
  let found: unknown = texts
  for (const part of key.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return typeof found === 'string' ? found : undefined
}

/** The English text of `key`, or the key itself when the catalog has none. */
export function english(key: string, params: TextParams = {}): string {
  return fill(lookUp(catalog, key) ?? key, spellOut(params, english))
}

const isKey = (value: unknown): value is string => typeof value === 'string' && value.startsWith('@')

const amountSign = '@amount:'
const dateSign = '@date:'

/** An amount of money as a parameter: shown as 27000.50, or as 27000,50 where a comma is usual. */
export const amountParam = (value: number): string => `${amountSign}${value}`

/** A day as a parameter: shown as 3 May, or 3. mai in Norwegian; with the year if it is not the current year. */
export const dateParam = (milliseconds: number): string => `${dateSign}${milliseconds}`

function dateIn(value: string, translate: (key: string, params: TextParams) => string): string {
  const date = new Date(Number(value.slice(dateSign.length)))
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric'
  return new Intl.DateTimeFormat(translate('dateLanguage', {}), { day: 'numeric', month: 'long', year }).format(date)
}

function amountIn(value: string, translate: (key: string, params: TextParams) => string): string {
  const amount = Number(value.slice(amountSign.length))
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(2).replace('.', translate('decimalSign', {}))
}

/**
 * Translates parameters that are text keys themselves (`@key`), such as the reason in "could not be reached: reason".
 * The text of such a key may contain the other parameters.
 */
export function spellOut(params: TextParams, translate: (key: string, params: TextParams) => string): TextParams {
  const entries = Object.entries(params)
  if (!entries.some(([, value]) => isKey(value))) return params
  const written = entries.map(([name, value]): readonly [string, string | number] => {
    if (!isKey(value)) return [name, value]
    if (value.startsWith(amountSign)) return [name, amountIn(value, translate)]
    return [name, value.startsWith(dateSign) ? dateIn(value, translate) : value]
  })
  const plain: TextParams = Object.fromEntries(written.filter(([, value]) => !isKey(value)))
  const words = written.map(([name, value]) => [name, isKey(value) ? translate(value.slice(1), plain) : value])
  return Object.fromEntries(words) as TextParams
}

/** The text with a full stop at its end, unless it already ends like a sentence. */
export function sentence(text: string): string {
  const bare = text.trim()
  return bare === '' || /[.!?…]$/.test(bare) ? bare : `${bare}.`
}

/** Removes the gaps that empty placeholders leave. */
export function tidy(text: string): string {
  return text.replace(/ {2,}/g, ' ').trim()
}
