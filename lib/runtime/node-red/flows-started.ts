/** Notifies nodes when all nodes of a deploy have started, using one listener for all of them. */
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import { hosted } from './host'
import type { Runtime } from './node-red'

type Host = Pick<Runtime, 'events'>

/**
 * The ids of the nodes that were stopped before and may have held messages. `all` means that everything was stopped, or
 * that the stopped nodes are unknown.
 */
export type StoppedNodes = 'all' | readonly string[]

type Begin = (stopped: StoppedNodes) => void

const createWaiting = (): { beginnings?: Set<Begin> | undefined } => ({})

/**
 * Calls `begin` once, when all flows have been started. The nodes share one listener, because Node-RED warns of a leak
 * when more than ten nodes add their own listeners. Returns a function that cancels the call.
 */
export function onFlowsStarted(RED: Host, begin: Begin): () => void {
  const beginnings = hosted(RED, createWaiting).beginnings ?? listen(RED)
  beginnings.add(begin)
  return () => void beginnings.delete(begin)
}

function listen(RED: Host): Set<Begin> {
  const waiting = hosted(RED, createWaiting)
  const beginnings = new Set<Begin>()
  waiting.beginnings = beginnings
  RED.events.once('flows:started', (started) => {
    waiting.beginnings = undefined
    const stopped = stoppedBefore(started)
    for (const begin of beginnings) {
      // The functions that cancel hold this set for as long as their nodes exist, which would keep the nodes before them.
      beginnings.delete(begin)
      begin(stopped)
    }
  })
  return beginnings
}

/**
 * The nodes that were stopped. Node-RED reports the difference between the flows before and after; a deploy of modified
 * nodes stops only the nodes in this difference.
 */
function stoppedBefore(started: unknown): StoppedNodes {
  const { type, diff, config } = isPlainObject(started) ? started : {}
  if (type !== 'nodes' || !isPlainObject(diff) || !isPlainObject(config) || !Array.isArray(config.flows)) return 'all'
  const quiet = new Set(config.flows.filter(isPlainObject).flatMap((node) => (holdsNothing(node) ? [node.id] : [])))
  const [flows, changed, removed] = ['flowChanged', 'changed', 'removed'].map((name) => diff[name])
  if (!Array.isArray(flows) || flows.length > 0 || !Array.isArray(changed) || !Array.isArray(removed)) return 'all'
  return [changed, removed]
    .flat()
    .filter((id: unknown) => !quiet.has(id))
    .map(String)
}

/**
 * True for a node that can't hold messages. Tabs and config nodes have no position on the canvas. The listed types only
 * watch other nodes, and are restarted whenever one of those is restarted.
 */
function holdsNothing({ type, x }: PlainObject): boolean {
  return x === undefined || ['catch', 'complete', 'status', 'comment'].includes(String(type))
}
