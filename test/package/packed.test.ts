/**
 * What is in the packed package: exactly what each room of the house sends, and nothing that runs or stays by mistake.
 */
import should from 'should'
import { filesBelow, languages, nodeNames, pluginNames, read, visitorLanguages } from '../house'
import { pack, temporaryFolder } from './runtimes'

/** What no rule below speaks of. */
const others = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']

/** The examples are numbered flows and nothing else. */
const examples = filesBelow('examples')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^examples\/\d\d-[\w-]+\.json$/.test(path))

/**
 * Every source that runs in Node.js is there as JavaScript and as types; what runs in the editor is inside the html.
 */
const compiled = ['lib', 'nodes', 'plugins', 'sandbox']
  .flatMap((folder) => filesBelow(folder, '.ts'))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.startsWith('lib/editor/') && !path.endsWith('.editor.ts'))
  .filter((path) => !/\/pages\/[\w-]+\.page\.ts$/.test(path))
  .flatMap((path) => {
    // Scripts of pages are bundled for the browser: what they share is inside them, and nobody imports them.
    const endings = path.endsWith('.page.ts') ? ['.js'] : ['.js', '.d.ts']
    return endings.map((ending) => `dist/${path.replace(/\.ts$/, ending)}`)
  })

/** Beside its code a node brings its form, its icon, and its texts and help in every language. */
const besides = nodeNames.flatMap((name) => [
  `dist/nodes/${name}/${name}.html`,
  `dist/nodes/${name}/icons/${name}.svg`,
  ...languages.flatMap((language) =>
    ['html', 'json'].map((ending) => `dist/nodes/${name}/locales/${language}/${name}.${ending}`),
  ),
  // Scripts without Node-RED read their sentences from here.
  `dist/locales/en-US/${name}.json`,
])
const forVisitors = visitorLanguages.map((language) => `dist/nodes/embed/locales/${language}/embed.json`)

/** A plugin brings its script and styles, and its texts in every language. */
const plugins = pluginNames.flatMap((name) => [
  `dist/plugins/${name}/${name}.html`,
  ...languages.map((language) => `dist/plugins/${name}/locales/${language}/${name}.json`),
  `dist/locales/en-US/${name}.json`,
])

describe('the packed files', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let files: readonly string[]
  before(async () => void ({ files } = await pack(folder.path)))
  after(() => folder.remove())

  it('are exactly those that were meant to be', () => {
    const expected = [...others, ...examples, ...compiled, ...besides, ...plugins, ...forVisitors]
    should(files.filter((path) => !expected.includes(path))).deepEqual([], 'packed by mistake')
    should(expected.filter((path) => !files.includes(path))).deepEqual([], 'left out')
  })

  it('hold no sources, no tests, no source maps and nothing hidden', () => {
    const unwanted = [/(?<!\.d)\.ts$/, /\.map$/, /(^|\/)tests?\/|\.test\./, /(^|\/)\./, /\.(env|log|tgz|key|pem)$/]
    should(files.filter((path) => unwanted.some((kind) => kind.test(path)))).deepEqual([])
    const scripts = files.filter((path) => path.endsWith('.js') || path.endsWith('.html'))
    should(scripts.filter((path) => read(path).includes('sourceMappingURL'))).deepEqual([])
  })

  it('run nothing when they are installed', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const running = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare', 'dependencies']
    should(running.filter((name) => name in scripts)).deepEqual([])
    should(files).not.containEql('binding.gyp')
  })
})
