/** Takes events from the service's queue, one message each, and marks them as handled (`interface.md` 4.9). */
import type { CallOptions } from '../../lib/api/client'
import { inputError } from '../../lib/api/errors'
import type { OperationName } from '../../lib/api/operations'
import { toEidError } from '../../lib/runtime/api-node'
import { findClient, isSandbox, timeoutFor } from '../../lib/runtime/client-node'
import type { FlowMessage, NodeConfig, Runtime, RuntimeNode } from '../../lib/runtime/node-red'
import { createSay } from '../../lib/runtime/texts'
import { createReader } from '../../lib/runtime/values'
import { fields } from './events.fields'
import { keepPulling } from './pulling'
import { createQueue, type Queue } from './queue'

export = (RED: Runtime): void => {
  RED.nodes.registerType('eid-events', function (config) {
    RED.nodes.createNode(this, config)
    start(RED, this, config)
  })
}

/** Milliseconds that a stopped node may take to tell the service what it has handed out. */
const grace = 800
const { eventId: _perMessage, ...standing } = fields

function start(RED: Runtime, node: RuntimeNode, config: NodeConfig): void {
  const say = createSay(RED, 'events')
  const readMessage = createReader({ RED, node }, fields, config)
  const readSettings = createReader({ RED, node }, standing, config)
  const stop = new AbortController()
  const late = new AbortController()
  let queue: Queue | undefined
  let pulling: Promise<void> | undefined

  const idle = () => {
    node.status(isSandbox(RED, config.client) ? { fill: 'grey', shape: 'ring', text: say('status.sandbox') } : {})
  }
  const ask = async (operation: OperationName, options: CallOptions = {}) => {
    const client = findClient(RED, config.client)
    const connection = await client.connect()
    return connection.send(operation, { signal: late.signal, timeout: timeoutFor(RED, client, undefined), ...options })
  }
  /** The settings cannot be read while one of them names a variable that is not set: then every message and pull says so. */
  const open = async (): Promise<Queue> => {
    if (queue) return queue
    const { values } = await readSettings({})
    queue = createQueue({
      eventTypes: wordsOf(values.eventTypes),
      tags: wordsOf(values.tags),
      onDelivery: values.acknowledge === 'on-delivery',
      signal: stop.signal,
      ask,
      emit: (msg) => node.send(msg),
    })
    return queue
  }
  const turn = async () => {
    const { count, more } = await (await open()).pull()
    const text = count === 1 ? say('status.receivedOne') : say('status.received', { count })
    if (count > 0) node.status({ fill: 'green', shape: 'dot', text })
    return more
  }
  const failed = (thrown: unknown) => {
    const error = toEidError(thrown, say)
    node.status({ fill: 'red', shape: 'ring', text: say(`status.${error.code}`) })
    return error
  }
  const begin = () => {
    pulling = keepPulling({
      interval: intervalOf(config.interval),
      signal: stop.signal,
      turn,
      failed: (thrown) => node.error(failed(thrown), {}),
      recovered: idle,
    })
  }
  const returned = async (msg: FlowMessage) => {
    const { values, problems } = await readMessage(msg)
    if (problems.length > 0) throw inputError(problems, say)
    // With the other setting the event was marked when it was handed out.
    if (values.acknowledge === 'when-returned') await (await open()).handle(values.eventId ?? '')
  }

  idle()
  // What is handed out before all nodes are there would be lost.
  RED.events.once('flows:started', begin)
  node.on('input', (msg, _send, done) => {
    returned(msg).then(
      () => done(),
      (thrown: unknown) => done(failed(thrown)),
    )
  })
  node.on('close', (_removed, done) => {
    RED.events.off('flows:started', begin)
    stop.abort()
    const timer = setTimeout(() => late.abort(), grace)
    void Promise.resolve(pulling).then(() => {
      clearTimeout(timer)
      late.abort()
      node.status({})
      done()
    })
  })
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

/** Milliseconds; what is no number means the setting of a fresh node. */
function intervalOf(setting: unknown): number {
  const seconds = Number(setting)
  return (seconds > 0 ? seconds : fields.interval.initial) * 1000
}
