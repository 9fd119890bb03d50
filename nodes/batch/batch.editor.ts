/** The form of "batch". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './batch.fields'
import { showList } from './list-preview.editor'

whenReady(({ createForm }) => {
  const form = createForm('batch', fields, {}, { ready: showList })

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
