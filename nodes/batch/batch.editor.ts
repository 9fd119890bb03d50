/** The form of "batch", with its warning about a *wait* on the rows' way back to their list. */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './batch.fields'
import { showList } from './list-preview.editor'

whenReady(({ createForm }) => {
  const form = createForm('batch', fields, {}, { ready: showList, alsoWrong: { parallel: standsStill } })

  /** A person who has raised the number of rows in flight knows that they wait. */
  function standsStill(node: EditorNode, parallel: unknown): string | undefined {
    const inFlight = Number(parallel || fields.parallel.initial)
    const wait = inFlight <= fields.parallel.initial ? waitOnWayBack(node) : undefined
    if (!wait) return undefined
    const params = { parallel: String(inFlight), wait: wait.name || wait._('label') }
    return node._('@eid-flows/node-red-eid/batch:warnings.waitOnWayBack', params)
  }

  markWayBack()

  RED.nodes.registerType('eid-batch', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 2,
    outputLabels(index: number) {
      return form.text(`outputs.${['row', 'report'][index] ?? ''}`)
    },
    label() {
      return this.name || this._('label')
    },
  })
})

function isWait({ type }: EditorNode): boolean {
  return type === 'eid-wait'
}

/**
 * The *wait* that every row must pass before it comes back: only a few documents would be sent until people have signed.
 * Undefined if there is another way back, or none.
 */
function waitOnWayBack(batch: EditorNode): EditorNode | undefined {
  if (reachedFrom(batch, 0, isWait).has(batch.id)) return undefined
  const reached = [...reachedFrom(batch, 0, () => false).values()]
  return reached.find((node) => isWait(node) && reachedFrom(node, undefined, () => false).has(batch.id))
}

/** All nodes reachable from this output, or from all outputs; the search stops at a node that `ends` the way. */
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

/** Checks the lists again whenever a wire changes: Node-RED itself checks a node only when that node changes. */
function markWayBack(): void {
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
