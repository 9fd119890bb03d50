/** The form of "document". */
import { whenReady } from '../../lib/editor/ready'
import { channel, countryCode, email, notNegative, ownId, phone, whole } from '../../lib/settings/rules'
import { fields } from './document.fields'

whenReady(({ createForm, showMissingColumns }) => {
  const form = createForm(
    'document',
    fields,
    { channel, countryCode, email, notNegative, ownId, phone, whole },
    { ready: showMissingColumns },
  )

  RED.nodes.registerType('eid-document', {
    ...__COMMON__(form),
    color: '#6BAA94',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'operation')}`
    },
  })
})
