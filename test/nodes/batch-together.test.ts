/** What several Node-REDs with one batch leave to each other: notes of how far it is. */
import should from 'should'
import type { Head } from '../../nodes/batch/kept-batch'
import { turn, until, untilCount } from '../time'
import { done, instead, memory, openKept, take } from './kept-batches'

describe('batch, of which several Node-REDs know', () => {
  const { open, stop } = openKept()
  afterEach(stop)

  it('marks the second report when how far it is was noted while the first was about to be sent', async () => {
    const store = memory()
    let told = 0
    let goOn: (() => void) | undefined
    let killed = false
    const slow = instead(store, 'put', async (id, item) => {
      if (killed) throw new Error('killed')
      await store.put(id, item)
      // It is written down, and this process does not know it yet.
      if ((item.body as Partial<Head>).stage === 'reporting') await new Promise<void>((resolve) => (goOn = resolve))
    })
    const first = await open(slow, { report: () => Promise.resolve(void (told++, (killed = true))) })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await first.batches.end('b', 'key-0', 1, done)
    await until(() => goOn)
    const noted = first.batches.note(new Map())
    await turn()
    goOn?.()
    await untilCount(() => told, 1)
    await Promise.all([noted.catch(() => undefined), first.batches.stop()])
    const marks: unknown[] = []
    await open(store, { report: (_batch, msg) => Promise.resolve(void marks.push(msg.redelivered)) })
    await untilCount(() => marks.length, 1)
    should(marks).deepEqual([true])
  })

  it('brings no batch back that was reset while others were told of it', async () => {
    const store = memory()
    let goOn: (() => void) | undefined
    const slow = instead(store, 'put', async (id, item) => {
      if (noting && !goOn) await new Promise<void>((resolve) => (goOn = resolve))
      await store.put(id, item)
    })
    let noting = false
    const { batches, sent } = await open(slow)
    await take(batches, 1)
    await untilCount(() => sent.length, 1)
    noting = true
    const noted = batches.note(new Map())
    const reset = until(() => goOn).then(() => batches.reset('b'))
    await until(() => goOn)
    await turn()
    goOn?.()
    await Promise.all([noted, reset])
    should(await store.list()).be.empty()
  })
})
