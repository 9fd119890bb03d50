/** Reads the project's folders for tests: the nodes, and the contents of their folders. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Fields } from '../../lib/settings/fields'

export const root = join(__dirname, '../..')
export const languages = ['en-US', 'nb'] as const
/** Languages in which only the page of "embed" has texts. */
export const visitorLanguages = ['sv', 'da', 'fi', 'de', 'nl'] as const
export const nodeNames = readdirSync(join(root, 'nodes')).sort()

/** Parts of the editor that are not nodes. */
export const pluginNames = readdirSync(join(root, 'plugins')).sort()

export const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')

/** The nodes that can be dragged; the others are config nodes, which take no messages. */
export const onCanvas = nodeNames.filter(
  (name) => !read('nodes', name, `${name}.editor.ts`).includes("category: 'config'"),
)
export const exists = (...path: string[]) => existsSync(join(root, ...path))

/** The examples by their titles: the file's name without the number that sorts it. */
const exampleFiles = new Map(
  filesBelow('examples', '.json').map((path) => [basename(path, '.json').replace(/^\d+ /, ''), path]),
)

export const exampleTitles = [...exampleFiles.keys()]

/** The file of an example, below the project's folder. */
export function exampleFile(title: string): string {
  const path = exampleFiles.get(title)
  if (path === undefined) throw new Error(`there is no example "${title}"`)
  return path
}

export const readExample = (title: string) => read(exampleFile(title))

export async function fieldsOf(name: string): Promise<Fields> {
  const module = (await import(`../../nodes/${name}/${name}.fields`)) as { fields: Fields }
  return module.fields
}

export function catalog(language: string, name: string): Record<string, unknown> {
  return JSON.parse(read('locales', language, `${name}.json`)) as Record<string, unknown>
}

/** Every text of a catalog by its dotted key. */
export function flatten(value: unknown, prefix = ''): Record<string, string> {
  if (typeof value === 'string') return { [prefix]: value }
  const entries = Object.entries(value as Record<string, unknown>)
  return Object.assign(
    {},
    ...entries.map(([key, inner]) => flatten(inner, prefix ? `${prefix}.${key}` : key)),
  ) as Record<string, string>
}

/** Every file below a folder, as paths from the root. */
export function filesBelow(folder: string, ending = ''): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(join(root, path)).isDirectory()) return filesBelow(path, ending)
    return path.endsWith(ending) ? [path] : []
  })
}
