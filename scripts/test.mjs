/**
 * `npm test`: installs what is missing, builds, and runs what every change needs. `npm run test:rest` runs everything
 * else, `npm run test:all` both. With names of test files, runs only those.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { check } from './checks.mjs'
import { coverageFolder, holdsCoverage } from './coverage.mjs'
import { filesBelow } from './files.mjs'
import { install, root } from './install.mjs'
import { endOnSignals, run } from './run-program.mjs'

const mocha = 'node_modules/mocha/bin/mocha.js'
/** A guard against a hang: ten times what the slowest test file has taken. */
const hangMs = 15 * 60_000
/** The same for the exit of the test processes, which write their coverage then. */
const exitMs = 120_000
const args = process.argv.slice(2)
const started = Date.now()
const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`

endOnSignals()
install()
const { build } = await import('./build.mjs')
try {
  build()
} catch {
  end([{ passed: 0, failed: 1, skipped: 0, alone: ['npm run build'] }])
}
const named = args.filter((one) => !one.startsWith('--'))
if (named.length > 0) process.exit(await run([mocha, ...named]))

/**
 * A test file whose opening comment has the tag `@rest` is left out of `npm test`, because it needs a browser, another
 * version of Node-RED or Node.js, a database, killed processes, or thousands of messages.
 */
const isRest = (path) => readFileSync(join(root, path), 'utf8').split('*/', 1)[0].includes('@rest')
const files = filesBelow('test').filter((path) => path.endsWith('.test.ts'))
const rest = files.filter(isRest)
const inBrowser = rest.filter((path) => path.startsWith('test/browser/'))
const cores = availableParallelism()

/**
 * The lanes, which run one after another, so that no test waits long for the tests of another lane. A lane runs several
 * files at a time, because a test waits much of its time for a page, a timer or another process.
 */
const lanes = {
  every: [
    () => checks(),
    () =>
      test(
        'Tests of every change',
        'every',
        files.filter((path) => !isRest(path)),
        cores * 2,
      ),
  ],
  rest: [
    () => test('Tests in a browser', 'browser', inBrowser, cores),
    () =>
      test(
        'Other tests of the rest',
        'rest',
        rest.filter((path) => !inBrowser.includes(path)),
        cores,
      ),
    () => coverage(),
  ],
}
const chosen = args.includes('--all')
  ? [...lanes.every, ...lanes.rest]
  : lanes[args.includes('--rest') ? 'rest' : 'every']

// Chromium is unpacked once here, and not by each process that finds it missing. If this fails, those processes report
// why.
await promisify(execFile)(process.execPath, ['scripts/chromium.mjs'], { cwd: root }).catch(() => undefined)
const results = []
for (const lane of chosen) results.push(await lane())
end(results)

/** Prints the last line, which is for machines, and exits: how many tests passed and failed. */
function end(ended) {
  const failures = ended.flatMap((result) => result.alone)
  if (failures.length > 0)
    console.log(`\nTo run alone what has failed:\n${failures.map((line) => `  ${line}`).join('\n')}`)
  console.log(`\nDone after ${seconds()}`)
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((name) => sum(ended, name))
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(failed > 0 ? 1 : 0)
}

/** Checks types, lint, house, prose and format; each failed check counts as one failure. */
async function checks() {
  console.log('== Types, lint, house, prose and format')
  return resultOf('Types, lint, house, prose and format', await check())
}

/**
 * At least 95 % of the branches of lib/ must be covered by the tests of both commands. The tests of every change leave
 * their figures for this lane; without figures, they run again.
 */
async function coverage() {
  const every = coverageFolder('every')
  if (!existsSync(every)) await lanes.every[1]()
  return resultOf('Coverage of lib/', (await holdsCoverage()) ? [] : ['npm run test:all (the coverage of lib/)'])
}

/** The result of a lane without test files: each line of `alone` counts as a failure. */
function resultOf(title, alone) {
  console.log(`== ${title}: ${alone.length === 0 ? 'good' : 'FAILED'} (after ${seconds()})`)
  return { passed: 0, failed: alone.length, skipped: 0, alone }
}

/** Runs the test files in this many processes; a file that has reported nothing counts as failed. */
async function test(title, name, paths, jobs) {
  console.log(`== ${title}: ${paths.length} files, ${jobs} at a time`)
  const report = join(root, '.cache', `tests-${name}.json`)
  const died = join(root, '.cache', `died-${name}.txt`)
  mkdirSync(join(root, '.cache'), { recursive: true })
  for (const old of [report, died, coverageFolder(name)]) rmSync(old, { recursive: true, force: true })
  const reporter = ['--reporter', 'scripts/reporter.cjs', '--reporter-option', `output=${report}`]
  const began = Date.now()
  const read = () => (existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {})
  const silentOf = (reported) => paths.filter((path) => !(path in reported))
  let isOver = false
  const hangs = () => {
    const idleMs = Date.now() - (existsSync(report) ? statSync(report).mtimeMs : began)
    isOver = idleMs > exitMs && silentOf(read()).length === 0
    if (isOver) console.log('\nAll test files have ended, but a process of the tests has not, so it was killed.')
    else if (idleMs > hangMs)
      console.log(`\nNo test file has ended for ${hangMs / 60_000} minutes: the run was killed.`)
    return isOver || idleMs > hangMs
  }
  const environment = { EID_DIED: died, NODE_V8_COVERAGE: coverageFolder(name) }
  const ended = await run([mocha, '--parallel', '--jobs', String(jobs), ...reporter, ...paths], environment, hangs)
  const code = isOver ? 0 : ended
  const reported = read()
  const silent = silentOf(reported)
  // A test file that fails while it is loaded is reported without a name.
  const failed = Object.keys(reported).filter((path) => path !== '' && reported[path].failed > 0)
  const dead = existsSync(died) ? readFileSync(died, 'utf8').trim().split('\n') : []
  const figures = Object.values(reported)
  // If mocha has failed for any other reason, this counts as at least one failure.
  const count = sum(figures, 'failed') + silent.length || dead.length || (code === 0 ? 0 : 1)
  console.log(`== ${title}: ${count === 0 ? 'good' : 'FAILED'} (after ${seconds()})`)
  const toRepeat = Array.from(new Set([...failed, ...silent, ...dead].filter(Boolean)), (path) => `npx mocha ${path}`)
  return {
    passed: sum(figures, 'passed'),
    failed: count,
    skipped: sum(figures, 'skipped'),
    alone: count > 0 && toRepeat.length === 0 ? [`${title}: see above what broke outside of any test file`] : toRepeat,
  }
}

function sum(figures, name) {
  return figures.reduce((total, one) => total + one[name], 0)
}
