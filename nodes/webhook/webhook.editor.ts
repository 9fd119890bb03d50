/** The form of "webhook". */
import { whenReady } from '../../lib/editor/ready'
import { url } from '../../lib/rules'
import { fields } from './webhook.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('webhook', fields, { url })
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-webhook', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#B496BC',
    icon: 'webhook.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    credentials: __CREDENTIALS__,
    label() {
      return this.name || `${this._('label')}: ${String(this.path)}`
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
