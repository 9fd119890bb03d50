/**
 * Makes an unhandled rejection fail the test in which it happens: in Node-RED it would end the process. And
 * lets no process of the tests end as if all were good.
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
  // What a test starts leaves no figures of its own beside those of the tests; mocha starts the workers that run them.
  delete process.env.NODE_V8_COVERAGE
  // A worker writes its figures when it exits, and mocha would end one that takes longer than a second for it.
  process.on('SIGTERM', () => process.exit())
  // One that dies after its file has reported is replaced by mocha without a word.
  process.on('exit', (code) => {
    const { EID_DIED } = process.env
    if (code !== 0 && EID_DIED) appendFileSync(EID_DIED, `${last}\n`)
  })
}

// A property that fails says by which error, not only by which example.
fc.configureGlobal({ includeErrorInReport: true })

// "fetch failed" says nothing: the reason is behind it.
const { fetch } = globalThis
globalThis.fetch = async (...request) =>
  fetch(...request).catch((error: unknown) => {
    if (error instanceof Error && error.cause) error.message += `: ${String(error.cause)}`
    throw error
  })

/** The file whose test has begun last, from the root; empty before the first. */
let last = ''
/** From before the first file until after the last, in the process that mocha was started in. */
let isRunning = false
process.on('exit', (code) => {
  if (isRunning && code === 0) process.exitCode = 1
})

const unhandled = new Set<unknown>()
const note = (reason: unknown) => void unhandled.add(reason)

/** Once, before the first file: what is built is not older than its sources. `npm test` has seen to that already. */
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

/** Once, after the last file: a test that ends the process comes not so far. */
export function mochaGlobalTeardown(): void {
  isRunning = false
}

export const mochaHooks = {
  /** Again for every file: a worker of mocha takes all listeners away after one. */
  beforeAll(): void {
    useRunFolder()
    if (!process.listeners('unhandledRejection').includes(note)) process.on('unhandledRejection', note)
  },
  beforeEach(this: Context): void {
    last = relative(root, this.currentTest?.file ?? '')
  },
  afterEach: throwUnhandled,
  /** A worker has more files to come: it puts things away as it exits. */
  async afterAll(): Promise<void> {
    if (process.env.MOCHA_WORKER_ID === undefined) await putAway()
    await throwUnhandled()
  },
}

/** Throws when a rejection was not handled since the last time. */
async function throwUnhandled(): Promise<void> {
  await turn()
  const reasons = [...unhandled].map((reason) => (reason instanceof Error ? (reason.stack ?? '') : String(reason)))
  unhandled.clear()
  if (reasons.length > 0) throw new Error(`nobody handled this rejection:\n${reasons.join('\n')}`)
}
