/**
 * Prints a line per test file, and below it every failure in full. Writes the figures to a file for the process that
 * started the run, also while the run lasts: that process ends a run that hangs.
 */
const { writeFileSync } = require('node:fs')
const { relative } = require('node:path')
const Mocha = require('mocha')

const { Base } = Mocha.reporters
const events = Mocha.Runner.constants

module.exports = class extends Base {
  constructor(runner, options) {
    super(runner, options)
    const files = new Map()
    /** The failed tests of the latest file. */
    const failures = []
    const { output } = options.reporterOption ?? options.reporterOptions ?? {}
    const write = () => output && writeFileSync(output, JSON.stringify(Object.fromEntries(files)))
    let due
    const of = (runnable) => {
      const place = runnable.file ?? runnable.parent?.file
      // A hook that all files share has no file: it counts for the file of the latest test.
      const isShared = place === undefined && runnable.type === 'hook' && files.size > 0
      const file = isShared ? [...files.keys()].at(-1) : relative(process.cwd(), place ?? '')
      if (!files.has(file)) {
        printLast(files, failures)
        failures.length = 0
        files.set(file, { passed: 0, failed: 0, skipped: 0, milliseconds: 0, tests: [] })
      }
      return files.get(file)
    }
    const end = (outcome) => (test) => {
      const file = of(test)
      file[outcome]++
      file.milliseconds += test.duration ?? 0
      file.tests.push([test.fullTitle(), Math.round(test.duration ?? 0)])
      if (outcome === 'failed') failures.push(test)
      due ??= setTimeout(() => {
        due = undefined
        write()
      }, 1000).unref()
    }
    runner.on(events.EVENT_TEST_PASS, end('passed'))
    runner.on(events.EVENT_TEST_FAIL, end('failed'))
    runner.on(events.EVENT_TEST_PENDING, end('skipped'))
    runner.once(events.EVENT_RUN_END, () => {
      printLast(files, failures)
      write()
    })
  }
}

/** Prints the result of the last test file. Called when the next file begins, and when the run ends. */
function printLast(files, failures) {
  const last = [...files].at(-1)
  if (!last) return
  const [name, { passed, failed, skipped, milliseconds }] = last
  const counts = [`${passed} passed`, failed > 0 && `${failed} FAILED`, skipped > 0 && `${skipped} skipped`]
  console.log(
    `  ${failed > 0 ? '✘' : '✔'} ${name}: ${counts.filter(Boolean).join(', ')} (${(milliseconds / 1000).toFixed(1)} s)`,
  )
  if (failures.length > 0) Base.list(failures)
}
