/** Time that passes as quickly as the work in it is done: timers and clocks go forward together, days in seconds. */
import { mock } from 'node:test'
import type { Clock } from '../../lib/store/clock'

export interface SimulatedTime {
  readonly clock: Clock
  /** Lets this many milliseconds pass, in steps: work that a timer starts within a step continues at the step's end. */
  pass(milliseconds: number, stepMs?: number): Promise<void>
  /** Gives back the real timers. */
  end(): void
}

const realImmediate = setImmediate

/** What was begun by a timer, and what that begins in turn, gets this many turns of the loop. */
const turns = 4

/** Nothing may speak HTTP meanwhile: its client would wait for a timer of this time ever after. */
export function simulateTime(): SimulatedTime {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() })
  const start = Date.now()
  const settle = async () => {
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => realImmediate(resolve))
  }
  return {
    clock: { now: () => Date.now() - start, epochNow: () => Date.now(), uptime: () => Date.now() - start },
    async pass(milliseconds, stepMs = 1000) {
      await settle()
      for (let passed = 0; passed < milliseconds; passed += stepMs) {
        mock.timers.tick(Math.min(stepMs, milliseconds - passed))
        await settle()
      }
    },
    end: () => mock.timers.reset(),
  }
}
