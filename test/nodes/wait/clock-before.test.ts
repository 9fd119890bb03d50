/**
 * Pending waits and webhook events, if the system clock was wrong before a restart, or if Node-RED is blocked for
 * longer than a lease.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { systemClock, type Clock } from '../../../lib/store/clock'
import { createPoller } from '../../../nodes/wait/poller'
import { createWaits } from '../../../nodes/wait/waits'
import { createInbox } from '../../../nodes/webhook/inbox'
import { untilCount } from '../../support/time'
import { storeOf } from '../../support/stores'

const hour = 3_600_000
/** Without a battery, a machine's clock begins in the past. */
const behind: Clock = { ...systemClock, epochNow: () => Date.now() - 40 * 365 * 24 * hour }

describe('stored items, when the clock is set', () => {
  let folder: string
  const ignored = () => undefined
  const failed = (error: unknown) => {
    throw error
  }
  const open = (kind: string, clock: Clock, leaseMs?: number) => {
    const lease = leaseMs === undefined ? {} : { leaseMs }
    return storeOf({ kind, ...lease }, { folder: join(folder, kind), clock })
  }

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'eid-clock-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  it('a wait with a limit of an hour is not over when the clock is right again after the restart', async () => {
    let asked = 0
    const run = async (clock: Clock, count: number) => {
      const store = open('waits', clock)
      const waits = createWaits({
        store,
        clock,
        failed,
        dropped: ignored,
        changed: ignored,
        unreadable: ignored,
        heldBack: ignored,
      })
      const ended: unknown[] = []
      const unsigned = { status: 'unsigned', answer: { status: 200, headers: {}, data: undefined } }
      const ask = () => (asked++, Promise.resolve(unsigned))
      const poller = createPoller({ store, waits, clock, failed, ask, end: (id) => void ended.push(id) })
      for (let number = 0; number < count; number++) {
        const about = { what: 'document', resourceId: `d${number}`, msg: {} } as const
        const wait = { ...about, deadline: clock.now() + hour, pauseMs: 50, maxPauseMs: 50 }
        await waits.add(wait, `c/document/d${number}`)
      }
      poller.start()
      await untilCount(() => asked, asked + 27)
      await poller.stop()
      await store.close()
      return ended
    }
    should(await run(behind, 27)).deepEqual([])
    should(await run(systemClock, 0)).deepEqual([])
  })

  it('an event of a webhook is known again, and enters once', async () => {
    const entered: unknown[] = []
    const run = async (clock: Clock) => {
      const inbox = createInbox({ store: open('events', clock), deliver: ({ id }) => void entered.push(id), failed })
      inbox.start()
      for (let number = 0; number < 9; number++) (await inbox.take(`e${number}`, { id: `e${number}` }))?.()
      await untilCount(() => entered.length, 9)
      await inbox.close()
    }
    await run(behind)
    await run(systemClock)
    should(entered.sort()).deepEqual(Array.from({ length: 9 }, (_none, number) => `e${number}`))
  })

  it('each of eight events enters once, though they keep Node-RED busy for longer than a claim lasts', async () => {
    const entered: unknown[] = []
    const inbox = createInbox({
      store: open('busy', systemClock, 400),
      deliver({ id }) {
        entered.push(id)
        const end = performance.now() + 100
        while (performance.now() < end);
      },
      failed,
    })
    const letIn = []
    for (let number = 0; number < 8; number++) letIn.push(await inbox.take(`e${number}`, { id: `e${number}` }))
    for (const one of letIn) one?.()
    inbox.start()
    await untilCount(() => entered.length, 8)
    // By now, anything that enters twice would have arrived.
    const last = await inbox.take('last', { id: 'last' })
    last?.()
    await untilCount(() => entered.length, 9)
    await inbox.close()
    should(entered.slice().sort()).deepEqual([...Array.from({ length: 8 }, (_none, number) => `e${number}`), 'last'])
  })
})
