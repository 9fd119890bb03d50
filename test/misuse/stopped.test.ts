/**
 * What is sent at the moment when its flow is stopped: Node-RED delivers it in the next turn, to nodes that may no
 * longer exist. It stays stored, and is sent once more afterwards.
 */
import should from 'should'
import { systemClock } from '../../lib/store/clock'
import { createPoller } from '../../nodes/wait/poller'
import { createWaits } from '../../nodes/wait/waits'
import { createInbox } from '../../nodes/webhook/inbox'
import { clock, done, memory, openKept, take } from '../support/kept-batches'
import { until, untilCount } from '../support/time'
import { storeOf } from '../support/stores'

describe('what is sent while its flow is stopped', () => {
  const store = (kind: string) => storeOf({ kind })
  const failed = (error: unknown) => {
    throw error
  }
  const { open, stop } = openKept()
  afterEach(stop)

  it('is the report of a list: it goes out once more', async () => {
    const own = memory()
    let stopped: Promise<void> | undefined
    const before = await open(own, {
      report() {
        stopped = before.batches.stop()
        return Promise.resolve()
      },
    })
    await take(before.batches, 1)
    await untilCount(() => before.sent.length, 1)
    await before.batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await until(() => stopped !== undefined)
    await stopped
    const again: unknown[] = []
    await open(own, { report: (_batch, msg) => void again.push(msg.redelivered) })
    await untilCount(() => again.length, 1)
    should(again).deepEqual([true])
  })

  it('is the end of a wait: it comes out once more', async () => {
    const own = store('waits')
    const body = { what: 'document', resourceId: 'doc', pauseMs: 50, maxPauseMs: 100, msg: {} }
    await own.put('one', { body, dueMs: 0 })
    const ignore = () => undefined
    const waits = createWaits({
      store: own,
      clock,
      failed,
      dropped: ignore,
      changed: ignore,
      heldBack: ignore,
      unreadable: ignore,
    })
    const ends: boolean[] = []
    const start = (ended: () => void) => {
      const poller = createPoller({
        store: own,
        waits,
        clock: systemClock,
        failed,
        ask: () =>
          Promise.resolve({ status: 'signed', outcome: 'done', answer: { status: 200, headers: {}, data: undefined } }),
        end(_id, _wait, _ending, redelivered) {
          ends.push(redelivered)
          ended()
        },
      })
      poller.start()
      return poller
    }
    let stopped: Promise<void> | undefined
    const before = start(() => void (stopped = before.stop()))
    await until(() => stopped !== undefined)
    await stopped
    const after = start(ignore)
    await untilCount(() => ends.length, 2)
    should(ends).deepEqual([false, true])
    await until(async () => (await own.count()) === 0)
    await after.stop()
  })

  it('is an event of a webhook: it comes in once more', async () => {
    const own = store('events')
    const events: boolean[] = []
    const start = (delivered: () => void) => {
      const inbox = createInbox({
        store: own,
        failed,
        deliver(_event, redelivered) {
          events.push(redelivered)
          delivered()
        },
      })
      inbox.start()
      return inbox
    }
    let stopped: Promise<void> | undefined
    // The store stays open, as in a process that starts the flow again.
    const before = start(() => void (stopped ??= before.close()))
    const letIn = await before.take('e-1', { id: 'e-1' })
    letIn?.()
    await until(() => stopped !== undefined)
    await stopped
    const after = start(() => undefined)
    await untilCount(() => events.length, 2)
    should(events).deepEqual([false, true])
    await after.close()
  })
})
