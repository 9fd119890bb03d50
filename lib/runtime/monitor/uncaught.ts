/**
 * Finds out whether a Catch node received an error. While a node reports an error, Node-RED writes the error to its log
 * if, and only if, no Catch node received it.
 */
import type { Runtime } from '../node-red/node-red'
import { hosted, type HostOwner } from '../node-red/host'

/** Node-RED's log level for errors. */
const errorLevel = 20

/**
 * The error that each node is about to report. A node reports one error before it records the next, so a line in the
 * log belongs to the node's latest error, however many nodes fail at the same moment.
 */
const createReporting = () => new Map<string, { isLogged: boolean }>()
const createWatched = () => new WeakSet<object>()

/** Starts listening to the log of this Node-RED, once. */
export function watchLog(RED: Runtime): void {
  const { log } = RED
  const watched = hosted(RED, createWatched)
  if (!log?.addHandler || watched.has(log.addHandler)) return
  watched.add(log.addHandler)
  log.addHandler({ emit: (_event, line) => noteLine(RED, line) })
}

/**
 * Notes a line of the log. Its text is not compared, because Node-RED's debug code reformats and shortens it before it
 * gets here.
 */
function noteLine(RED: HostOwner, line: unknown): void {
  const { id, level } = (line ?? {}) as { id?: unknown; level?: unknown }
  const reported = typeof id === 'string' && level === errorLevel ? hosted(RED, createReporting).get(id) : undefined
  if (reported) reported.isLogged = true
}

/**
 * Calls `then` at the end of this turn, with true if a Catch node received the error. Must be called right before the
 * node reports this error.
 */
export function whenCaughtIsKnown(RED: HostOwner, nodeId: string, then: (caught: boolean) => void): void {
  const reporting = hosted(RED, createReporting)
  const reported = { isLogged: false }
  reporting.set(nodeId, reported)
  setImmediate(() => {
    if (reporting.get(nodeId) === reported) reporting.delete(nodeId)
    then(!reported.isLogged)
  })
}
