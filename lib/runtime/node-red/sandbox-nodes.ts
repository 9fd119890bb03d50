/**
 * Keeps track of the running nodes that use the sandbox. Each node reports this itself, because its client may come
 * from a variable, or be chosen where a subflow is used.
 */
const nodes = new Map<string, () => boolean>()

/**
 * Registers a node. `asksSandbox` returns whether it uses the sandbox, and is used until the returned function is
 * called.
 */
export function registerSandboxNode(nodeId: string, asksSandbox: () => boolean): () => void {
  nodes.set(nodeId, asksSandbox)
  return () => {
    if (nodes.get(nodeId) === asksSandbox) nodes.delete(nodeId)
  }
}

/** Whether this node is running and uses the real service. */
export function asksLive(nodeId: string): boolean {
  return nodes.get(nodeId)?.() === false
}

/** Whether this node is running and uses the sandbox. */
export function asksSandbox(nodeId: string): boolean {
  return nodes.get(nodeId)?.() ?? false
}
