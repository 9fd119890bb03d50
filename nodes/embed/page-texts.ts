/** The texts of the page in the visitor's language. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lookUp } from '../../lib/api/errors/texts'

export type PageTexts = Readonly<Record<string, string>>

const english = 'en-US'

/** Where the texts are: beside the built node, or in the folder of all texts. */
const folders = [join(__dirname, 'locales'), join(__dirname, '../../locales')]

/** The folder for a language code in any case (`NO`, `nb-NO`, `en`), or undefined when there are no texts in it. */
function languageFor(code: string): string | undefined {
  const base = code.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  if (base === 'en') return english
  const folder = ['no', 'nn'].includes(base) ? 'nb' : base
  return /^[a-z]{2,3}$/.test(folder) && fileOf(folder) ? folder : undefined
}

/** The language to show: the one that is wanted, else the first of the browser's that there is, else English. */
export function chooseLanguage(wanted: string, acceptLanguage: string | undefined): string {
  const accepted = (acceptLanguage ?? '').split(',').map((part) => part.split(';')[0] ?? '')
  return [wanted, ...accepted].map(languageFor).find((one) => one !== undefined) ?? english
}

const read = new Map<string, unknown>()

/** The texts of the page; what a language lacks is English. */
export function pageTexts(language: string): PageTexts {
  const keys = Object.keys((catalog(english) as { page: object }).page)
  const text = (key: string) =>
    lookUp(catalog(language), `page.${key}`) ?? lookUp(catalog(english), `page.${key}`) ?? key
  return Object.fromEntries(keys.map((key) => [key, text(key)]))
}

function catalog(language: string): unknown {
  const path = fileOf(language)
  if (!read.has(language) && path) read.set(language, JSON.parse(readFileSync(path, 'utf8')) as unknown)
  return read.get(language)
}

function fileOf(language: string): string | undefined {
  return folders.map((folder) => join(folder, language, 'embed.json')).find((path) => existsSync(path))
}
