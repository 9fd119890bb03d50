/** The form of "deposit cancel". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './deposit-cancel.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('deposit-cancel', fields, {})
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-deposit-cancel', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#C99567',
    icon: 'deposit-cancel.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    label() {
      return this.name || this._('label')
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
