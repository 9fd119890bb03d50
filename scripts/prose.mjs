/**
 * `npm run prose`: looks for the turns of phrase of prose.yml in all texts that people read: docs, texts, help,
 * examples, comments and titles of tests. Norwegian texts and guides are checked with prose.nb.yml. prose.json says how
 * many findings a file may have; this number may only fall (`-- --update` writes it).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TextlintKernel } from '@textlint/kernel'
import ts from 'typescript'
import { root } from './install.mjs'

const require = createRequire(import.meta.url)
const allowedFile = join(root, 'scripts', 'prose.json')
const kernel = new TextlintKernel()
const plugin = (name) => ({ pluginId: name, plugin: require(`@textlint/textlint-plugin-${name}`).default })
const optionsOf = (rules) => ({
  plugins: [plugin('markdown'), plugin('text')],
  rules: [
    {
      ruleId: 'prh',
      rule: require('textlint-rule-prh').default ?? require('textlint-rule-prh'),
      options: {
        rulePaths: [join(root, 'scripts', rules)],
        checkLink: true,
        checkParagraph: true,
        checkEmphasis: true,
      },
    },
  ],
})
const english = optionsOf('prose.yml')
const norwegian = optionsOf('prose.nb.yml')
const isNorwegian = (path) => /^(locales|docs)\/nb\//.test(path)

/**
 * The checked files, as paths from the root. The specification is left out, because its texts are not ours to change.
 */
function files() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const isRead =
    /^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$|^[\w-]+\/README\.md$|^test\/.*\.md$|^locales\/(en-US|nb)\/|^examples\/.*\.json$|\.ts$/
  const isOther = /^docs\/(interface|nodes\/.*)\.md$|\.d\.ts$|^test\/fixtures\//
  return listed.split('\n').filter((path) => isRead.test(path) && !isOther.test(path))
}

/** The text in a file that people read, and the file extension that stands for its markup. */
function proseOf(path) {
  const text = readFileSync(join(root, path), 'utf8')
  if (path.endsWith('.md')) return { text, ext: '.md' }
  if (path.startsWith('examples/')) return { text: descriptionsIn(JSON.parse(text)).join('\n\n'), ext: '.md' }
  if (path.endsWith('.json')) return { text: textsIn(JSON.parse(text)).join('\n\n'), ext: '.txt' }
  return { text: commentsIn(text).join('\n\n'), ext: '.txt' }
}

function textsIn(value) {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(textsIn)
}

/** The texts that a flow shows to people: names of tabs, groups and nodes, and their descriptions. */
function descriptionsIn(flow) {
  return flow.flatMap(({ label, name, info }) => [label, name, info].filter(Boolean))
}

/** The comments of a source file, and the titles of its tests. */
export function commentsIn(source) {
  const titles = [...source.matchAll(/\b(?:it|describe)\(\s*(['`])((?:\\.|(?!\1).)*)\1/g)].map(([, , title]) => title)
  const comments = rangesIn(source).map(({ pos, end }) => source.slice(pos, end))
  return [...comments.map((one) => one.replace(/^\s*(\/\*\*?|\*\/|\*|\/\/) ?|\s*\*\/$/gm, '')), ...titles]
}

/**
 * The positions of the comments. They come from the syntax tree, because a scanner alone misreads what follows a
 * template with `${}` or a regular expression.
 */
function rangesIn(source) {
  const tree = ts.createSourceFile('read.ts', source, ts.ScriptTarget.Latest)
  const found = new Map()
  const add = (ranges = []) => ranges.forEach((range) => found.set(range.pos, range))
  const visit = (node) => {
    const children = node.getChildren(tree)
    children.forEach(visit)
    if (children.length > 0) return
    add(ts.getLeadingCommentRanges(source, node.pos))
    add(ts.getTrailingCommentRanges(source, node.end))
  }
  visit(tree)
  return [...found.values()].sort((one, other) => one.pos - other.pos)
}

/** The findings by file, without the files that have no findings. A finding is a turn of phrase with its advice. */
async function findings() {
  const found = {}
  for (const path of files()) {
    const { text, ext } = proseOf(path)
    if (text.trim() === '') continue
    const options = isNorwegian(path) ? norwegian : english
    const { messages } = await kernel.lintText(text, { ext, filePath: join(root, path), ...options })
    if (messages.length > 0) found[path] = messages.map(({ message }) => message.replace(/\s+/g, ' '))
  }
  return found
}

/** Whether no file has more findings than allowed; prints the new findings. */
export async function holdsProse(update = false) {
  const found = await findings()
  const counts = Object.fromEntries(Object.entries(found).map(([path, messages]) => [path, messages.length]))
  const allowed = JSON.parse(readFileSync(allowedFile, 'utf8'))
  const more = Object.keys(counts).filter((path) => counts[path] > (allowed[path] ?? 0))
  if (update) writeFileSync(allowedFile, `${JSON.stringify(counts, null, 2)}\n`)
  else for (const path of more) console.log(`${path}:\n${found[path].map((one) => `  ${one}`).join('\n')}`)
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0)
  console.log(`Prose: ${total} turns of phrase that have to go, ${more.length} files with more than before`)
  return update || more.length === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exit((await holdsProse(process.argv.includes('--update'))) ? 0 : 1)
