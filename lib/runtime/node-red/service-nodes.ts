/**
 * Keeps track of the running nodes that use the service. Each node reports itself, because its client may come from a
 * variable, or be chosen where a subflow is used.
 */
interface ServiceNode {
  /** Whether the node uses the sandbox now. */
  asksSandbox(): boolean
  /** The account that the node uses now; undefined without a client. */
  account(): string | undefined
}

const nodes = new Map<string, ServiceNode>()

/** Registers a node, until the returned function is called. */
export function registerServiceNode(nodeId: string, node: ServiceNode): () => void {
  nodes.set(nodeId, node)
  return () => {
    if (nodes.get(nodeId) === node) nodes.delete(nodeId)
  }
}

/** Whether this node is running and uses the real service. */
export function asksLive(nodeId: string): boolean {
  return nodes.get(nodeId)?.asksSandbox() === false
}

/** Whether this node is running and uses the sandbox. */
export function asksSandbox(nodeId: string): boolean {
  return nodes.get(nodeId)?.asksSandbox() ?? false
}

/** The accounts that these nodes use. */
export function accountsOf(nodeIds: Iterable<string>): string[] {
  return [...new Set([...nodeIds].flatMap((id) => nodes.get(id)?.account() ?? []))]
}
