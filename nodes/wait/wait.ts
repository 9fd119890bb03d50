/** Waits until a document, session, share or deposit has ended, over restarts (`interface.md` 3). */
import { systemClock } from '../../lib/runtime/clock'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/live-node'
import type { Done, FlowMessage, Runtime, Send } from '../../lib/runtime/node-red'
import { isShared, openNodeStore, tellFailures } from '../../lib/runtime/node-store'
import { patchOf, raisedBy, waitFor, withDefaultId } from './message'
import { createPoller, type Ending, type Poller } from './poller'
import { createProgress } from './progress'
import { askResourceState, type WaitOutcome, type What } from './resource-state'
import type { PendingWait } from './stored-wait'
import { fields } from './wait.fields'

export = (RED: Runtime): void => {
  registerLiveNode(RED, 'eid-wait', fields, open, { settingsOf: withDefaultId })
}

type Live = LiveNode<typeof fields>

/** Where a message leaves the node when its wait has ended. */
interface Sink {
  readonly send: Send
  readonly done: Done
}

/** The sinks of the messages that came in since the flow was started. */
type Sinks = Map<string, Sink>

const outputs: readonly WaitOutcome[] = ['done', 'ended', 'expired']

/** Rejects with EID_CONFIG when its store cannot be used. */
async function open(live: Live): Promise<LiveBehaviour> {
  const sinks: Sinks = new Map()
  const poller = openPoller(live, sinks)
  return {
    receive: (msg, send, done) => receive(live, poller, sinks, msg, { send, done }),
    start: () => poller.start(),
    close: (removed) => poller.close(removed),
  }
}

async function receive(live: Live, poller: Poller, sinks: Sinks, msg: FlowMessage, sink: Sink): Promise<void> {
  const read = await live.read(msg)
  if (msg.flush === true || msg.reset === true) {
    const { what, resourceId } = read.values
    const subject = resourceId === undefined ? undefined : subjectOf(live, what, resourceId)
    await (msg.reset === true ? poller.reset(subject) : poller.flush(subject))
    return sink.done()
  }
  // What is missing in the settings is told now, not asked for again and again.
  await live.connect()
  const wait = waitFor(msg, read, systemClock)
  let accepted = ''
  const keep = (id: string) => void sinks.set((accepted = id), sink)
  await poller.add(wait, subjectOf(live, wait.what, wait.resourceId), keep).catch((error: unknown) => {
    sinks.delete(accepted)
    throw error
  })
}

/** What an event of the same client is about as well. */
const subjectOf = ({ config }: Live, what: What, id: string) => `${String(config.client)}/${what}/${id}`

function openPoller(live: Live, sinks: Sinks): Poller {
  const { node, translate } = live
  const poller: Poller = createPoller({
    store: openNodeStore(live, { kind: 'waits', back: () => void poller.show() }),
    shared: isShared(live),
    clock: systemClock,
    ask: (wait, signal) => ask(live, wait, signal),
    end(id, wait, ending, redelivered) {
      const { send, done } = sinks.get(id) ?? sinkOfResumed(live, wait.msg)
      sinks.delete(id)
      try {
        if (redelivered) wait.msg.redelivered = true
        deliver(live, wait, ending, send)
        done()
      } catch (thrown) {
        done(live.fail(thrown))
      }
    },
    dropped(id) {
      sinks.get(id)?.done()
      sinks.delete(id)
    },
    asked: createProgress(live),
    unreadable: () => node.error(translate('warnings.unreadable'), {}),
    failed: tellFailures(live),
  })
  return poller
}

async function ask(live: Live, wait: PendingWait, signal: AbortSignal) {
  const { client } = await live.connect()
  const send: Parameters<typeof askResourceState>[0] = (operation, options) =>
    live.send(operation, { signal, ...options }, wait.msg.requestTimeout)
  return askResourceState(send, wait, client.settings.sharePaths)
}

/** Sends the message to the output of its end. Throws the error that takes its place. */
function deliver({ config, status, translate }: Live, wait: PendingWait, ending: Ending, send: Send): void {
  if ('error' in ending) throw ending.error
  const { state, late } = ending
  const raised = raisedBy(config, wait, state, late)
  if (raised) throw raised
  const outcome = late ? 'expired' : state.outcome
  const text = late ? translate('status.timedOut') : translate('status.ended', { status: state.status })
  status.setResult({ fill: outcome === 'done' ? 'green' : 'yellow', shape: 'dot', text })
  Object.assign(wait.msg, patchOf(wait, state, late))
  send(outputs.map((one) => (one === outcome ? wait.msg : null)))
}

/** The handler of a message from before a restart is gone: it can be sent on or reported, but not completed. */
function sinkOfResumed({ node }: Live, msg: FlowMessage): Sink {
  return {
    send: (messages) => node.send(messages),
    done: (error) => void (error !== undefined && node.error(error, msg)),
  }
}
