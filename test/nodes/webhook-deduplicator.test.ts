/** What "webhook" remembers of the events that came in. */
import should from 'should'
import type { Keep } from '../../lib/runtime/context'
import { createDeduplicator } from '../../nodes/webhook/deduplicator'

/** A store of one test, as it is written. */
function storeIn(kept: Record<string, unknown>): Keep {
  return {
    all: () => Promise.resolve({ ...kept }),
    put: (key, value) => void (value === undefined ? delete kept[key] : (kept[key] = value)),
    clear: () => Object.keys(kept).forEach((key) => delete kept[key]),
    flush: () => Promise.resolve(),
  }
}

const unexpected = () => should.fail('unread', 'read', 'the store was readable')

describe('what webhook has seen', () => {
  it('is kept; of very many events the oldest are forgotten', async () => {
    const kept: Record<string, unknown> = {}
    const earlier = createDeduplicator(storeIn(kept), unexpected)
    for (let n = 0; n <= 5000; n++) should(await earlier.take(`event-${n}`)).be.true()
    await earlier.close(false)
    should(Object.keys(kept).length).equal(5000)
    const later = createDeduplicator(storeIn(kept), unexpected)
    should(await later.take('event-5000')).be.false()
    should(await later.take('event-1')).be.false()
    should(await later.take('event-0')).be.true()
    await later.close(true)
    should(kept).deepEqual({})
  })

  it('is written before an event is let in, so that a killed Node-RED does not let it in again', async () => {
    let written = 0
    const flush = () => new Promise<void>((resolve) => setImmediate(() => resolve(void written++)))
    const seen = createDeduplicator({ ...storeIn({}), flush }, unexpected)
    should([await seen.take('a'), written]).deepEqual([true, 1])
    should([await seen.take('a'), written]).deepEqual([false, 2])
  })

  it('is remembered for this run when the store cannot be read, and that is told once', async () => {
    let told = 0
    const broken = { ...storeIn({}), all: () => Promise.reject(new Error('unreadable')) }
    const seen = createDeduplicator(broken, () => void told++)
    should([await seen.take('a'), await seen.take('a'), told]).deepEqual([true, false, 1])
  })
})
