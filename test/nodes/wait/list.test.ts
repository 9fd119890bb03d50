/**
 * "wait" with many documents, over simulated hours: one list shows what has changed, but nothing depends on the list
 * alone.
 */
import should from 'should'
import type { Answer } from '../../../lib/api/call/call'
import { createListWatch } from '../../../nodes/wait/list/list-watch'
import { coveredPauseAfter, coveredPauses, defaultPauses, pauseAfter } from '../../../nodes/wait/pauses'
import { refusal, startManyDocuments, type ManyDocuments } from '../../support/many-documents'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'
import { storeOf } from '../../support/stores'

const minute = 60_000
const hour = 60 * minute
const answer = (data: unknown): Answer => ({ status: 200, headers: {}, data })

describe('wait, with many documents', () => {
  let time: SimulatedTime
  let many: ManyDocuments
  const start = async (count: number, options: Parameters<typeof startManyDocuments>[1] = {}) => {
    many = await startManyDocuments(time, options)
    await many.add(count)
    await time.pass(10 * minute)
  }
  /** The calls by operation during this time. */
  const callsIn = async (milliseconds: number, stepMs?: number) => {
    const before = { ...many.calls }
    await time.pass(milliseconds, stepMs)
    const now = Object.entries(many.calls).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
    return Object.fromEntries(now.filter(([, count]) => count > 0))
  }

  beforeEach(() => (time = simulateTime()))
  afterEach(async () => {
    await many.close()
    time.end()
  })

  it('polls one list a minute instead of each document, and ends signed ones within that time', async () => {
    await start(40)
    should(await callsIn(hour)).deepEqual({ listDocuments: 60 })
    const id = many.sign()
    should(await callsIn(minute)).deepEqual({ listDocuments: 1, getDocument: 1 })
    should(many.ended).deepEqual([id])
  })

  it('asks for each by itself as long as there are few', async () => {
    await start(24)
    should(await callsIn(hour)).deepEqual({ getDocumentStatus: 24 * 12 })
  })

  it('asks for each by itself at every sixtieth pause, even if the list shows no change', async () => {
    many = await startManyDocuments(time)
    many.list = () => answer({ data: [] })
    await many.add(40)
    await time.pass(10 * minute)
    const id = many.sign()
    const { getDocumentStatus = 0 } = await callsIn(5 * hour + 5 * minute)
    should(getDocumentStatus).be.within(39, 80)
    should(many.ended).deepEqual([id])
    should(coveredPauseAfter(hour, defaultPauses, 0.5)).equal(60 * pauseAfter(hour, defaultPauses))
  })

  it('spreads documents that came in together over the hours', async () => {
    // Returns each of the 600 fractions once, in a mixed order.
    let drawn = 0
    await start(600, { random: () => ((drawn++ * 377) % 600) / 600 })
    await time.pass(2 * hour, 10_000)
    const calls: number[] = []
    for (let at = 0; at < 10; at++) calls.push((await callsIn(hour, 10_000)).getDocumentStatus ?? 0)
    should(Math.max(...calls)).be.below(200)
    should(calls.reduce((sum, one) => sum + one, 0)).be.within(1000, 1400)
  })

  it('is polled by itself after thirty to ninety pauses, whatever is drawn', () => {
    for (const random of [0, 0.3, 0.999]) {
      const pause = coveredPauseAfter(10 * hour, defaultPauses, random)
      should(pause).be.within((coveredPauses / 3) * 5 * minute, coveredPauses * 5 * minute)
    }
  })

  it('finds a change that the list shows a minute and a half late', async () => {
    await start(40)
    many.list = (_query, documents) => {
      const visible = [...documents].filter(([, one]) => one.lastUpdated <= time.clock.epochNow() - 1.5 * minute)
      const from = Date.parse(String(_query?.lastUpdated))
      const data = visible
        .filter(([, one]) => one.lastUpdated >= from)
        .map(([documentId, one]) => ({ documentId, lastUpdated: new Date(one.lastUpdated).toISOString() }))
      return { status: 200, headers: { date: new Date(time.clock.epochNow()).toUTCString() }, data: { data } }
    }
    const id = many.sign()
    await time.pass(4 * minute)
    should(many.ended).deepEqual([id])
  })

  it('asks nothing about a document that a person has only viewed', async () => {
    await start(40)
    const [id = ''] = many.open()
    many.touch(id)
    should(await callsIn(10 * minute)).deepEqual({ listDocuments: 10 })
    // The list was not a poll of the document, so that poll still comes at its usual time.
    should((await callsIn(5 * hour)).getDocumentStatus).be.within(40, 80)
  })

  it('is woken by an event at once, and asks a few times more when nothing has changed yet', async () => {
    await start(40)
    const [id = ''] = many.open()
    await many.wake(id)
    should((await callsIn(minute)).getDocument).be.within(2, 5)
    should(many.sign()).equal(id)
    await many.wake(id)
    await time.pass(1000)
    should(many.ended).deepEqual([id])
    should(many.delays[0]).be.belowOrEqual(2000)
  })

  const refusals: [string, () => Answer][] = [
    ['is not there', () => thrown(refusal('EID_NOT_FOUND', 404))],
    ['is not allowed', () => thrown(refusal('EID_FORBIDDEN', 403))],
    ['is no list', () => answer({ documents: [] })],
    ['lists no documents', () => answer({ data: [{ title: 'Contract' }] })],
    ['does not know the filter', () => answer({ data: [{ documentId: 'd0', lastUpdated: '2020-01-01T00:00:00Z' }] })],
  ]
  for (const [what, list] of refusals) {
    it(`asks for each by itself when the list ${what}, and says so once`, async () => {
      many = await startManyDocuments(time)
      many.list = list
      await many.add(40)
      await time.pass(20 * minute)
      const calls = await callsIn(3 * hour)
      should(calls).deepEqual({ getDocumentStatus: 40 * 36, listDocuments: 3 })
      should(many.unusable).have.length(1)
    })
  }

  it('asks for each by itself at once when the list stops working, and by the list when it works again', async () => {
    await start(40)
    many.list = () => thrown(refusal('EID_NOT_FOUND', 404))
    const id = many.sign()
    await time.pass(2 * minute)
    should(many.ended).deepEqual([id])
    should((await callsIn(hour)).getDocumentStatus).be.aboveOrEqual(39 * 11)
    many.list = undefined
    await time.pass(hour + 10 * minute)
    should(await callsIn(hour)).deepEqual({ listDocuments: 60 })
    should(many.unusable).have.length(1)
  })

  it('survives a service that is down for a few minutes, and finds what changed meanwhile', async () => {
    await start(40)
    many.list = () => thrown(refusal('EID_NETWORK', 0))
    const id = many.sign()
    await time.pass(3.5 * minute)
    should(many.ended).deepEqual([])
    many.list = undefined
    await time.pass(minute)
    should(many.ended).deepEqual([id])
    should(many.unusable).deepEqual([])
    should(await callsIn(hour)).deepEqual({ listDocuments: 60 })
  })

  it('asks for all when more has changed than is worth following', async () => {
    await start(40)
    many.list = (query) => {
      const offset = Number(query?.offset)
      const data = Array.from({ length: 100 }, (_none, at) => ({ documentId: `other-${offset + at}` }))
      return answer({ data, links: { next: 'always' } })
    }
    const id = many.sign()
    await time.pass(minute + 5000)
    should(many.ended).deepEqual([id])
  })

  it('notices that a document was signed in the second in which it was viewed', async () => {
    await start(40)
    const lastUpdated = new Date(time.clock.epochNow()).toISOString()
    many.list = (_query, documents) =>
      answer({ data: [...documents].map(([documentId, { status }]) => ({ documentId, lastUpdated, status })) })
    await time.pass(2 * minute)
    const id = many.sign()
    await time.pass(2 * minute)
    should(many.ended).deepEqual([id])
  })

  describe('when the process that read the list has ended', () => {
    /** Signs documents until so many are left, and waits until this has been noticed. */
    const signUntil = async (left: number) => {
      const signed = many.open().length - left
      for (let number = 0; number < signed; number++) many.sign()
      await time.pass(minute)
      should(many.ended).have.length(signed)
    }
    const isFoundBy = async (next: ManyDocuments) => {
      many = next
      const id = many.sign()
      await time.pass(3 * minute)
      should(many.ended).deepEqual([id])
    }

    it('continues to read it, even if it would not begin with so few documents', async () => {
      await start(30)
      await signUntil(10)
      await many.close()
      await isFoundBy(await many.next())
      await time.pass(10 * minute)
      should(await callsIn(hour)).deepEqual({ listDocuments: 60 })
    })

    it('reads it in another process when the one that led is killed', async () => {
      await start(30, { shared: true })
      await signUntil(11)
      const next = await many.next()
      await time.pass(5 * minute)
      many.kill()
      await isFoundBy(next)
    })

    it('wakes again if it was killed before it had woken the waits, however long it was off', async () => {
      await start(40)
      await many.close()
      await time.pass(hour)
      const id = many.sign()
      await time.pass(10 * minute)
      many = await many.next()
      many.killAt('woken = owner')
      await time.pass(2 * minute)
      should(many.ended).deepEqual([])
      await time.pass(10 * minute)
      many = await many.next()
      await time.pass(2 * minute)
      should(many.ended).deepEqual([id])
    })

    it('polls each document if it was killed while it stopped to rely on the list', async () => {
      await start(30)
      await signUntil(4)
      many.killAt('woken = owner')
      await time.pass(2 * minute)
      await isFoundBy(await many.next())
    })

    it('polls each document of a node that was disabled while others stopped to read the list', async () => {
      await start(30)
      await signUntil(10)
      await many.close()
      await many.forgetList()
      await isFoundBy(await many.next())
    })
  })

  it('leaves the list alone when few are left', async () => {
    await start(30)
    for (let number = 0; number < 26; number++) many.sign()
    await time.pass(3 * minute)
    should(many.ended).have.length(26)
    should(await callsIn(hour)).deepEqual({ getDocumentStatus: 4 * 12 })
  })

  it('says once that the list shows nothing new about a document', async () => {
    many = await startManyDocuments(time, { list: false })
    const failed = (error: unknown) => thrown(error as Error)
    const store = storeOf({ kind: 'lists', onStoreEvent: failed }, time)
    const watch = createListWatch({ store, shared: false, clock: time.clock, failed })
    const listed = { documentId: 'd', lastUpdated: new Date(time.clock.epochNow()).toISOString() }
    const done = () => Promise.resolve()
    const leave = watch.join({
      intervalMs: minute,
      count: () => 40,
      wake: done,
      pollIndividually: done,
      unusable: failed,
      ask: () => Promise.resolve(answer({ data: [{ ...listed, status: 'unsigned', currentSignatures: 0 }] })),
    })
    await time.pass(minute)
    const details = { status: 'unsigned', title: '', waitingFor: [], signed: 0, all: 1 }
    should([watch.takeKnown('d', details), watch.takeKnown('d', details)]).deepEqual([true, false])
    await leave()
  })
})

function thrown(error: Error): never {
  throw error
}
