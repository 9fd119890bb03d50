/** The texts of a page that a node serves, in the language of the user who opens the page. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lookUp } from '../../api/errors/texts'

export type PageTexts = Readonly<Record<string, string>>

const english = 'en-US'
const root = join(__dirname, '../../..')

/**
 * The folder for a language code in upper or lower case (`NO`, `nb-NO`, `en`); undefined if there are no texts in that
 * language.
 */
function languageFor(set: string, code: string): string | undefined {
  const base = code.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  if (base === 'en') return english
  const folder = ['no', 'nn'].includes(base) ? 'nb' : base
  return /^[a-z]{2,3}$/.test(folder) && fileOf(set, folder) ? folder : undefined
}

/**
 * The language for the pages of a node (`set` is its folder name): the requested language, otherwise the first of the
 * browser's languages that has texts, otherwise English.
 */
export function chooseLanguage(set: string, wanted: string, acceptLanguage: string | undefined): string {
  const accepted = (acceptLanguage ?? '').split(',').map((part) => part.split(';')[0] ?? '')
  return [wanted, ...accepted].map((code) => languageFor(set, code)).find((one) => one !== undefined) ?? english
}

const catalogs = new Map<string, unknown>()

/** The texts of the page, keyed by their path below `page`. Texts that the language lacks are in English. */
export function pageTexts(set: string, language: string): PageTexts {
  const paths = pathsIn((catalog(set, english) as { page: object }).page)
  const text = (path: string) =>
    lookUp(catalog(set, language), `page.${path}`) ?? lookUp(catalog(set, english), `page.${path}`) ?? path
  return Object.fromEntries(paths.map((path) => [path, text(path)]))
}

function pathsIn(texts: object): string[] {
  return Object.entries(texts).flatMap(([name, one]: [string, unknown]) =>
    typeof one === 'object' && one !== null ? pathsIn(one).map((inner) => `${name}.${inner}`) : [name],
  )
}

function catalog(set: string, language: string): unknown {
  const path = fileOf(set, language)
  if (path && !catalogs.has(path)) catalogs.set(path, JSON.parse(readFileSync(path, 'utf8')) as unknown)
  return path && catalogs.get(path)
}

/** The path of the catalog, either beside the built node, or in the folder of all texts. */
function fileOf(set: string, language: string): string | undefined {
  const folders = [join(root, 'nodes', set, 'locales'), join(root, 'locales')]
  return folders.map((folder) => join(folder, language, `${set}.json`)).find((path) => existsSync(path))
}
