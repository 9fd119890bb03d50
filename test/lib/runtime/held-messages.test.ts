/** What happens to messages that are sent to our node while a deploy has stopped it and not started it again. */
import { EventEmitter } from 'node:events'
import should from 'should'
import { watchDeploys } from '../../../lib/runtime/node-red/held-messages'
import { messageEvents } from '../../../lib/runtime/node-red/message-events'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'

describe('messages to a node that is being deployed', () => {
  let events: EventEmitter
  let hooks: Map<string, (event: unknown) => false | undefined>
  let received: FlowMessage[]
  let isThere: boolean
  const current = { receive: (msg: FlowMessage) => void received.push(msg) }
  let RED: Parameters<typeof watchDeploys>[0]

  beforeEach(() => {
    events = new EventEmitter()
    hooks = new Map()
    received = []
    isThere = true
    RED = {
      events,
      hooks: {
        add: (name: string, act: (event: unknown) => false | undefined) => void hooks.set(name, act),
        remove: (name: string) => void hooks.delete(name),
      },
      nodes: { getNode: () => (isThere ? current : null) },
      util: { cloneMessage: (msg: FlowMessage) => ({ ...msg }) },
    } as unknown as typeof RED
    watchDeploys(RED)
    watchDeploys(RED)
  })

  const deploy = (type: string, meanwhile: () => void) => {
    events.emit('flows:stopping', { type })
    isThere = false
    messageEvents(RED).closing('n')
    meanwhile()
    isThere = true
    events.emit('flows:started', { type })
  }
  const send = (id: string, msg: FlowMessage, cloneMessage = false) => {
    hooks.get('preRoute.eid-held')?.({ destination: { id }, msg, cloneMessage })
  }

  it('reach it when it is there again', () => {
    const shared = { payload: 'shared' }
    deploy('nodes', () => {
      send('n', shared, true)
      shared.payload = 'changed by another node'
      send('n', { payload: 2 })
    })
    should(received).deepEqual([{ payload: 'shared' }, { payload: 2 }])
    should(hooks.size).equal(0)
  })

  it('reach it when they had left for the one that is gone', () => {
    const gone = {}
    deploy('nodes', () => {
      const arrive = (node: object, msg: FlowMessage) =>
        hooks.get('onReceive.eid-held')?.({ destination: { id: 'n', node }, msg })
      should(arrive(gone, { payload: 1 })).be.false()
      isThere = true
      should(arrive(gone, { payload: 2 })).be.false()
      should(arrive(current, { payload: 3 })).be.undefined()
    })
    should(received).deepEqual([{ payload: 1 }, { payload: 2 }])
  })

  it('are left alone when they go elsewhere, or the node is there already', () => {
    deploy('nodes', () => {
      send('another', { payload: 1 })
      isThere = true
      send('n', { payload: 2 })
    })
    should(received).be.empty()
  })

  it('are gone after a deploy of everything, as people expect', () => {
    deploy('full', () => send('n', { payload: 1 }))
    should(received).be.empty()
    should(hooks.size).equal(0)
  })

  it('cost nothing when no deploy is under way', () => {
    should(hooks.size).equal(0)
    messageEvents(RED).closing('n')
    send('n', { payload: 1 })
    should(received).be.empty()
  })
})
