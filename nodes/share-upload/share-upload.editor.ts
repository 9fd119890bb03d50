/** The form of "share upload". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './share-upload.fields'

whenReady(({ createForm }) => {
  const form = createForm('share-upload', fields, {})

  RED.nodes.registerType('eid-share-upload', {
    ...__COMMON__(form),
    color: '#A3A45B',
    inputs: 1,
    outputs: 2,
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'progress'][index] ?? ''}`)
    },
    label() {
      return this.name || this._('label')
    },
  })
})
