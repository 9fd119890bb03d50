/** The form of "events". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './events.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('events', fields, {})

  RED.nodes.registerType('eid-events', {
    category: 'eID',
    color: '#B496BC',
    categoryDescription: form.about,
    icon: 'events.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      const [type, ...further] = String(this.eventTypes ?? '').match(/[^\s,]+/g) ?? []
      return this.name || `${this._('label')}${type ? `: ${type}${further.length > 0 ? ' …' : ''}` : ''}`
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
