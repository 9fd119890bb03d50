/** The form of "identification session". */
import { whenReady } from '../../lib/editor/ready'
import { day, origin, url } from '../../lib/rules'
import { fields } from './identification-session.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('identification-session', fields, { day, origin, url })

  RED.nodes.registerType('eid-identification-session', {
    category: 'eID',
    color: '#80A4C0',
    categoryDescription: form.about,
    icon: 'identification-session.svg',
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
