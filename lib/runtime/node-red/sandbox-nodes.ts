/**
 * Which running nodes use the sandbox. Only a node itself knows that: its client may come from a variable, or be chosen
 * where a subflow is used.
 */
const nodes = new Map<string, () => boolean>()

/** `asksSandbox` is called until the returned function is called. */
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

/** Also false if no such node is running. */
export function asksSandbox(nodeId: string): boolean {
  return nodes.get(nodeId)?.() ?? false
}
