/**
 * Finds out whether a Catch node handled an error: while the node reports an error, Node-RED writes it to its log if,
 * and only if, no Catch node received it.
 */
import type { Runtime } from '../node-red/node-red'

/** Node-RED's log level for errors. */
const errorLevel = 20

/**
 * The error that each node is about to report. A node reports one error before it records the next, so a line in the
 * log belongs to the latest error, however many nodes fail at the same moment.
 */
const reporting = new Map<string, { isLogged: boolean }>()
const watched = new WeakSet<object>()

/** Starts listening to the log of this Node-RED, once. */
export function watchLog({ log }: Runtime): void {
  if (!log?.addHandler || watched.has(log.addHandler)) return
  watched.add(log.addHandler)
  log.addHandler({ emit: (_event, line) => noteLine(line) })
}

/** The text is not compared: Node-RED's debug code reformats and shortens it before it gets here. */
function noteLine(line: unknown): void {
  const { id, level } = (line ?? {}) as { id?: unknown; level?: unknown }
  const reported = typeof id === 'string' && level === errorLevel ? reporting.get(id) : undefined
  if (reported) reported.isLogged = true
}

/**
 * Calls back at the end of this turn: says whether a Catch node received the error that the node reports right after
 * this call.
 */
export function whenCaughtIsKnown(nodeId: string, then: (caught: boolean) => void): void {
  const reported = { isLogged: false }
  reporting.set(nodeId, reported)
  setImmediate(() => {
    if (reporting.get(nodeId) === reported) reporting.delete(nodeId)
    then(!reported.isLogged)
  })
}
