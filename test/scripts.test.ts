/** What install and build consider up to date: only contents count, not who made a file, or when. */
import should from 'should'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { read, root } from './support/house'
import { loadScript } from './support/scripts'
import { temporaryFolder } from './support/temporary-folder'

interface Install {
  missingPackages(wantedFile: string, installedFile: string): string[]
}
interface Build {
  readonly sources: readonly string[]
  stampOf(places: readonly string[]): string
}
interface Coverage {
  withoutGlue(figures: object): { readonly result: readonly object[] }
}
interface Prose {
  commentsIn(source: string): string[]
}
describe('the scripts', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  describe('install', () => {
    const one = { version: '1.0.0', integrity: 'sha512-one' }
    const lockFile = join(folder.path, 'package-lock.json')
    const installedFile = join(folder.path, 'node_modules', '.package-lock.json')
    const missing = async (wanted: object, installed: object) => {
      mkdirSync(join(folder.path, 'node_modules', 'a'), { recursive: true })
      writeFileSync(join(folder.path, 'node_modules', 'a', 'package.json'), '{}')
      writeFileSync(lockFile, JSON.stringify({ packages: { '': { name: 'house' }, ...wanted } }))
      writeFileSync(installedFile, JSON.stringify({ packages: installed }))
      return (await loadScript<Install>('install')).missingPackages(lockFile, installedFile)
    }

    it('accepts what npm has installed, however it was run', async () => {
      const { missingPackages } = await loadScript<Install>('install')
      const installed = join(root, 'node_modules', '.package-lock.json')
      should(missingPackages(join(root, 'package-lock.json'), installed)).deepEqual([])
      should(await missing({ 'node_modules/a': one }, { 'node_modules/a': one })).deepEqual([])
    })

    it('leaves what comes inside of another package to that package', async () => {
      const inside = { version: '1.0.0', inBundle: true }
      const wanted = { 'node_modules/a': one, 'node_modules/a/node_modules/b': inside }
      should(await missing(wanted, { 'node_modules/a': one })).deepEqual([])
    })

    it('misses another version, another archive, an emptied folder, and everything at first', async () => {
      const wanted = { 'node_modules/a': one }
      should(await missing(wanted, { 'node_modules/a': { ...one, version: '0.9.0' } })).have.length(1)
      should(await missing(wanted, { 'node_modules/a': { ...one, integrity: 'sha512-two' } })).have.length(1)
      should(await missing({ 'node_modules/b': one }, { 'node_modules/b': one })).deepEqual(['node_modules/b'])
      const { missingPackages } = await loadScript<Install>('install')
      should(missingPackages(lockFile, join(folder.path, 'nowhere.json'))).have.length(1)
    })

    it('does not mind what npm leaves out on this platform', async () => {
      should(await missing({ 'node_modules/b': { ...one, optional: true } }, {})).deepEqual([])
    })
  })

  describe('build', () => {
    it('knows every file that it reads', async () => {
      const { sources } = await loadScript<Build>('build')
      const configs = ['tsconfig.build.json', 'tsconfig.editor.json']
      const extended = configs.map((name) => (JSON.parse(read(name)) as { extends: string }).extends.slice(2))
      const imported = [...read('scripts/build.mjs').matchAll(/ from '\.\/(\w+\.mjs)'/g)].map(
        ([, name]) => `scripts/${name}`,
      )
      // The installing script has no effect on what is built.
      const own = imported.filter((path) => path !== 'scripts/install.mjs')
      const needed = [...configs, ...extended, ...own, 'scripts/build.mjs', 'package-lock.json']
      should(needed.filter((path) => !sources.includes(path))).deepEqual([])
    })

    it('sees a change of contents, and nothing else', async () => {
      const { stampOf } = await loadScript<Build>('build')
      const path = join(root, '.cache', 'stamp-test', 'a.txt')
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, 'one')
      const before = stampOf(['.cache/stamp-test'])
      utimesSync(path, 1, 1)
      should(stampOf(['.cache/stamp-test'])).equal(before)
      writeFileSync(path, 'two')
      should(stampOf(['.cache/stamp-test'])).not.equal(before)
    })
  })

  describe('coverage', () => {
    it('reads a source map that the engine has left as it came', async () => {
      const { withoutGlue } = await loadScript<Coverage>('coverage')
      const url = pathToFileURL(join(root, 'lib', 'a.ts')).href
      const data = { version: 3, sources: ['a.ts'], mappings: 'AAAA' }
      const inside = `data:application/json;base64,${Buffer.from(JSON.stringify(data)).toString('base64')}`
      const functions = [{ functionName: 'a', ranges: [{ startOffset: 0, endOffset: 9, count: 1 }] }]
      const figures = (map: object) => ({
        result: [{ url, functions }],
        'source-map-cache': { [url]: { lineLengths: [9], ...map } },
      })
      should(withoutGlue(figures({ data, url: null })).result).have.length(1)
      should(withoutGlue(figures({ data: null, url: inside })).result).have.length(1)
      should(withoutGlue(figures({ data: null, url: null })).result).have.length(0)
    })
  })

  it('reads every comment and title of a source file, also after a text with ${} or a pattern', async () => {
    const source = [
      "const url = `${base}/'path'`",
      '/** After a template. */',
      'const pattern = /[\'"`]/ // After a pattern.',
      "it('has a title', () => {",
      '  // At the end of a block.',
      '})',
    ].join('\n')
    const { commentsIn } = await loadScript<Prose>('prose')
    const found = commentsIn(source).map((one) => one.trim())
    should(found).deepEqual(['After a template.', 'After a pattern.', 'At the end of a block.', 'has a title'])
  })
})
