/** Many functions wait for one signal with a single listener. */
import should from 'should'
import { getEventListeners } from 'node:events'
import { offAbort, onAbort } from '../../../lib/common/on-abort'

const listenersOf = ({ signal }: AbortController) => getEventListeners(signal, 'abort').length

describe('a signal that many wait for', () => {
  it('has one listener, and none after the last has gone', () => {
    const controller = new AbortController()
    const stops = [1, 2, 3].map(() => () => undefined)
    for (const stop of stops) onAbort(controller.signal, stop)
    should(listenersOf(controller)).equal(1)
    for (const stop of stops.slice(1)) offAbort(controller.signal, stop)
    should(listenersOf(controller)).equal(1)
    offAbort(controller.signal, () => undefined)
    for (const stop of stops) offAbort(controller.signal, stop)
    should(listenersOf(controller)).equal(0)
  })

  it('calls those that still wait, once each', () => {
    const controller = new AbortController()
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(name)
    const gone = note('gone')
    for (const stop of [note('first'), gone, note('second')]) onAbort(controller.signal, stop)
    offAbort(controller.signal, gone)
    controller.abort()
    controller.abort()
    should(seen).deepEqual(['first', 'second'])
  })

  it('calls everyone although they go one after the other, and serves who comes later', () => {
    const controller = new AbortController()
    const seen: number[] = []
    for (const number of [1, 2, 3]) {
      const stop = () => {
        offAbort(controller.signal, stop)
        seen.push(number)
      }
      onAbort(controller.signal, stop)
    }
    controller.abort()
    should(seen).deepEqual([1, 2, 3])
    should(listenersOf(controller)).equal(0)
    const other = new AbortController()
    onAbort(other.signal, () => seen.push(4))
    other.abort()
    should(seen).deepEqual([1, 2, 3, 4])
  })
})
