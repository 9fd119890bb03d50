/** "wait" with many documents, over simulated hours: one list tells what has changed, and nothing rests on it alone. */
import should from 'should'
import type { Answer } from '../../../lib/api/call/call'
import { coveredPauseAfter, pauseAfter, spreadPauseAfter } from '../../../nodes/wait/pauses'
import { refusal, startManyDocuments, type ManyDocuments } from '../../support/many-documents'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'

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
  /** Calls by operation while so much time passes. */
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

  it('asks a list once a minute instead of each, and ends what is signed within that', async () => {
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

  it('asks for each by itself at every sixtieth pause, though the list tells nothing', async () => {
    many = await startManyDocuments(time)
    many.list = () => answer({ data: [] })
    await many.add(40)
    await time.pass(10 * minute)
    const id = many.sign()
    const { getDocumentStatus = 0 } = await callsIn(5 * hour + 5 * minute)
    should(getDocumentStatus).be.within(39, 80)
    should(many.ended).deepEqual([id])
    const pauses = { pauseMs: 2_000, maxPauseMs: 300_000 }
    should(coveredPauseAfter(hour, pauses)).equal(60 * pauseAfter(hour, pauses))
  })

  it('spreads over the hours what came in together', async () => {
    await start(600)
    await time.pass(5 * hour, 10_000)
    const calls: number[] = []
    for (let at = 0; at < 5; at++) calls.push((await callsIn(hour, 10_000)).getDocumentStatus ?? 0)
    should(Math.max(...calls)).be.below(200)
    should(calls.reduce((sum, one) => sum + one, 0)).be.within(595, 640)
  })

  it('waits no longer than sixty pauses for its own moment, and does not ask at it twice', () => {
    const pauses = { pauseMs: 2_000, maxPauseMs: 300_000 }
    for (const share of [0, 0.3, 0.999]) {
      const first = spreadPauseAfter(10 * hour, pauses, share)
      should(first).be.within(5 * minute, 5 * hour)
      for (const early of [-10, 0, 10]) {
        should(spreadPauseAfter(10 * hour + first - early, pauses, share)).be.within(5 * hour - 10, 5 * hour)
      }
    }
  })

  it('asks nothing about a document at which somebody has only looked', async () => {
    await start(40)
    const [id = ''] = many.open()
    many.touch(id)
    should(await callsIn(10 * minute)).deepEqual({ listDocuments: 10 })
    // That was no question: the one by itself comes when it would have come.
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

  it('bears with a service that is away for a few minutes, and finds what changed meanwhile', async () => {
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

  it('leaves the list alone when few are left', async () => {
    await start(30)
    for (let number = 0; number < 26; number++) many.sign()
    await time.pass(3 * minute)
    should(many.ended).have.length(26)
    should(await callsIn(hour)).deepEqual({ getDocumentStatus: 4 * 12 })
  })
})

function thrown(error: Error): never {
  throw error
}
