/**
 * Makes a rejection that nobody handles fail the test in which it happens: in Node-RED it would end the process.
 */
import { turn } from './time'

if (process.env.MOCHA_WORKER_ID !== undefined) {
  // What a test starts leaves no figures of its own beside those of the tests; mocha starts the workers that run them.
  delete process.env.NODE_V8_COVERAGE
  // A worker writes its figures when it exits, and mocha would end one that takes longer than a second for it.
  process.on('SIGTERM', () => process.exit())
}

const unhandled = new Set<unknown>()
const note = (reason: unknown) => void unhandled.add(reason)

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
}
