/** The form of "deposit". */
import { whenReady } from '../../lib/editor/ready'
import { email, phone, price, url, whole } from '../../lib/settings/rules'
import { fields } from './deposit.fields'

whenReady(({ createForm }) => {
  const form = createForm('deposit', fields, { email, phone, price, url, whole })

  RED.nodes.registerType('eid-deposit', {
    ...__COMMON__(form),
    color: '#C99567',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'operation')}`
    },
  })
})
