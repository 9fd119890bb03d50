/** Many nodes wait for the start of the flows with a single listener. */
import { EventEmitter } from 'node:events'
import should from 'should'
import { onFlowsStarted } from '../../../lib/runtime/node-red/flows-started'

describe('the start of the flows', () => {
  it('is announced to a hundred nodes by one listener, once, and not to those that have unsubscribed', () => {
    const events = new EventEmitter()
    const begun: number[] = []
    const undo = Array.from({ length: 100 }, (_, index) => onFlowsStarted({ events }, () => void begun.push(index)))
    should(events.listenerCount('flows:started')).equal(1)
    for (const one of undo.slice(3)) one()
    events.emit('flows:started')
    events.emit('flows:started')
    should(begun).deepEqual([0, 1, 2])
    should(events.listenerCount('flows:started')).equal(0)
  })

  it('knows which nodes were stopped before, as far as possible', () => {
    const events = new EventEmitter()
    const place = { x: 1, y: 1 }
    const flows = [
      { id: 'tab', type: 'tab' },
      { id: 'settings', type: 'eid-client' },
      { id: 'a', type: 'delay', ...place },
      { id: 'watching', type: 'catch', ...place },
    ]
    const config = { flows }
    const diff = {
      added: ['d'],
      changed: ['a', 'tab', 'settings', 'watching'],
      removed: ['b'],
      rewired: ['c'],
      linked: ['c'],
      flowChanged: [],
    }
    const told: unknown[] = []
    for (const started of [
      { type: 'nodes', config, diff },
      { type: 'nodes', config, diff: { ...diff, flowChanged: ['tab'] } },
      { type: 'flows', config, diff },
      { type: 'full', config, diff },
      { type: 'nodes', diff },
      undefined,
    ]) {
      onFlowsStarted({ events }, (stopped) => void told.push(stopped))
      events.emit('flows:started', started)
    }
    should(told).deepEqual([['a', 'b'], 'all', 'all', 'all', 'all', 'all'])
  })

  it('is announced again after the next deployment', () => {
    const events = new EventEmitter()
    let begun = 0
    for (let deployment = 0; deployment < 2; deployment++) {
      onFlowsStarted({ events }, () => void begun++)
      events.emit('flows:started')
    }
    should(begun).equal(2)
  })
})
