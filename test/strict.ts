/**
 * Makes a rejection that nobody handles fail the test in which it happens: in Node-RED it would end the process.
 */
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { putAway } from './at-end'
import { root } from './house'
import { turn } from './time'

if (process.env.MOCHA_WORKER_ID !== undefined) {
  // What a test starts leaves no figures of its own beside those of the tests; mocha starts the workers that run them.
  delete process.env.NODE_V8_COVERAGE
  // A worker writes its figures when it exits, and mocha would end one that takes longer than a second for it.
  process.on('SIGTERM', () => process.exit())
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

const unhandled = new Set<unknown>()
const note = (reason: unknown) => void unhandled.add(reason)

/** Once, before the first file: what is built is not older than its sources. `npm test` has seen to that already. */
export function mochaGlobalSetup(): void {
  if (process.env.EID_BUILT) return
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The build has failed: "npm run build" says why')
}

export const mochaHooks = {
  /** Again for every file: a worker of mocha takes all listeners away after one. */
  beforeAll(): void {
    if (!process.listeners('unhandledRejection').includes(note)) process.on('unhandledRejection', note)
  },
  async afterEach(): Promise<void> {
    await turn()
    const reasons = [...unhandled].map((reason) => (reason instanceof Error ? (reason.stack ?? '') : String(reason)))
    unhandled.clear()
    if (reasons.length > 0) throw new Error(`nobody handled this rejection:\n${reasons.join('\n')}`)
  },
  /** A worker has more files to come: it puts things away as it exits. */
  async afterAll(): Promise<void> {
    if (process.env.MOCHA_WORKER_ID === undefined) await putAway()
  },
}
