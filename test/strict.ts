/**
 * Makes a rejection that nobody handles fail the test in which it happens: in Node-RED it would end the process. Leaves
 * the figures of coverage after every file of tests.
 */
import { takeCoverage } from 'node:v8'
import { turn } from './time'

// What a test starts leaves no figures of its own beside those of the tests; mocha starts the workers that run them.
if (process.env.MOCHA_WORKER_ID !== undefined) delete process.env.NODE_V8_COVERAGE

const unhandled = new Set<unknown>()
const note = (reason: unknown) => void unhandled.add(reason)

export const mochaHooks = {
  /** Again for every file: a worker of mocha takes all listeners away after one. */
  beforeAll(): void {
    if (!process.listeners('unhandledRejection').includes(note)) process.on('unhandledRejection', note)
  },
  /** At its exit would be too late: mocha ends a worker that takes longer than a second for it. */
  afterAll: () => takeCoverage(),
  async afterEach(): Promise<void> {
    await turn()
    const reasons = [...unhandled].map((reason) => (reason instanceof Error ? (reason.stack ?? '') : String(reason)))
    unhandled.clear()
    if (reasons.length > 0) throw new Error(`nobody handled this rejection:\n${reasons.join('\n')}`)
  },
}
