/**
 * The files in the packed package: exactly those that each folder contributes, and none by mistake. Also how the Flow
 * Library judges the package: its own tool runs on the unpacked tarball.
 */
import should from 'should'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow, languages, nodeNames, onCanvas, pluginNames, read, visitorLanguages } from '../support/house'
import { pack } from '../support/node-red/installed'
import { temporaryFolder } from '../support/temporary-folder'

/** The files that none of the rules below covers. */
const others = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']

/** The examples are flows in folders, both numbered, and the two files that one of them reads. */
const examples = filesBelow('examples')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^examples\/(\d [\w ]+\/\d [\w ]+\.json|tenants\.xlsx|lease\.docx)$/.test(path))

/** Every source that runs in Node.js is included as JavaScript and as types; code for the editor is inside the html. */
const compiled = ['lib', 'nodes', 'plugins', 'sandbox']
  .flatMap((folder) => filesBelow(folder, '.ts'))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.startsWith('lib/editor/') && path !== 'lib/page/dom.ts' && !path.endsWith('.editor.ts'))
  .filter((path) => !/\/pages\/[\w-]+\.page\.ts$/.test(path))
  .flatMap((path) => {
    // Scripts of pages are bundled for the browser. The bundles include what the scripts share, and no file imports
    // them.
    const endings = path.endsWith('.page.ts') ? ['.js'] : ['.js', '.d.ts']
    return endings.map((ending) => `dist/${path.replace(/\.ts$/, ending)}`)
  })

/** Besides its code, a node has its form, its icon, and its texts and help in every language. */
const besides = nodeNames.flatMap((name) => [
  `dist/nodes/${name}/${name}.html`,
  `dist/nodes/${name}/icons/${name}.svg`,
  ...languages.flatMap((language) =>
    ['html', 'json'].map((ending) => `dist/nodes/${name}/locales/${language}/${name}.${ending}`),
  ),
  // Scripts without Node-RED read their texts from here.
  `dist/locales/en-US/${name}.json`,
])
const forVisitors = visitorLanguages.map((language) => `dist/nodes/embed/locales/${language}/embed.json`)

/** A plugin has its script and styles, and its texts in every language. */
const plugins = pluginNames.flatMap((name) => [
  `dist/plugins/${name}/${name}.html`,
  ...languages.map((language) => `dist/plugins/${name}/locales/${language}/${name}.json`),
  `dist/locales/en-US/${name}.json`,
])

type Scorecard = Readonly<Record<string, { test?: boolean; nodes?: string[]; similar?: string[] }>>

/** The checks whose result depends on the package alone, each with what it looks for. */
const ours = {
  P01: 'a license',
  P03: 'a repository, or a place for bugs',
  P04: 'a name with a scope',
  P05: 'the keyword that lists it',
  P06: 'a range of Node-RED that holds the newest one',
  P07: 'a range of Node.js that holds what the newest Node-RED asks for',
  N02: 'an example for every node',
  D02: 'no dependency that is known to break Node-RED',
}
const notOurs = {
  D01: 'at most six dependencies: there are nine, three of them loaded when a flow needs them (decision 005)',
  P08: 'whether another package has a similar name is known to the catalogue alone, which answers here that there is none',
  N01: 'whether another package has the same types is known to the catalogue alone, which answers here that there is none',
  D03: 'it fails on the day that somebody else publishes a new major version',
}

const types = nodeNames.map((name) => `eid-${name}`)

describe('the packed package', () => {
  const folder = temporaryFolder()
  let tarball: string
  let files: readonly string[]
  before(async () => void ({ tarball, files } = await pack(folder.path)))
  after(() => folder.remove())

  describe('its files', () => {
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

  describe('node-red-dev validate on the unpacked tarball', () => {
    before(() => {
      const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '-C', folder.path], { encoding: 'utf8' })
      should(status).equal(0, stderr)
    })

    /** Runs the tool with these modules in the catalog; returns its output and its scorecard. */
    const validate = (catalogue: readonly object[]): { said: string; card: Scorecard } => {
      const card = join(folder.path, 'card.json')
      const tool = require.resolve('node-red-dev/bin/run')
      const shim = join(__dirname, 'catalogue.cjs')
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--require', shim, tool, 'validate', '-p', join(folder.path, 'package'), '-o', card],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, EID_CATALOGUE: JSON.stringify(catalogue) },
        },
      )
      // The tool breaks its warnings at the width of a terminal, with a mark on every line.
      const said = stdout + stderr.replace(/\n?\s+›\s+/g, ' ')
      should(status).equal(0, said)
      return { said, card: JSON.parse(readFileSync(card, 'utf8')) as Scorecard }
    }

    it('passes every check that is ours', () => {
      const { said, card } = validate([])
      const checks = Object.keys(card).filter((key) => key !== 'package')
      should(checks.sort()).deepEqual([...Object.keys(ours), ...Object.keys(notOurs)].sort())
      should(Object.keys(ours).filter((key) => card[key]?.test !== true)).deepEqual([], said)
      // The tool also accepts a package without the keyword.
      should((JSON.parse(read('package.json')) as { keywords: string[] }).keywords).containEql('node-red')
      // Config nodes need not be in an example.
      should(card.N02?.nodes?.sort()).deepEqual(onCanvas.map((name) => `eid-${name}`).sort())
    })

    it('lets the tool read every node, which passes by itself what it cannot read', () => {
      const { said, card } = validate([{ id: 'another-package', types }])
      should(said).not.containEql('Unable to parse')
      const seen = [...said.matchAll(/Duplicate nodename (\S+) found in package another-package/g)].map(
        ([, type]) => type,
      )
      should(seen.sort()).deepEqual([...types].sort())
      should(card.N01?.test).be.false()
    })
  })
})
