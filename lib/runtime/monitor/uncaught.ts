/**
 * Finds out whether a Catch node handled an error: Node-RED writes an error to its log if, and only if, no Catch node
 * took it, in the same turn in which the node reports it.
 */
import type { Runtime } from '../node-red/node-red'

type Key = string

const keyOf = (nodeId: string, text: string): Key => JSON.stringify([nodeId, text])

/** From the end of this turn they are no longer needed. */
const logged = new Set<Key>()
const watched = new WeakSet<object>()

/** Begins to listen to the log of this Node-RED, once. */
export function watchLog({ log }: Runtime): void {
  if (!log?.addHandler || watched.has(log.addHandler)) return
  watched.add(log.addHandler)
  log.addHandler({ emit: (_event, line) => noteLine(line) })
}

function noteLine(line: unknown): void {
  const { id, type, msg } = (line ?? {}) as { id?: unknown; type?: unknown; msg?: unknown }
  if (typeof id !== 'string' || typeof type !== 'string' || !type.startsWith('eid-')) return
  const text = msg instanceof Error ? msg.message : msg
  if (typeof text !== 'string') return
  const key = keyOf(id, text)
  if (logged.size === 0) setImmediate(() => setImmediate(() => logged.clear()))
  logged.add(key)
}

/** Calls back at the end of this turn: whether a Catch node took this error, which the node is about to report. */
export function whenCaughtIsKnown(nodeId: string, text: string, then: (caught: boolean) => void): void {
  setImmediate(() => then(!logged.has(keyOf(nodeId, text))))
}
