/** Many nodes wait for the start of the flows with one listener. */
import { EventEmitter } from 'node:events'
import should from 'should'
import { onFlowsStarted } from '../../lib/runtime/flows-started'

describe('the start of the flows', () => {
  it('is told to a hundred nodes by one listener, once, and not to who has taken it back', () => {
    const events = new EventEmitter()
    const begun: number[] = []
    const undo = Array.from({ length: 100 }, (_, index) => onFlowsStarted(events, () => void begun.push(index)))
    should(events.listenerCount('flows:started')).equal(1)
    for (const one of undo.slice(3)) one()
    events.emit('flows:started')
    events.emit('flows:started')
    should(begun).deepEqual([0, 1, 2])
    should(events.listenerCount('flows:started')).equal(0)
  })

  it('is told again after the next deployment', () => {
    const events = new EventEmitter()
    let begun = 0
    for (let deployment = 0; deployment < 2; deployment++) {
      onFlowsStarted(events, () => void begun++)
      events.emit('flows:started')
    }
    should(begun).equal(2)
  })
})
