/** The form of "request". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './request.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('request', fields, {})

  RED.nodes.registerType('eid-request', {
    category: 'eID',
    color: '#A0A0A0',
    categoryDescription: form.about,
    icon: 'request.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      return (
        this.name ||
        (this.pathType === 'str' && this.path ? `${String(this.method)} ${String(this.path)}` : this._('label'))
      )
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
