/** Finds a *wait* on the way of the rows back to their list: then few documents are sent until people have signed. */

const isWait = ({ type }: EditorNode) => type === 'eid-wait'

/** The *wait* that every row has to pass before it comes back; nothing when there is another way back, or no way. */
export function waitOnWayBack(batch: EditorNode): EditorNode | undefined {
  if (reachedFrom(batch, 0, isWait).has(batch.id)) return undefined
  const reached = [...reachedFrom(batch, 0, () => false).values()]
  return reached.find((node) => isWait(node) && reachedFrom(node, undefined, () => false).has(batch.id))
}

/** All nodes to which wires and links lead from this output, or from all of them; none behind one that `ends` the way. */
function reachedFrom(start: EditorNode, port: number | undefined, ends: (node: EditorNode) => boolean) {
  const reached = new Map<string, EditorNode>()
  const next = nodesAfter(start, port)
  for (let node = next.pop(); node; node = next.pop()) {
    if (reached.has(node.id)) continue
    reached.set(node.id, node)
    if (node.type !== 'eid-batch' && !ends(node)) next.push(...nodesAfter(node))
  }
  return reached
}

function nodesAfter(node: EditorNode, port?: number): EditorNode[] {
  const links = Array.isArray(node.links) && node.type === 'link out' ? node.links.map(String) : []
  const wires = RED.nodes.filterLinks({ source: node, ...(port !== undefined && { sourcePort: port }) })
  const linked = links.map((id) => RED.nodes.node(id)).filter((one) => one !== null)
  return [...wires.map(({ target }) => target), ...linked]
}

/** Looks at the lists again whenever a wire changes: Node-RED itself looks at a node only when that node changes. */
export function markWayBack(): void {
  let isSoon = false
  const look = () => {
    isSoon = false
    RED.nodes.eachNode((node) => {
      if (node.type !== 'eid-batch') return
      RED.editor.validateNode(node)
      node.dirty = true
    })
    RED.view.redraw()
  }
  const lookSoon = () => {
    if (!isSoon) setTimeout(look)
    isSoon = true
  }
  RED.events.on('links:add', lookSoon)
  RED.events.on('links:remove', lookSoon)
}
