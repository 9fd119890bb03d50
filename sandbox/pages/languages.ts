/** The languages of the sandbox's pages, and the choice for a visitor. */
import type { IncomingHttpHeaders } from 'node:http'

export type PageLanguage = 'en' | 'no'

export const pageLanguages: readonly { readonly id: PageLanguage; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'no', name: 'Norsk' },
]

/**
 * The first of the requested languages in which the pages exist, in any case and spelling (`NO`, `nb-NO`). If there is
 * no such language, the first of the browser's languages in which the pages exist; otherwise English.
 */
export function chooseLanguage(headers: IncomingHttpHeaders, ...asked: readonly string[]): PageLanguage {
  const accepted = (headers['accept-language'] ?? '').split(',').map((one) => one.split(';')[0] ?? '')
  const found = [...asked, ...accepted].map(languageOf).find((one) => one !== undefined)
  return found ?? 'en'
}

function languageOf(code: string): PageLanguage | undefined {
  const base = code.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  const id = /^n[bn]$/.test(base) ? 'no' : base
  return pageLanguages.find((one) => one.id === id)?.id
}

/** The `lang` attribute of a page. */
export function langOf(language: PageLanguage): string {
  return language === 'no' ? 'nb' : language
}
