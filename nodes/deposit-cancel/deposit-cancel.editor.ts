/** The form of "deposit cancel". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './deposit-cancel.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('deposit-cancel', fields, {})

  RED.nodes.registerType('eid-deposit-cancel', {
    category: 'eID',
    color: '#C99567',
    categoryDescription: form.about,
    icon: 'deposit-cancel.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      return this.name || this._('label')
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
