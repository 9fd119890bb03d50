/**
 * Finds out whether a Catch node handled an error: Node-RED writes an error to its log if, and only if, no Catch node
 * took it, in the same turn in which the node reports it.
 */
import type { Runtime } from '../node-red/node-red'

/** Node-RED's number for errors in its log. */
const errorLevel = 20

/** Ids of the nodes that have written an error to the log; from the end of this turn they are no longer needed. */
const logged = new Set<string>()
const watched = new WeakSet<object>()

/** Begins to listen to the log of this Node-RED, once. */
export function watchLog({ log }: Runtime): void {
  if (!log?.addHandler || watched.has(log.addHandler)) return
  watched.add(log.addHandler)
  log.addHandler({ emit: (_event, line) => noteLine(line) })
}

/** The text is not compared: the debug nodes of Node-RED put it into another form, and cut it, before it comes here. */
function noteLine(line: unknown): void {
  const { id, level } = (line ?? {}) as { id?: unknown; level?: unknown }
  if (typeof id !== 'string' || level !== errorLevel) return
  if (logged.size === 0) setImmediate(() => setImmediate(() => logged.clear()))
  logged.add(id)
}

/** Calls back at the end of this turn: whether a Catch node took the error that the node is about to report. */
export function whenCaughtIsKnown(nodeId: string, then: (caught: boolean) => void): void {
  setImmediate(() => then(!logged.has(nodeId)))
}
