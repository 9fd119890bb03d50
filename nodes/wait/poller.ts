/** Asks for all the messages that wait in one node from time to time, and ends each one once. */
import { randomBytes } from 'node:crypto'
import { EidError } from '../../lib/api/errors'
import type { Clock } from '../../lib/runtime/clock'
import type { Keep } from '../../lib/runtime/context'
import type { ResourceState } from './resource-state'
import { createSchedule } from './schedule'
import { readWait, storedWait, type PendingWait } from './stored-wait'

/** How a wait ended: with what the service says, or with the error that makes waiting pointless. */
export type Ending = { readonly state: ResourceState; readonly late: boolean } | { readonly error: unknown }

/** What the latest question brought: the state of what has not ended, or why the service could not be asked. */
export interface Asked {
  readonly wait?: PendingWait
  readonly state?: ResourceState
  readonly trouble?: EidError
}

export interface PollerOptions {
  readonly keep: Keep
  readonly clock: Clock
  /** Asks the service; rejects with an EidError. */
  ask(wait: PendingWait, signal: AbortSignal): Promise<ResourceState>
  /** Called once per wait; `id` is what `add` gave. */
  end(id: string, wait: PendingWait, ending: Ending): void
  /** Called for a wait that is taken back: its message goes no further. */
  dropped(id: string): void
  /** After every question: how many waits there are, and what it brought. */
  asked(count: number, asked: Asked): void
  /** Told of what should never happen. */
  failed(error: unknown): void
}

export interface Poller {
  /** Throws EID_INVALID_INPUT when the message cannot be stored. */
  add(wait: PendingWait): string
  /** Goes on with what was stored; gives how many of it could not be read. Rejects when nothing can be read. */
  resume(): Promise<number>
  /** Asks now for every wait, or for those of this document, session, share or deposit. */
  flush(resourceId?: string): void
  /** Takes back every wait, or those of this document, session, share or deposit. */
  reset(resourceId?: string): void
  /** Stops within a second; `forget` empties the store as well. */
  close(forget: boolean): Promise<void>
}

/** Questions on their way at once: enough to be quick, few enough to leave the client's other calls their turn. */
const parallel = 8
const growth = 1.5

/** These may be over by the next question; any other error stays what it is. */
const passing: readonly string[] = ['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE', 'EID_RATE_LIMITED', 'EID_CONFIG']

export function createPoller({ keep, clock, ask, end, dropped, asked, failed }: PollerOptions): Poller {
  const pending = new Map<string, PendingWait>()
  /** Those that the service is being asked for now. */
  const asking = new Set<string>()
  const closing = new AbortController()
  const schedule = createSchedule({ clock, parallel, wake, failed })

  async function wake(id: string): Promise<void> {
    const wait = pending.get(id)
    if (!wait || asking.has(id)) return
    asking.add(id)
    const answer = await question(wait).finally(() => asking.delete(id))
    // Taken back meanwhile, or the flow has ended.
    if (closing.signal.aborted || pending.get(id) !== wait) return
    if ('pause' in answer) again(id, wait)
    else finish(id, wait, answer)
    asked(pending.size, 'pause' in answer ? { wait, ...answer } : {})
  }

  /** Asks once. Never rejects. */
  async function question(wait: PendingWait): Promise<Ending | ({ readonly pause: true } & Asked)> {
    try {
      const state = await ask(wait, closing.signal)
      if (state.version) wait.version = state.version
      const late = !state.outcome && clock.now() >= wait.deadline
      return state.outcome || late ? { state, late } : { pause: true, state }
    } catch (error) {
      const trouble = error instanceof EidError && passing.includes(error.code) ? error : undefined
      if (!trouble) return { error }
      return clock.now() < wait.deadline ? { pause: true, trouble } : { state: unheard, late: true }
    }
  }

  function again(id: string, wait: PendingWait): void {
    // The last question is asked when the time is up: what the service says decides, not the clock here.
    schedule.plan(id, Math.min(clock.now() + wait.pauseMs, Math.max(wait.deadline, clock.now() + 1)))
    wait.pauseMs = Math.min(wait.pauseMs * growth, wait.maxPauseMs)
  }

  function finish(id: string, wait: PendingWait, ending: Ending): void {
    pending.delete(id)
    end(id, wait, ending)
    keep.put(id, undefined)
  }

  const matching = (resourceId: string | undefined) =>
    [...pending].filter(([, wait]) => resourceId === undefined || wait.resourceId === resourceId).map(([id]) => id)

  return {
    add(wait) {
      const id = `w${randomBytes(12).toString('hex')}`
      keep.put(id, storedWait(wait, clock))
      // The flow was stopped while the message was read: the wait goes on with the next start.
      if (closing.signal.aborted) return id
      pending.set(id, wait)
      schedule.plan(id, clock.now())
      asked(pending.size, {})
      return id
    },
    async resume() {
      const stored = Object.entries(await keep.all())
      if (closing.signal.aborted) return 0
      let unreadable = 0
      for (const [id, one] of stored) {
        if (pending.has(id)) continue
        const wait = readWait(one, clock)
        if (!wait) unreadable++
        else {
          pending.set(id, wait)
          schedule.plan(id, clock.now())
        }
      }
      if (pending.size > 0) asked(pending.size, {})
      return unreadable
    },
    flush(resourceId) {
      for (const id of matching(resourceId)) schedule.plan(id, clock.now())
    },
    reset(resourceId) {
      for (const id of matching(resourceId)) {
        pending.delete(id)
        schedule.cancel(id)
        keep.put(id, undefined)
        dropped(id)
      }
      asked(pending.size, {})
    },
    async close(forget) {
      closing.abort()
      schedule.close()
      pending.clear()
      if (forget) keep.clear()
      await keep.flush()
    },
  }
}

/** The time is up and the service could not be asked. */
const unheard: ResourceState = { status: '', answer: { status: 0, headers: {}, data: undefined } }
