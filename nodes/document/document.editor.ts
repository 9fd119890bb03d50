/** The form of "document". */
import { whenReady } from '../../lib/editor/ready'
import { dateTime } from '../../lib/rules'
import { fields } from './document.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('document', fields, { dateTime })

  RED.nodes.registerType('eid-document', {
    category: 'eID',
    color: '#6BAA94',
    categoryDescription: form.about,
    icon: 'document.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      return this.name || `${this._('label')}: ${this._(`choices.operation.${String(this.operation)}`)}`
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
