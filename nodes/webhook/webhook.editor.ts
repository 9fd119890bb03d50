/** The form of "webhook". */
import { whenReady } from '../../lib/editor/ready'
import { url } from '../../lib/rules'
import { fields } from './webhook.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('webhook', fields, { url })

  RED.nodes.registerType('eid-webhook', {
    category: 'eID',
    color: '#B496BC',
    categoryDescription: form.about,
    icon: 'webhook.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    credentials: __CREDENTIALS__,
    paletteLabel() {
      return this._('label')
    },
    label() {
      return this.name || `${this._('label')}: ${String(this.path)}`
    },
    labelStyle() {
      return this.name ? 'node_label_italic' : ''
    },
    onadd() {
      chooseClient(this)
    },
    oneditprepare() {
      form.prepare(this)
    },
    oneditsave() {
      form.save(this)
    },
    oneditresize(size) {
      form.resize(size)
    },
  })
})
