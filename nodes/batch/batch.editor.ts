/** The form of "batch". It warns if every row must pass a *wait* before it comes back. */
import type { FormParts } from '../../lib/editor/form-context'
import { whenReady } from '../../lib/editor/ready'
import { fields } from './batch.fields'
import { showList } from './list-preview.editor'
import { showWayBack, waitOnWayBack } from './way-back.editor'

whenReady(({ createForm }) => {
  const form = createForm('batch', fields, {}, { ready, alsoWrong: { parallel: standsStill } })

  function ready(parts: FormParts): void {
    showList(parts)
    showWayBack(parts)
  }

  /**
   * Returns a warning if every row must pass a *wait* before it comes back. There is no warning if the number of rows
   * in flight has been raised, because the user then expects rows to wait.
   */
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

/**
 * Checks all *batch* nodes again whenever a wire changes, because Node-RED itself checks a node only when that node
 * changes.
 */
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
