/**
 * Makes a test fail if it leaves a rejection unhandled, which would end the process in Node-RED. Also makes sure that
 * no process of the tests reports success if it ends too early.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import fc from 'fast-check'
import type { Context } from 'mocha'
import { putAway } from './at-end'
import { root } from './house'
import { beginRun, useRunFolder } from './run-folder'
import { turn } from './time'

if (process.env.MOCHA_WORKER_ID !== undefined) {
  // Programs that a test starts must not write coverage of their own. The main process keeps the setting, because the
  // workers inherit it.
  delete process.env.NODE_V8_COVERAGE
  // A worker writes its coverage when it exits. If that takes longer than a second, mocha would otherwise end it.
  process.on('SIGTERM', () => process.exit())
  // If a worker dies after its file has reported, mocha replaces the worker without a message. So the worker notes its
  // latest test file here.
  process.on('exit', (code) => {
    const { EID_DIED } = process.env
    if (code !== 0 && EID_DIED) appendFileSync(EID_DIED, `${last}\n`)
  })
}

// The report of a failed property includes the error, not only the example.
fc.configureGlobal({ includeErrorInReport: true })

// The message "fetch failed" says too little, so the cause is added.
const { fetch } = globalThis
globalThis.fetch = async (...request) =>
  fetch(...request).catch((error: unknown) => {
    if (error instanceof Error && error.cause) error.message += `: ${String(error.cause)}`
    throw error
  })

/** The file of the latest test, as a path from the root; empty before the first test. */
let last = ''
/** True while the test files run. Only the process that started mocha sets this. */
let isRunning = false
process.on('exit', (code) => {
  if (isRunning && code === 0) process.exitCode = 1
})

const unhandled = new Set<unknown>()
const note = (reason: unknown) => void unhandled.add(reason)

/** Runs once, before the first file: builds what is older than its sources, unless `npm test` has built it. */
export function mochaGlobalSetup(): void {
  isRunning = true
  beginRun()
  if (process.env.EID_BUILT) return
  const { status, stdout } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`The build has failed:\n${stdout}`)
}

/** Runs once, after the last file. Does not run if a test ends the process. */
export function mochaGlobalTeardown(): void {
  isRunning = false
}

export const mochaHooks = {
  /** Runs for every file, because a mocha worker removes all listeners after each file. */
  beforeAll(): void {
    useRunFolder()
    if (!process.listeners('unhandledRejection').includes(note)) process.on('unhandledRejection', note)
  },
  beforeEach(this: Context): void {
    last = relative(root, this.currentTest?.file ?? '')
  },
  afterEach: throwUnhandled,
  /** Closes what the test files share. A worker does this only when it exits, because it may get more files. */
  async afterAll(): Promise<void> {
    if (process.env.MOCHA_WORKER_ID === undefined) await putAway()
    await throwUnhandled()
  },
}

/** Throws if there were unhandled rejections since the last call. */
async function throwUnhandled(): Promise<void> {
  await turn()
  const reasons = [...unhandled].map((reason) => (reason instanceof Error ? (reason.stack ?? '') : String(reason)))
  unhandled.clear()
  if (reasons.length > 0) throw new Error(`nobody handled this rejection:\n${reasons.join('\n')}`)
}
