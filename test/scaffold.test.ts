/**
 * What `npm run new` writes is complete: in a copy of the project, the tests then report only what a person has to fill
 * in.
 *
 * @rest
 */
import should from 'should'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './support/house'
import { loadScript } from './support/scripts'
import { temporaryFolder } from './support/temporary-folder'

interface Scaffold {
  scaffold(root: string, args: readonly string[]): readonly string[]
}

const rooms = ['nodes', 'plugins', 'lib', 'sandbox', 'locales', 'icons', 'test', 'docs', 'examples', 'scripts', 'bench']
const files = ['package.json', 'tsconfig.build.json', 'tsconfig.base.json', 'tsconfig.editor.json', 'README.md']

describe('the scaffold', () => {
  const copy = temporaryFolder()
  const write = async (...args: string[]) => (await loadScript<Scaffold>('new')).scaffold(copy.path, args)
  /** The titles of the tests that fail in the copy. */
  const failing = (...tests: string[]) => {
    const mocha = [join(root, 'node_modules/mocha/bin/mocha.js'), '--no-config', '--reporter', 'json']
    const options = ['--require', './scripts/sources.cjs', '--require', 'should', '--timeout', '60000', ...tests]
    const { NODE_V8_COVERAGE: _coverage, ...env } = process.env
    const { stdout } = spawnSync(process.execPath, [...mocha, ...options], { cwd: copy.path, env, encoding: 'utf8' })
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { failures: { fullTitle: string }[] }
    return report.failures.map(({ fullTitle }) => fullTitle)
  }
  before(() => {
    for (const path of [...rooms, ...files]) cpSync(join(root, path), join(copy.path, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy.path, 'node_modules'), 'dir')
  })
  after(() => copy.remove())

  it('writes a setting and a node that lack their help and their use, and nothing else', async () => {
    should(await write('setting', 'wait', 'ownProbe')).matchAny(/values\.ownProbe/)
    should(await write('node', 'own-probe')).matchAny(/needs\.ts/)
    should(failing('test/house.test.ts', 'test/unused-settings.test.ts').sort()).deepEqual([
      'the house wait explains every setting in its help, in every language',
      'the settings of wait are all read by the node',
    ])
    const stored = readFileSync(join(copy.path, 'test/fixtures/flows-1.0.json'), 'utf8')
    should(stored).containEql('"ownProbe": "stored ownProbe"').and.containEql('"eid-own-probe"')
  })

  it('writes an operation into the table and the list of calls', async () => {
    await write('operation', 'listOwn', 'GET', '/account/own', 'account_read')
    should(readFileSync(join(copy.path, 'lib/api/operations/operations.ts'), 'utf8')).match(/^ {2}listOwn: \{/m)
    should(readFileSync(join(copy.path, 'docs/calls.md'), 'utf8')).containEql('`GET /account/own`')
  })

  it('refuses what is there already, and what it does not know', async () => {
    await should(write('node', 'wait')).be.rejectedWith(/there is a node/)
    await should(write('setting', 'wait', 'client')).be.rejectedWith(/has a "client"/)
    await should(write('room', 'x')).be.rejectedWith(/npm run new/)
  })
})
