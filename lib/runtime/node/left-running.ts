/**
 * Closes nodes that Node-RED leaves running: after a deploy of modified nodes, a node that has become part of a subflow
 * runs twice, under its old id and in the subflow.
 */
import { flowPlaces } from '../node-red/flow-places'
import { hosted, type HostOwner } from '../node-red/host'
import type { Runtime } from '../node-red/node-red'
import { isSameNode } from '../monitor/kept-nodes'

type Close = () => Promise<void>

const createRunning = () => new Map<string, Close>()

/** Notes that a node runs, and how it is closed; returns the function that forgets it. */
export function noteRunning(RED: HostOwner, id: string, close: Close): () => void {
  const closes = hosted(RED, createRunning).set(id, close)
  return () => void (closes.get(id) === close && closes.delete(id))
}

/** Closes the node that has become this one. Undefined if no such node runs. */
export function closeLeftRunning(RED: Pick<Runtime, 'events' | 'nodes'>, id: string): Promise<void> | undefined {
  const [other, close] = [...hosted(RED, createRunning)].find(([one]) => isSameNode(one, id)) ?? []
  return other !== undefined && !flowPlaces(RED).has(other) ? close?.() : undefined
}
