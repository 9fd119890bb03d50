/** The form of "batch". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './batch.fields'
import { showList } from './list-preview.editor'
import { markWayBack, waitOnWayBack } from './way-back.editor'

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
