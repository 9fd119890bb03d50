/** Waiting for work: the wait ends when an item becomes due, when new work is announced, or when the flow stops. */
import { getEventListeners } from 'node:events'
import should from 'should'
import { systemClock } from '../../../lib/store/clock'
import { createWorkSignal } from '../../../lib/store/local/work-signal'

describe('waiting for work', () => {
  const { signal } = new AbortController()
  const ended = async (...waits: readonly Promise<void>[]) => {
    await Promise.all(waits)
    should(getEventListeners(signal, 'abort')).be.empty()
  }

  it('ends when the first item is due, not before', async () => {
    const due = systemClock.now() + 20
    await ended(createWorkSignal(systemClock, () => due).wait(signal))
    should(systemClock.now()).be.aboveOrEqual(due - 1)
  })

  it('ends at once when something has been due for long', () =>
    ended(createWorkSignal(systemClock, () => -1e12).wait(signal)))

  it('ends for all that wait when one says so, and again the next time', async () => {
    const work = createWorkSignal(systemClock, () => undefined)
    for (let times = 0; times < 2; times++) {
      const waits = [work.wait(signal), work.wait(signal)]
      work.notify()
      await ended(...waits)
    }
  })

  it('ends when the flow stops, also when it had stopped before', async () => {
    const work = createWorkSignal(systemClock, () => Infinity)
    const stop = new AbortController()
    const wait = work.wait(stop.signal)
    stop.abort()
    await wait
    await work.wait(stop.signal)
    should(getEventListeners(stop.signal, 'abort')).be.empty()
  })
})
