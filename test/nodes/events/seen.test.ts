/** Several Node-REDs remember events together: an event that is delivered again is recognized. */
import should from 'should'
import type { Answer } from '../../../lib/api/call/call'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { forgetHandouts, handoutsOf, settleDoubtful } from '../../../nodes/events/leases'
import { createQueue } from '../../../nodes/events/queue'
import { createSeen } from '../../../nodes/events/seen'
import { storeOf } from '../../support/stores'
import { RED } from '../../support/errors'

describe('events that are given out again', () => {
  let number = 0
  const table = () => createSeen(storeOf({ kind: 'events' }))

  /** Starts one Node-RED; the service delivers the event each time it pulls. */
  const startOne = (
    seen: ReturnType<typeof table>,
    onDelivery: boolean,
    {
      handouts = handoutsOf(RED, `one-${number++}`),
      closing = new AbortController(),
      stopsAfter = Infinity,
      stopsAtPull = false,
    } = {},
  ) => {
    const sent: FlowMessage[] = []
    const failed: string[] = []
    const calls: string[] = []
    const queue = createQueue({
      eventTypes: [],
      tags: [],
      onDelivery,
      seen,
      signal: closing.signal,
      handouts,
      ask(operation) {
        calls.push(operation)
        if (stopsAtPull) closing.abort()
        const data = operation === 'pullEvents' ? [{ id: 'one', type: 'document_signed' }] : undefined
        return Promise.resolve({ status: 200, headers: {}, data } as Answer)
      },
      emit(msg) {
        if (sent.push(msg) >= stopsAfter) closing.abort()
      },
      unfit: () => undefined,
      failed: (error) => void failed.push(error.code),
    })
    return { queue, sent, failed, calls }
  }

  it('are sent again when the node was stopped in the turn in which it handed them out', async () => {
    const seen = table()
    const handouts = handoutsOf(RED, 'stopped in that turn')
    const before = startOne(seen, true, { handouts, stopsAfter: 1 })
    await before.queue.pull()
    should(before.calls).deepEqual(['pullEvents'])
    should([...handouts.doubtful.keys()]).deepEqual(['one'])
    // After the next deploy, the node starts again.
    settleDoubtful(handouts, false)
    const after = startOne(seen, true, { handouts })
    await after.queue.pull()
    should(after.sent).have.length(1)
    should(after.sent[0]).have.property('redelivered', true)
    should(after.calls).deepEqual(['pullEvents', 'handleEvents'])
  })

  it('are sent after a deploy that came between the pull and the sending', async () => {
    const seen = table()
    const handouts = handoutsOf(RED, 'stopped at the pull')
    const before = startOne(seen, true, { handouts, stopsAtPull: true })
    await before.queue.pull()
    should(before.sent).be.empty()
    const after = startOne(seen, true, { handouts })
    await after.queue.pull()
    should(after.sent).have.length(1)
    should(after.sent[0]).not.have.property('redelivered')
    await after.queue.pull()
    should(after.sent).have.length(1)
  })

  it('are sent by the node in the subflow that the stopped node has become part of', async () => {
    const seen = table()
    const handouts = handoutsOf(RED, 'made a subflow')
    await startOne(seen, true, { handouts, stopsAtPull: true }).queue.pull()
    forgetHandouts(RED, 'made a subflow')
    const after = startOne(seen, true, { handouts: handoutsOf(RED, 'instance-made a subflow') })
    await after.queue.pull()
    should(after.sent).have.length(1)
  })

  it('are reported as handled when nothing but that node was stopped', async () => {
    const seen = table()
    const handouts = handoutsOf(RED, 'stopped alone')
    await startOne(seen, true, { handouts, stopsAfter: 1 }).queue.pull()
    settleDoubtful(handouts, true)
    const after = startOne(seen, true, { handouts })
    await after.queue.pull()
    should(after.calls).deepEqual(['handleEvents', 'pullEvents'])
  })

  it('are left out when another instance has handled them, and the service is notified', async () => {
    const seen = table()
    const one = startOne(seen, true)
    await one.queue.pull()
    const other = startOne(seen, true)
    await other.queue.pull()
    should([one.sent.length, other.sent.length]).deepEqual([1, 0])
    should(other.calls).deepEqual(['pullEvents', 'handleEvents'])
  })

  it('carry "redelivered" when they have not come back, and are an error after five times', async () => {
    const seen = table()
    const words: unknown[] = []
    for (let times = 1; times <= 6; times++) {
      const one = startOne(seen, false)
      await one.queue.pull()
      words.push(one.failed[0] ?? one.sent[0]?.redelivered)
    }
    should(words).deepEqual([undefined, true, true, true, true, 'EID_FAILED'])
  })

  it('are known by their whole id, whatever it contains', async () => {
    const seen = table()
    for (const id of ['a/handled', '\ud800']) {
      await seen.begin(id)
      await seen.end(id)
    }
    should([await seen.begin('a'), await seen.begin('\ud801')]).deepEqual([1, 1])
    should([await seen.begin('a/handled'), await seen.begin('\ud800')]).deepEqual(['handled', 'handled'])
  })
})
