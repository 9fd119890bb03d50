/** The form of "pending". */
import { whenReady } from '../../lib/editor/ready'
import { notNegative } from '../../lib/settings/rules'
import { fields } from './pending.fields'

whenReady(({ createForm }) => {
  const form = createForm('pending', fields, { notNegative })

  RED.nodes.registerType('eid-pending', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || this._('label')
    },
  })
})
