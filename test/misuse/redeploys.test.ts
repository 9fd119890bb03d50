/**
 * After two hundred deploys of a flow with every node, there are as many sockets, timers, listeners and routes as after
 * ten, and about the same memory is used.
 *
 * @rest
 */
import { isDeepStrictEqual } from 'node:util'
import should from 'should'
import { nodeNames } from '../support/house'
import { startService, type Service } from '../support/service'
import { hangSeconds, pause } from '../support/time'
import { startRed, type Measured, type RedProcess } from '../support/node-red/inspected'

const settings: Readonly<Record<string, object>> = {
  embed: { path: '/pages' },
  events: { interval: '1' },
  webhook: { path: '/hooks', register: true, publicUrl: 'https://flows.example.com' },
  document: { operation: 'list' },
}

describe('many deploys', () => {
  let service: Service
  let red: RedProcess
  before(async () => {
    service = await startService()
    red = await startRed({ flows: [] })
  })
  after(async () => {
    await red.stop()
    await service.close()
  })

  it('leave nothing behind', async () => {
    for (let count = 0; count < 10; count++) await red.deploy(flowsOf(count))
    const early = await settled(({ resources }, before) => !sockets(resources) && isDeepStrictEqual(resources, before))
    should(sockets(early.resources)).equal(0)
    for (let count = 10; count < 60; count++) await red.deploy(flowsOf(count))
    const late = await settled(({ resources }) => isDeepStrictEqual(resources, early.resources))
    const asked = new Set((await service.requests()).map(({ operation }) => operation))
    should([...asked]).containDeep(['pullEvents', 'listWebhooks', 'listDocuments'])
    should(late.layers).deepEqual(early.layers)
    should(late.listeners).deepEqual(early.listeners)
    should(late.resources).deepEqual(early.resources)
    should(late.heap).be.below(early.heap * 1.1)
  })

  const sockets = ({ TCPSocketWrap = 0 }: Measured['resources']) => TCPSocketWrap

  /** Every node, renamed at each deploy, and one message that is in flight during the next deploy. */
  function flowsOf(count: number): object[] {
    const nodes = nodeNames
      .filter((name) => name !== 'client')
      .map((name) => ({
        id: name,
        z: 'f',
        x: 1,
        y: 1,
        type: `eid-${name}`,
        name: `number ${count}`,
        client: 'c',
        wires: [[], [], []],
        ...settings[name],
        ...(name === 'webhook' && { credentials: { secret: 'secret of the webhook' } }),
      }))
    const inject = {
      id: 'i',
      z: 'f',
      x: 1,
      y: 1,
      type: 'inject',
      once: true,
      onceDelay: '0',
      props: [{ p: 'payload' }],
    }
    return [
      { id: 'f', type: 'tab', label: 'test' },
      { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
      { ...inject, repeat: '', crontab: '', payload: '{}', payloadType: 'json', wires: [nodes.map(({ id }) => id)] },
      ...nodes,
    ]
  }

  /**
   * The measurement once `isAtRest` is true, or the last one if it never is, because connections of the last deploy
   * take a moment to close.
   */
  async function settled(isAtRest: (now: Measured, before: Measured['resources']) => boolean): Promise<Measured> {
    await red.deploy([])
    let last = await red.measure()
    for (const end = Date.now() + hangSeconds * 1000; Date.now() < end;) {
      await pause(1000)
      const before = last.resources
      last = await red.measure()
      if (isAtRest(last, before)) return last
    }
    return last
  }
})
