/** Follows the wires of a *batch* node to find out whether its rows come back, and whether they must pass a *wait*. */
import type { FormParts } from '../../lib/editor/form-context'

/**
 * Shows a hint in the form if a wire is missing through which rows can come back to the *batch* node. This is only a
 * hint, because rows may come back without a wire.
 */
export function showWayBack({ node, input, context }: FormParts): void {
  const hint = wayBackHint(node)
  if (!hint) return
  const words = context.text(`hints.${hint}`)
  $('<p class="form-tips eid-warning eid-way-back" role="status">')
    .text(words)
    .insertAfter(input('paceUnit').closest('.form-row'))
}

/**
 * Returns the key of the hint to show. Returns undefined if both successful and failed rows come back, or if rows leave
 * through the output of a subflow or return to a *link call* node.
 */
function wayBackHint(batch: EditorNode): 'noWayBack' | 'noCatch' | undefined {
  const onTheWay = [...reachedFrom(batch, 0, () => false).values()]
  // A Catch node that names no nodes receives the errors of all nodes on its tab.
  const isWatched = ({ scope, z }: EditorNode) =>
    onTheWay.some((node) => (Array.isArray(scope) ? scope.includes(node.id) : node.z === z))
  const comesBackBy = (type: string) => {
    let comes = false
    RED.nodes.eachNode((node) => {
      comes ||= node.type === type && isWatched(node) && reachedFrom(node, undefined, () => false).has(batch.id)
    })
    return comes
  }
  if (onTheWay.some(({ type, mode }) => type === 'subflow' || mode === 'return')) return undefined
  if (!onTheWay.includes(batch) && !comesBackBy('complete')) return 'noWayBack'
  return onTheWay.length === 1 || comesBackBy('catch') ? undefined : 'noCatch'
}

/**
 * Returns the *wait* that every row must pass before it comes back. While such a *wait* waits for signatures, its rows
 * stay in flight, so the limit for rows in flight also limits how many documents are sent. Undefined if rows can come
 * back without passing a *wait*, or can't come back at all.
 */
export function waitOnWayBack(batch: EditorNode): EditorNode | undefined {
  if (reachedFrom(batch, 0, isWait).has(batch.id)) return undefined
  const reached = [...reachedFrom(batch, 0, () => false).values()]
  return reached.find((node) => isWait(node) && reachedFrom(node, undefined, () => false).has(batch.id))
}

function isWait({ type }: EditorNode): boolean {
  return type === 'eid-wait'
}

/**
 * Returns all nodes that can be reached from this output, or from all outputs; the search stops at nodes for which
 * `ends` is true.
 */
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
