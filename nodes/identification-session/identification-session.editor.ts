/** The form of "identification session". */
import { whenReady } from '../../lib/editor/ready'
import { day, origin, url } from '../../lib/settings/rules'
import { fields } from './identification-session.fields'

whenReady(({ createForm }) => {
  const form = createForm('identification-session', fields, { day, origin, url })

  RED.nodes.registerType('eid-identification-session', {
    ...__COMMON__(form),
    color: '#80A4C0',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'operation')}`
    },
  })
})
