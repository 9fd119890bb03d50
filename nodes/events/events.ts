/** Takes events from the service's queue, one message each, and marks them handled (`interface.md` 4.9). */
import { EidError, inputError } from '../../lib/api/errors'
import { toEidError } from '../../lib/runtime/api-node'
import { findClient, timeoutFor } from '../../lib/runtime/client-node'
import type { FlowMessage, NodeConfig, Runtime, RuntimeNode } from '../../lib/runtime/node-red'
import { createPacedStatus, type PacedStatus } from '../../lib/runtime/paced-status'
import { createSay, type Say } from '../../lib/runtime/texts'
import { createReader, type ReadValues } from '../../lib/runtime/values'
import { at, listOf } from '../../lib/runtime/words'
import { fields } from './events.fields'
import { follow, type QueueOptions } from './queue'

export = (RED: Runtime): void => {
  RED.nodes.registerType('eid-events', function (this: RuntimeNode, config: NodeConfig) {
    RED.nodes.createNode(this, config)
    start(RED, this, config)
  })
}

interface Host {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly say: Say
  readonly status: PacedStatus
  readonly read: ReadValues<typeof fields>
  readonly closing: AbortController
}

function start(RED: Runtime, node: RuntimeNode, config: NodeConfig): void {
  const say = createSay(RED, 'events')
  const status = createPacedStatus(RED, node, say, config.client)
  const read = createReader({ RED, node }, fields, config)
  const host: Host = { RED, node, config, say, status, read, closing: new AbortController() }
  const { signal } = host.closing
  const running = new Set<Promise<void>>([followQueue(host)])
  status.rest()
  node.on('input', (msg, _send, done) => {
    const marked = markReturned(host, msg)
      .then(() => done())
      .catch((thrown: unknown) => {
        const error = toEidError(thrown, say)
        if (!signal.aborted) status.show({ fill: 'red', shape: 'ring', text: say(`status.${error.code}`) })
        done(error)
      })
      .then(() => void running.delete(marked))
    running.add(marked)
  })
  node.on('close', (_removed, closed) => {
    host.closing.abort()
    void Promise.all(running).then(() => {
      status.clear()
      closed()
    })
  })
}

async function followQueue(host: Host): Promise<void> {
  const { node, say, status, config } = host
  let last: string | undefined
  const failed = (thrown: unknown) => {
    const error = toEidError(thrown, say)
    status.show({ fill: 'red', shape: 'ring', text: say(`status.${error.code}`) })
    // Once per trouble: a service that is down all night is one error, not thousands.
    if (error.code !== last) node.error(error, {})
    last = error.code
  }
  try {
    // Only the settings that are the same for every message; a message that comes back brings its own event.
    const { values } = await host.read({})
    const options: QueueOptions = {
      connect: () => connect(host, {}),
      interval: Math.max(0.05, values.interval || Number(fields.interval.initial)) * 1000,
      query: { eventType: texts(values.eventTypes), tags: texts(values.tags) },
      onDelivery: (config.acknowledge ?? fields.acknowledge.initial) === 'on-delivery',
      deliver: (event, id) => node.send(messageOf(event, id)),
      failed,
      pulled: (count) => {
        last = undefined
        const text = count > 0 ? say('status.pulled', { count }) : say('status.listening')
        status.show({ fill: 'green', shape: 'dot', text })
      },
    }
    await follow(options, host.closing.signal)
  } catch (thrown) {
    failed(thrown)
  }
}

/** The client as this node calls it: with the time-out that Node-RED and the message ask for. */
async function connect({ RED, config }: Host, msg: FlowMessage): ReturnType<QueueOptions['connect']> {
  const client = findClient(RED, config.client)
  const connection = await client.connect()
  const timeout = timeoutFor(RED, client, msg.requestTimeout)
  return { send: (operation, options) => connection.send(operation, { timeout, ...options }) }
}

function messageOf(event: unknown, id: string | undefined): FlowMessage {
  return { payload: event, topic: at(event, 'type'), ...(id !== undefined && { eventId: id }) }
}

/** The end of a flow has sent the message back: its event is handled. */
async function markReturned(host: Host, msg: FlowMessage): Promise<void> {
  const { values, problems } = await host.read(msg)
  if (problems.length > 0) throw inputError(problems)
  const client = await connect(host, msg)
  try {
    await client.send('handleEvent', { id: values.eventId, signal: host.closing.signal })
  } catch (error) {
    // Marked before, here or by another: what the person wants is so.
    if (!(error instanceof EidError) || error.code !== 'EID_NOT_FOUND') throw error
  }
}

function texts(list: string): string[] | undefined {
  return listOf(list)?.map(String)
}
