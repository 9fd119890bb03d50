/** The form of "share create". */
import { whenReady } from '../../lib/editor/ready'
import { channel, countryCode, email, phone, shortDay } from '../../lib/settings/rules'
import { fields } from './share-create.fields'

whenReady(({ createForm }) => {
  const sendTest = { parts: ['email', 'mobileCountryCode', 'mobileNumber'] } as const
  const form = createForm('share-create', fields, { channel, countryCode, email, phone, shortDay }, { sendTest })

  RED.nodes.registerType('eid-share-create', {
    ...__COMMON__(form),
    color: '#A3A45B',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || this._('label')
    },
  })
})
