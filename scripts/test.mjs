/**
 * `npm test`: installs what is missing, builds, lints, checks types and runs every test; `npm run test:quick` leaves
 * out the slow ones.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { holdsCoverage, rawCoverage } from './coverage.mjs'
import { filesBelow } from './files.mjs'
import { install, root } from './install.mjs'

/**
 * Options for a cache, so that unchanged files are checked only once. A fresh clone has no cache, so there all files
 * are checked, as they must be before a change is merged.
 */
const cached = (name) => ['--cache', ...['--cache-location', join(root, '.cache', name), '--cache-strategy', 'content']]

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const started = Date.now()
/** The child processes. If this process is ended by a signal, it ends them too. */
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`

const named = args.filter((one) => one !== '--quick')
install()
const { build } = await import('./build.mjs')
// The checks read sources only, so the first ones run beside the build.
const checked = named.length > 0 ? undefined : check()
try {
  build()
} catch {
  stopAll()
  end({ passed: 0, failed: 1, skipped: 0 })
}
if (named.length > 0) process.exit(await run('mocha/bin/mocha.js', named))

const files = filesBelow('test').filter((path) => path.endsWith('.test.ts'))
const cores = availableParallelism()
/**
 * The tags in the opening comment of a test file. `@slow`: the test takes minutes rather than seconds, because it uses
 * a browser, Node-REDs of several versions, restarts or thousands of messages. `@first`: the test begins first, so that
 * no worker is left alone with it at the end.
 */
const tagsOf = (path) => {
  const [opening] = readFileSync(join(root, path), 'utf8').split('*/', 1)
  return Array.from(opening.matchAll(/@\w+/g), ([tag]) => tag)
}
const isSlow = (path) => tagsOf(path).includes('@slow')
const quickFiles = files.filter((path) => !isSlow(path))
/** The line for a failure that belongs to no test file. */
const outside = 'npm test (something broke outside of any file: what it was stands above)'
/**
 * Runs the tests in several processes for each core, because a test waits much of its time for a page, a timer or
 * another process.
 */
const tests = async () => {
  if (isQuick) return [await orFailed(test('Quick tests', 'quick', quickFiles, cores * 3))]
  rmSync(rawCoverage, { recursive: true, force: true })
  const measured = { NODE_V8_COVERAGE: rawCoverage }
  const quick = orFailed(test('Quick tests', 'quick', quickFiles, cores + 1, measured).then(withCoverage))
  // Chromium is unpacked once here, and not by each process that finds it missing. If this fails, those processes
  // report why.
  await promisify(execFile)(process.execPath, ['scripts/chromium.mjs'], { cwd: root }).catch(() => undefined)
  // The slow tests run beside the quick ones, which use the cores while the slow ones wait.
  return Promise.all([quick, orFailed(test('Slow tests', 'slow', files.filter(isSlow), cores + 1))])
}
const results = (await Promise.all([checked, tests()])).flat()

const failures = results.flatMap((result) => result.alone)
if (failures.length > 0)
  console.log(`\nTo run alone what has failed:\n${failures.map((line) => `  ${line}`).join('\n')}`)
console.log(`\nDone after ${seconds()}`)
end({
  passed: sum(results, 'passed'),
  failed: sum(results, 'failed'),
  skipped: sum(results, 'skipped'),
})

/** Prints the last line, which is for machines, and exits: how many tests passed and failed. */
function end({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(failed > 0 ? 1 : 0)
}

/** Counts a run that breaks off as one failure; the other runs continue. */
function orFailed(results) {
  return results.catch((error) => {
    console.error(error)
    return { passed: 0, failed: 1, skipped: 0, alone: [outside] }
  })
}

/** Checks types, lint and format, two checks at a time, beside the tests; each failed check counts as one failure. */
async function check() {
  const one = async (alone, program, ...options) => ((await run(program, options)) === 0 ? [] : [alone])
  const inTurn = async () => {
    const failed = []
    for (const project of ['tsconfig.test.json', 'tsconfig.scripts.json']) {
      failed.push(...(await one(`npx tsc -p ${project}`, 'typescript/bin/tsc', '-p', project)))
    }
    const circles = [
      ...['--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
      ...['--cache', join('.cache', 'dependency-cruiser'), '--cache-strategy', 'content'],
      ...['lib', 'nodes', 'plugins', 'sandbox'],
    ]
    const cruiser = 'dependency-cruiser/bin/dependency-cruise.mjs'
    failed.push(...(await one(`npx depcruise ${circles.join(' ')}`, cruiser, ...circles)))
    failed.push(...(await one('npm run prose', '../scripts/prose.mjs')))
    const prettier = ['--check', '--log-level', 'warn', ...cached('prettier'), '.']
    return [...failed, ...(await one('npx prettier --check .', 'prettier/bin/prettier.cjs', ...prettier))]
  }
  const alone = (
    await Promise.all([one('npx eslint .', 'eslint/bin/eslint.js', ...cached('eslint'), '.'), inTurn()])
  ).flat()
  console.log(`== Types, lint and format: ${alone.length === 0 ? 'good' : 'FAILED'} (after ${seconds()})`)
  return { passed: 0, failed: alone.length, skipped: 0, alone }
}

/** Runs the test files in this many processes; a file that has reported nothing counts as failed. */
async function test(title, name, paths, jobs, env = {}) {
  console.log(`== ${title}: ${paths.length} files, ${jobs} at a time`)
  const report = join(root, '.cache', `tests-${name}.json`)
  const died = join(root, '.cache', `died-${name}.txt`)
  mkdirSync(join(root, '.cache'), { recursive: true })
  for (const old of [report, died]) rmSync(old, { force: true })
  const reporter = ['--reporter', 'scripts/reporter.cjs', '--reporter-option', `output=${report}`]
  const options = ['--parallel', '--jobs', String(jobs), ...reporter, ...paths.sort(byLength)]
  const code = await run('mocha/bin/mocha.js', options, { ...env, EID_DIED: died })
  const told = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const silent = paths.filter((path) => !(path in told))
  // A test file that fails while it is loaded is reported without a name.
  const failed = Object.keys(told).filter((path) => path !== '' && told[path].failed > 0)
  const dead = existsSync(died) ? readFileSync(died, 'utf8').trim().split('\n') : []
  const figures = Object.values(told)
  // If mocha has failed for any other reason, this counts as at least one failure.
  const count = sum(figures, 'failed') + silent.length || dead.length || (code === 0 ? 0 : 1)
  console.log(`== ${title}: ${count === 0 ? 'good' : 'FAILED'} (after ${seconds()})`)
  const named = new Set([...failed, ...silent, ...dead].filter(Boolean))
  const alone = Array.from(named, (path) => `npx mocha ${path}`)
  return {
    passed: sum(figures, 'passed'),
    failed: count,
    skipped: sum(figures, 'skipped'),
    alone: count > 0 && alone.length === 0 ? [outside] : alone,
  }
}

/** If all quick tests have passed, they must also have covered nearly all of lib/. */
async function withCoverage(result) {
  if (result.failed > 0 || (await holdsCoverage())) return result
  return { ...result, failed: 1, alone: ['npm test (the coverage of lib/ is too small)'] }
}

function byLength(one, other) {
  const place = (path) => (tagsOf(path).includes('@first') ? 0 : 1)
  return place(one) - place(other) || (one < other ? -1 : 1)
}

function sum(figures, name) {
  return figures.reduce((total, one) => total + one[name], 0)
}

/** Ends all running processes, and this process. */
function stop(signal) {
  stopAll()
  console.log(`\nStopped by ${signal}`)
  process.exit(1)
}

/** Ends all running processes and the processes that they have started. */
function stopAll() {
  for (const { pid } of running) {
    try {
      process.kill(-pid, 'SIGTERM')
      // A process that a test has paused gets the signal only when it continues.
      process.kill(-pid, 'SIGCONT')
    } catch {
      // The process has just ended by itself, or the system has no process groups.
    }
  }
}

/** Runs a program of the development dependencies; resolves with its exit code. */
function run(program, options, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', program), ...options], {
      cwd: root,
      stdio: 'inherit',
      // The program gets a process group of its own, so that ending the group also ends all processes that the program
      // has started.
      detached: true,
      env: { ...process.env, EID_BUILT: 'yes', EID_STARTED_BY: String(process.pid), ...env },
    })
    running.add(child)
    const heir = endWithThis(child.pid)
    child.on('exit', (code) => {
      running.delete(child)
      heir.kill('SIGKILL')
      resolve(code ?? 1)
    })
  })
}

/**
 * Starts a process that ends the group `pid` when this process is gone, because a killed process can end nothing
 * itself.
 */
function endWithThis(pid) {
  const waiting = 'read -r word; kill -s TERM -- "-$0"; kill -s CONT -- "-$0"'
  const child = spawn('sh', ['-c', waiting, String(pid)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.on('error', () => undefined) // A system without a shell.
  return child
}
