/** Simulated time: timers and clocks advance together, as fast as the work allows, so that days take seconds. */
import { mock } from 'node:test'
import type { Clock } from '../../lib/store/clock'

export interface SimulatedTime {
  readonly clock: Clock
  /** Lets this many milliseconds pass, in steps: work that a timer starts within a step continues at the step's end. */
  pass(milliseconds: number, stepMs?: number): Promise<void>
  /** Restores the real timers. */
  end(): void
}

const realImmediate = setImmediate

/** How many turns of the event loop follow each step, so that the work that a timer has started can continue. */
const turns = 4

/**
 * Starts the simulation. A test must not use HTTP meanwhile: an HTTP client would wait forever for a simulated timer.
 */
export function simulateTime(): SimulatedTime {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() })
  const start = Date.now()
  const settle = async () => {
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => realImmediate(resolve))
  }
  return {
    clock: { now: () => Date.now() - start, epochNow: () => Date.now() },
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
