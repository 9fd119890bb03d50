/** All waits of one node: asks for each from time to time, and ends each one once. */
import { randomBytes } from 'node:crypto'
import { EidError } from '../../lib/api/errors'
import type { Keep } from '../../lib/runtime/context'
import { keptWait, readWaits, type Wait } from './kept'
import type { Standing } from './outcomes'
import { createSchedule } from './schedule'

/** How a wait ended: with what the service says, or with the error that makes waiting pointless. */
export type Ending = { readonly standing: Standing; readonly late: boolean } | { readonly error: unknown }

export interface WaitsOptions {
  readonly keep: Keep
  /** Asks the service; rejects with an EidError. */
  ask(wait: Wait, signal: AbortSignal): Promise<Standing>
  /** Called once per wait; `id` is what `add` gave. */
  end(id: string, wait: Wait, ending: Ending): void
  /** After every question: how many waits there are, and the error that the service could not be asked for. */
  asked(count: number, trouble?: EidError): void
}

export interface Waits {
  add(wait: Wait): string
  /** Goes on with what the store has kept. Rejects when it cannot be read. */
  resume(): Promise<void>
  /** Stops within a second; `forget` empties the store as well. */
  close(forget: boolean): Promise<void>
}

/** Questions on their way at once: enough to be quick, few enough to leave the client's other calls their turn. */
const parallel = 8
const growth = 1.5

/** These may be over by the next question; any other error stays what it is. */
const passing: readonly string[] = ['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE', 'EID_RATE_LIMITED', 'EID_CONFIG']

export function createWaits({ keep, ask, end, asked }: WaitsOptions): Waits {
  const live = new Map<string, Wait>()
  const closing = new AbortController()
  const schedule = createSchedule(parallel, wake)

  async function wake(id: string): Promise<void> {
    const wait = live.get(id)
    if (!wait) return
    try {
      const standing = await ask(wait, closing.signal)
      const late = !standing.end && Date.now() >= wait.until
      if (closing.signal.aborted) return
      if (standing.end || late) finish(id, wait, { standing, late })
      else again(id, wait)
      asked(live.size)
    } catch (error) {
      if (closing.signal.aborted) return
      const trouble = error instanceof EidError && passing.includes(error.code) ? error : undefined
      if (trouble && Date.now() < wait.until) again(id, wait)
      else finish(id, wait, trouble ? { standing: unheard, late: true } : { error })
      asked(live.size, trouble)
    }
  }

  function again(id: string, wait: Wait): void {
    // The last question is asked when the time is up: what the service says decides, not the clock here.
    schedule.add(id, Math.min(Date.now() + wait.pause, Math.max(wait.until, Date.now() + 1)))
    wait.pause = Math.min(wait.pause * growth, wait.longest)
  }

  function finish(id: string, wait: Wait, ending: Ending): void {
    live.delete(id)
    end(id, wait, ending)
    keep.put(id, undefined)
  }

  return {
    add(wait) {
      const id = `w${randomBytes(12).toString('hex')}`
      keep.put(id, keptWait(wait))
      // The flow was stopped while the message was read: the wait goes on with the next start.
      if (closing.signal.aborted) return id
      live.set(id, wait)
      schedule.add(id, Date.now())
      asked(live.size)
      return id
    },
    async resume() {
      const kept = readWaits(await keep.all())
      if (closing.signal.aborted) return
      for (const [id, wait] of kept) {
        if (live.has(id)) continue
        live.set(id, wait)
        schedule.add(id, Date.now())
      }
      if (kept.length > 0) asked(live.size)
    },
    async close(forget) {
      closing.abort()
      schedule.close()
      live.clear()
      if (forget) keep.clear()
      await keep.flush()
    },
  }
}

/** The time is up and the service could not be asked. */
const unheard: Standing = { status: '', answer: { status: 0, headers: {}, data: undefined } }
