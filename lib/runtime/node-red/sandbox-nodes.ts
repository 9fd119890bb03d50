/**
 * Which of the nodes that run ask the sandbox. Only a node itself knows that: its client may come from a variable, or be
 * chosen where a subflow is used.
 */
const nodes = new Map<string, () => boolean>()

/** `asksSandbox` is asked until the returned function is called. */
export function registerSandboxNode(nodeId: string, asksSandbox: () => boolean): () => void {
  nodes.set(nodeId, asksSandbox)
  return () => {
    if (nodes.get(nodeId) === asksSandbox) nodes.delete(nodeId)
  }
}

/** Whether this node runs, and asks the service itself. */
export function asksLive(nodeId: string): boolean {
  return nodes.get(nodeId)?.() === false
}

/** False too when no such node runs. */
export function asksSandbox(nodeId: string): boolean {
  return nodes.get(nodeId)?.() ?? false
}
