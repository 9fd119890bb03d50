/** Waits until a document, session, share or deposit has ended, over restarts if the context store keeps them (`interface.md` 3). */
import type { EidError } from '../../lib/api/errors'
import { briefly, toEidError, toRefusal } from '../../lib/runtime/errors'
import { findClient, timeoutFor } from '../../lib/runtime/client-node'
import { keepIn } from '../../lib/runtime/context'
import type { Done, FlowMessage, NodeConfig, Runtime, RuntimeNode, Send } from '../../lib/runtime/node-red'
import { safeDone } from '../../lib/runtime/safe-done'
import { createPacedStatus, type PacedStatus } from '../../lib/runtime/paced-status'
import { createTranslate, type Translate } from '../../lib/runtime/texts'
import { createReader } from '../../lib/runtime/values'
import type { Wait } from './kept'
import { patchOf, raisedBy, waitFor, withDefaultId } from './message'
import { askStanding, type End, type Standing } from './outcomes'
import { fields } from './wait.fields'
import { createWaits, type Ending, type Waits } from './waits'

export = (RED: Runtime): void => {
  RED.nodes.registerType('eid-wait', function (this: RuntimeNode, config: NodeConfig) {
    RED.nodes.createNode(this, config)
    start(RED, this, config)
  })
}

/** What to do with a message at its end. */
interface Exit {
  readonly send: Send
  readonly done: Done
}

interface Host {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly translate: Translate
  readonly status: PacedStatus
  /** The exits of the messages that came in since the flow was started. */
  readonly exits: Map<string, Exit>
}

const outputs: readonly End[] = ['done', 'ended', 'expired']

function start(RED: Runtime, node: RuntimeNode, config: NodeConfig): void {
  const translate = createTranslate(RED, 'wait', fields)
  const status = createPacedStatus(RED, node, translate, config.client)
  const host: Host = { RED, node, config, translate, status, exits: new Map() }
  const read = createReader({ RED, node }, fields, withDefaultId(config))
  const opened = openWaits(host)
  status.rest()
  node.on('input', (msg, send, done) => {
    const end = safeDone(done, node, translate)
    const take = async () => {
      if ('error' in opened) throw opened.error
      // What is missing in the settings is told now, not asked for again and again.
      await findClient(RED, config.client).connect()
      const wait = waitFor(msg, await read(msg))
      host.exits.set(opened.waits.add(wait), { send, done: end })
    }
    take().catch((thrown: unknown) => {
      fail(host, toRefusal(thrown, translate), end)
      status.rest()
    })
  })
  node.on('close', (removed, closed) => {
    const stop = 'error' in opened ? Promise.resolve() : opened.waits.close(removed)
    void stop.then(() => {
      status.clear()
      closed()
    })
  })
}

/** The waits of this node, going on with those of an earlier run; or why its context store cannot be used. */
function openWaits(host: Host): { waits: Waits } | { error: unknown } {
  const { RED, node, config, translate } = host
  try {
    const failed = () => node.warn(translate('warnings.store'))
    const waits = createWaits({
      keep: keepIn(RED, node, { store: String(config.store ?? ''), place: 'waits', failed }),
      ask: (wait, signal) => ask(host, wait, signal),
      end: (id, wait, ending) => end(host, id, wait, ending),
      asked: (count, trouble) => showCount(host, count, trouble),
    })
    waits.resume().catch(() => node.error(translate('warnings.storeUnread'), {}))
    return { waits }
  } catch (error) {
    fail(host, error, (told) => node.error(told, {}))
    return { error }
  }
}

async function ask({ RED, config }: Host, wait: Wait, signal: AbortSignal): Promise<Standing> {
  const client = findClient(RED, config.client)
  const connection = await client.connect()
  const timeout = timeoutFor(RED, client, wait.msg.requestTimeout)
  return askStanding(
    (operation, options) => connection.send(operation, { signal, timeout, ...options }),
    wait.what,
    wait.resourceId,
    client.settings.sharePaths,
  )
}

/** Sends the message to the output of its end, or its error to the Catch nodes. */
function end(host: Host, id: string, wait: Wait, ending: Ending): void {
  const { config, status, translate } = host
  const { send, done } = host.exits.get(id) ?? resumedExit(host.node, wait.msg)
  host.exits.delete(id)
  if ('error' in ending) return fail(host, ending.error, done)
  const { standing, late } = ending
  const raised = raisedBy(config, wait, standing, late)
  if (raised) return fail(host, raised, done)
  const output = late ? 'expired' : standing.end
  const text = late ? translate('status.timedOut') : translate('status.ended', { status: standing.status })
  status.result({ fill: output === 'done' ? 'green' : 'yellow', shape: 'dot', text })
  Object.assign(wait.msg, patchOf(wait, standing, late))
  send(outputs.map((one) => (one === output ? wait.msg : null)))
  done()
}

/** The handler of a message from before a restart is gone: it can be sent on or reported, but not completed. */
function resumedExit(node: RuntimeNode, msg: FlowMessage): Exit {
  return {
    send: (messages) => node.send(messages),
    done: (error) => void (error !== undefined && node.error(error, msg)),
  }
}

function fail({ status, translate }: Host, thrown: unknown, done: Done): void {
  const error = toEidError(thrown, translate)
  status.result({ fill: 'red', shape: 'ring', text: briefly(error, translate) })
  done(error)
}

function showCount({ status, translate }: Host, count: number, trouble: EidError | undefined): void {
  if (count === 0) return status.rest()
  if (trouble) return status.show({ fill: 'red', shape: 'ring', text: briefly(trouble, translate) })
  status.show({
    fill: 'blue',
    shape: 'dot',
    text: translate(count > 1 ? 'status.waitingMany' : 'status.waiting', { count }),
  })
}
