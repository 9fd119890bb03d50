/**
 * `npm run mutate -- lib/store/sql/quota.ts …`: changes these files in small ways, one change at a time, and
 * reports the changes that no test notices. The tests that run are those of the files' folder, or those that `--tests`
 * names.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from './files.mjs'
import { install, root } from './install.mjs'

/**
 * The tests of each folder. Tests with several processes, restarts or databases are left out, because they take too
 * long to run for each change.
 */
const homes = {
  'lib/store': /^test\/lib\/store\/(?!several|postgres|database)/,
  'lib/api': /^test\/lib\/api\//,
  'nodes/wait': /^test\/nodes\/wait[./]/,
  'nodes/batch': /^test\/nodes\/batch[./]/,
}

const args = process.argv.slice(2)
const split = args.indexOf('--tests')
const named = split < 0 ? [] : args.slice(split + 1)
const files = (split < 0 ? args : args.slice(0, split)).flatMap((path) => filesBelow(path.replace(/\/$/, '')))
const code = files.filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.editor.ts') && !path.endsWith('.fields.ts'),
)
const known = Object.entries(homes).filter(([folder]) => code.some((path) => path.startsWith(`${folder}/`)))
const tests = filesBelow('test').filter(
  (path) => path.endsWith('.test.ts') && known.some(([, home]) => home.test(path)),
)
const spec = named.length > 0 ? named : tests
if (code.length === 0 || spec.length === 0) {
  console.log(`Name files or folders below ${Object.keys(homes).join(', ')}, or others and their --tests.`)
  process.exit(1)
}

install()
const config = join(root, '.cache', 'stryker.json')
mkdirSync(join(root, '.cache'), { recursive: true })
writeFileSync(
  config,
  JSON.stringify({
    mutate: code,
    testRunner: 'mocha',
    testRunnerNodeArgs: ['--require', './scripts/sources.cjs'],
    mochaOptions: { 'no-config': true, require: ['should', './test/support/mocha-hooks.ts'], spec },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    ignorePatterns: ['.cache', 'docs', 'bench', 'docker'],
    timeoutMS: 20_000,
    concurrency: 1,
    tempDirName: join(root, '.cache', 'stryker'),
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { logTests: false, reportTests: false },
    allowEmpty: true,
  }),
)
const stryker = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
// Each change is tried on a copy of the project. The tests must not build this copy again.
const env = { ...process.env, EID_BUILT: 'yes' }
process.exit(spawnSync(process.execPath, [stryker, 'run', config], { cwd: root, stdio: 'inherit', env }).status ?? 1)
