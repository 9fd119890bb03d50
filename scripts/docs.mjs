/** `npm run docs`: writes docs/nodes/<node>.md from the help that users read in the editor. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The page of one node: its name, and the English help with the editor's definition lists as plain lists. */
export function pageOf(name) {
  const help = readFileSync(join(root, 'locales', 'en-US', `${name}.md`), 'utf8')
  const { label } = JSON.parse(readFileSync(join(root, 'locales', 'en-US', `${name}.json`), 'utf8'))
  const lists = help
    .replace(/^: (\*optional\* )?(\S+(?: \| \S+)*) \(([^)]+)\) : /gm, (_line, optional = '', property, type) => {
      const names = property.split(' | ').map((one) => `\`${one}\``)
      return `- ${names.join(', ')} (${optional.replaceAll('*', '').trim() ? 'optional, ' : ''}${type}): `
    })
    .replace(/^(\*\*.+\*\*[^:\n]*) : /gm, '$1: ')
    .replace(/^(#{3,4}) /gm, (_line, marks) => `${marks.slice(1)} `)
  return `# ${label} (\`eid-${name}\`)\n\n${lists}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(root, 'docs', 'nodes'), { recursive: true })
  const explained = readdirSync(join(root, 'nodes')).filter((name) =>
    existsSync(join(root, 'locales', 'en-US', `${name}.md`)),
  )
  for (const name of explained) writeFileSync(join(root, 'docs', 'nodes', `${name}.md`), pageOf(name))
}
