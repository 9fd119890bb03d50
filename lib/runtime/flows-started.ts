/** Tells nodes when all nodes of a deployment are there, with one listener for however many of them wait for it. */
import type { Runtime } from './node-red'

type Events = Runtime['events']

const waiting = new WeakMap<Events, Set<() => void>>()

/**
 * Calls `begin` once, when all flows have been started. Node-RED warns of a leak when more than ten nodes listen by
 * themselves.
 * @returns what takes it back, at any time
 */
export function onFlowsStarted(events: Events, begin: () => void): () => void {
  const beginnings = waiting.get(events) ?? listen(events)
  beginnings.add(begin)
  return () => void beginnings.delete(begin)
}

function listen(events: Events): Set<() => void> {
  const beginnings = new Set<() => void>()
  waiting.set(events, beginnings)
  events.once('flows:started', () => {
    waiting.delete(events)
    for (const begin of beginnings) begin()
  })
  return beginnings
}
