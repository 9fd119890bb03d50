/** The form of "wait". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './wait.fields'

whenReady(({ createForm }) => {
  const form = createForm('wait', fields, {})

  RED.nodes.registerType('eid-wait', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 3,
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'ended', 'expired'][index] ?? ''}`)
    },
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'what')}`
    },
  })
})
