/** The form of "share". */
import { whenReady } from '../../lib/editor/ready'
import { channel, countryCode, email, phone, shortDay } from '../../lib/settings/rules'
import { fields } from './share.fields'

whenReady(({ createForm }) => {
  const form = createForm('share', fields, { channel, countryCode, email, phone, shortDay })

  RED.nodes.registerType('eid-share', {
    ...__COMMON__(form),
    color: '#A3A45B',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'operation')}`
    },
  })
})
