/**
 * Finds out whether a Catch node handled an error: Node-RED writes an error to its log if, and only if, no Catch node
 * took it, while the node reports it.
 */
import type { Runtime } from '../node-red/node-red'

/** Node-RED's number for errors in its log. */
const errorLevel = 20

/**
 * The error that each node is about to report. A node reports one error before it records the next, so a line of the
 * log belongs to the latest one, however many fail at the same moment.
 */
const reporting = new Map<string, { isLogged: boolean }>()
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
  const reported = typeof id === 'string' && level === errorLevel ? reporting.get(id) : undefined
  if (reported) reported.isLogged = true
}

/**
 * Calls back at the end of this turn: whether a Catch node took the error that the node reports right after this call.
 */
export function whenCaughtIsKnown(nodeId: string, then: (caught: boolean) => void): void {
  const reported = { isLogged: false }
  reporting.set(nodeId, reported)
  setImmediate(() => {
    if (reporting.get(nodeId) === reported) reporting.delete(nodeId)
    then(!reported.isLogged)
  })
}
