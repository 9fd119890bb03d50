/**
 * Keeps track of the running nodes that use a service. Each node reports itself, because its client may come from a
 * variable, or be chosen where a subflow is used.
 */
import { hosted, type HostOwner } from './host'

const createNodes = () => new Map<string, () => string | undefined>()

/** Registers a node with the function that returns the service that it uses now, until the returned function is called. */
export function registerServiceNode(RED: HostOwner, nodeId: string, service: () => string | undefined): () => void {
  const nodes = hosted(RED, createNodes)
  nodes.set(nodeId, service)
  return () => {
    if (nodes.get(nodeId) === service) nodes.delete(nodeId)
  }
}

/** The services that these nodes use, as in `listServiceOf`. */
export function servicesOf(RED: HostOwner, nodeIds: Iterable<string>): string[] {
  return [...new Set([...nodeIds].flatMap((id) => hosted(RED, createNodes).get(id)?.() ?? []))]
}
