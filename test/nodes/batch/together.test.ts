/** How several Node-REDs with one batch work together: notes about its progress, and lists that are passed on. */
import should from 'should'
import type { BatchQueue } from '../../../nodes/batch/run/queue'
import { parseList } from '../../../nodes/batch/rows/read-list'
import type { Head } from '../../../nodes/batch/run/storage'
import { applyCommand, sendCommand, notLeader, processCommand } from '../../../nodes/batch/cluster/mailbox'
import { turn, until, untilCount } from '../../support/time'
import { done, instead, memory, openKept, take } from '../../support/kept-batches'

describe('batch, of which several Node-REDs know', () => {
  const { open, stop } = openKept()
  afterEach(stop)

  it('marks the second report if the progress was stored while the first report was about to be sent', async () => {
    const store = memory()
    let told = 0
    let goOn: (() => void) | undefined
    let killed = false
    const slow = instead(store, 'put', async (id, item) => {
      if (killed) throw new Error('killed')
      await store.put(id, item)
      // The change is stored, but this process does not know that yet.
      if ((item.body as Partial<Head>).stage === 'reporting') await new Promise<void>((resolve) => (goOn = resolve))
    })
    const first = await open(slow, { report: () => void (told++, (killed = true)) })
    await take(first.batches, 1)
    await untilCount(() => first.sent.length, 1)
    await first.batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await until(() => goOn)
    const noted = first.batches.note()
    await turn()
    goOn?.()
    await untilCount(() => told, 1)
    await Promise.all([noted.catch(() => undefined), first.batches.stop()])
    const marks: unknown[] = []
    await open(store, { report: (_batch, msg) => void marks.push(msg.redelivered) })
    await untilCount(() => marks.length, 1)
    should(marks).deepEqual([true])
  })

  it('does not bring back a batch that was reset while others were being informed', async () => {
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
    const noted = batches.note()
    const reset = until(() => goOn).then(() => batches.control('reset', 'b'))
    await until(() => goOn)
    await turn()
    goOn?.()
    await Promise.all([noted, reset])
    should(await store.list()).be.empty()
  })

  it('takes a list once that was handed over, if Node-RED is killed before the hand-over is completed', async () => {
    const store = memory()
    const post = memory()
    const list = await parseList([0], (row) => `key-${String(row)}`)
    await sendCommand(post, { what: 'list', id: 'b', list, msg: {} })
    const first = await open(store)
    const [letter] = await post.claim(1)
    if (!letter) throw new Error('no letter')
    await applyCommand(letter, first.batches)
    await untilCount(() => first.sent.length, 1)
    await first.batches.stop()
    const second = await open(store, { attempts: 1 })
    await untilCount(() => second.sent.length, 1)
    const failed = { failed: true, outcome: 'not-done', result: {}, calls: [] } as const
    await second.batches.end({ id: 'b', key: 'key-0' }, failed)
    await until(() => second.batches.all().length === 0)
    should(second.reports).have.length(1)
    // The lease of the message with the list has expired, so another process claims it.
    await post.returnClaims([letter])
    const [again] = await post.claim(1)
    if (!again) throw new Error('no letter')
    await applyCommand(again, second.batches)
    should(second.batches.all()).be.empty()
    // The same list is sent again to retry the failed rows.
    await second.batches.take({ id: 'b', list, msg: {} })
    should(second.batches.all()).have.length(1)
  })

  it('ends nothing with a reset that is read once more and came before the list', async () => {
    const store = memory()
    const post = memory()
    const first = await open(store)
    await take(first.batches, 1)
    await sendCommand(post, { what: 'reset', id: 'b' })
    const [letter] = await post.claim(1)
    if (!letter) throw new Error('no letter')
    await applyCommand(letter, first.batches)
    should(await store.list()).be.empty()
    await until(() => Date.now() > letter.since + 1)
    await take(first.batches, 1)
    // Node-RED was killed before it removed the message.
    for (const id of ['b', undefined]) {
      await applyCommand({ ...letter, body: { what: 'reset', id } }, first.batches)
      should(first.batches.all()).have.length(1)
    }
    await first.batches.control('reset', 'b')
    should(await store.list()).be.empty()
  })

  it('does not take a list that was handed over as long as no instance is sure to lead', async () => {
    const store = memory()
    const post = memory()
    const list = await parseList([0], (row) => `key-${String(row)}`)
    await sendCommand(post, { what: 'list', id: 'b', list, msg: {} })
    const failures: unknown[] = []
    const workOffNext = async (batches: BatchQueue) => {
      const letter = await until(async () => (await post.claim(1))[0])
      await processCommand(post, letter, batches, new AbortController().signal, (error) => void failures.push(error))
    }
    let isSure = false
    const unsure = instead(store, 'put', (id, item) => (isSure ? store.put(id, item) : Promise.reject(notLeader)))
    const { batches, sent } = await open(unsure)
    await workOffNext(batches)
    should(sent).be.empty()
    isSure = true
    await workOffNext(batches)
    await untilCount(() => sent.length, 1)
    should(failures).be.empty()
    should(await post.list()).be.empty()
  })
})
