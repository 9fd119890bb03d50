/** Takes events from the service's queue, one message each, and marks them as handled (`interface.md` 4.9). */
import type { CallOptions } from '../../lib/api/client'
import { inputError } from '../../lib/api/errors'
import type { OperationName } from '../../lib/api/operations'
import { briefly, toEidError, toRefusal } from '../../lib/runtime/errors'
import { findClient, timeoutFor } from '../../lib/runtime/client-node'
import type { NodeConfig, Runtime, RuntimeNode } from '../../lib/runtime/node-red'
import { safeDone } from '../../lib/runtime/safe-done'
import { createPacedStatus, type PacedStatus } from '../../lib/runtime/paced-status'
import { createTranslate, type Translate } from '../../lib/runtime/texts'
import { createReader } from '../../lib/runtime/values'
import { fields } from './events.fields'
import { keepPulling } from './pulling'
import { forgetKnown, knownTo } from './ledger'
import { createQueue, type Queue } from './queue'

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
  readonly translate: Translate
  readonly status: PacedStatus
  /** Ends the pulling. */
  readonly stop: AbortController
  /** Ends what a stopped node may still tell the service. */
  readonly end: AbortController
}

/** Milliseconds that a stopped node may take to tell the service what it has handed out. */
const grace = 800
const { eventId: _perMessage, ...standing } = fields

function start(RED: Runtime, node: RuntimeNode, config: NodeConfig): void {
  const translate = createTranslate(RED, 'events', fields)
  const status = createPacedStatus(RED, node, translate, config.client)
  const host: Host = { RED, node, config, translate, status, stop: new AbortController(), end: new AbortController() }
  const read = createReader({ RED, node }, fields, config)
  const open = opener(host)
  let pulling: Promise<void> | undefined
  const begin = () => void (pulling = pull(host, open))

  status.rest()
  // What is handed out before all nodes are there would be lost.
  RED.events.once('flows:started', begin)
  node.on('input', (msg, _send, done) => {
    const returned = async () => {
      const { values, problems } = await read(msg)
      if (problems.length > 0) throw inputError(problems)
      // With the other setting the event was marked when it was handed out.
      if (values.acknowledge === 'when-returned') await (await open()).handle(values.eventId ?? '')
    }
    const end = safeDone(done, node, translate)
    returned().then(
      () => end(),
      (thrown: unknown) => end(failed(host, toRefusal(thrown, translate))),
    )
  })
  node.on('close', (removed, closed) => {
    RED.events.off('flows:started', begin)
    host.stop.abort()
    const timer = setTimeout(() => host.end.abort(), grace)
    void Promise.resolve(pulling).then(() => {
      clearTimeout(timer)
      host.end.abort()
      if (removed) forgetKnown(node.id)
      status.clear()
      closed()
    })
  })
}

/** The queue, opened once. Its settings cannot be read while one names a variable that is not set: then every use says so. */
function opener(host: Host): () => Promise<Queue> {
  const { RED, node, config, stop, end } = host
  const read = createReader({ RED, node }, standing, config)
  const ask = async (operation: OperationName, options: CallOptions = {}) => {
    const client = findClient(RED, config.client)
    const connection = await client.connect()
    return connection.send(operation, { signal: end.signal, timeout: timeoutFor(RED, client, undefined), ...options })
  }
  let queue: Queue | undefined
  return async () => {
    if (queue) return queue
    const { values, problems } = await read({})
    // That no client is chosen is said when it is looked for.
    const wrong = problems.filter(({ path }) => path !== 'client')
    if (wrong.length > 0) throw inputError(wrong)
    const onDelivery = values.acknowledge === 'on-delivery'
    const wanted = { eventTypes: wordsOf(values.eventTypes), tags: wordsOf(values.tags) }
    const known = knownTo(node.id)
    queue ??= createQueue({ ...wanted, known, onDelivery, signal: stop.signal, ask, emit: (msg) => node.send(msg) })
    return queue
  }
}

function pull(host: Host, open: () => Promise<Queue>): Promise<void> {
  const { node, config, translate, status, stop } = host
  let trouble: string | undefined
  return keepPulling({
    interval: intervalOf(config.interval),
    signal: stop.signal,
    async turn() {
      const { count, more } = await (await open()).pull()
      trouble = undefined
      const text = count === 1 ? translate('status.receivedOne') : translate('status.received', { count })
      if (count > 0) status.result({ fill: 'green', shape: 'dot', text })
      if (!stop.signal.aborted) status.rest()
      return more
    },
    failed(thrown) {
      const error = failed(host, thrown)
      // A service that is down all night is one error, not thousands.
      if (error.code !== trouble) node.error(error, {})
      trouble = error.code
    },
  })
}

function failed({ translate, status, stop }: Host, thrown: unknown) {
  const error = toEidError(thrown, translate)
  if (!stop.signal.aborted) status.show({ fill: 'red', shape: 'ring', text: briefly(error, translate) })
  return error
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

/** Milliseconds; what is no number means the setting of a fresh node. */
function intervalOf(setting: unknown): number {
  const seconds = Number(setting)
  return (seconds > 0 ? seconds : fields.interval.initial) * 1000
}
