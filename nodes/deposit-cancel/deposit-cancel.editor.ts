/** The form of "deposit cancel". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './deposit-cancel.fields'

whenReady(({ createForm }) => {
  const form = createForm('deposit-cancel', fields, {})

  RED.nodes.registerType('eid-deposit-cancel', {
    ...__COMMON__(form),
    color: '#C99567',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || this._('label')
    },
  })
})
