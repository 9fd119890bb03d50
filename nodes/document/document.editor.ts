/** The form of "document". */
import { whenReady } from '../../lib/editor/ready'
import { channel, countryCode, dateTime, email, phone } from '../../lib/rules'
import { fields } from './document.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('document', fields, { channel, countryCode, dateTime, email, phone })
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-document', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#6BAA94',
    icon: 'document.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'operation')}`
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
