/** The form of "events". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './events.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('events', fields, {})
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-events', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#B496BC',
    icon: 'events.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    label() {
      const [type, ...further] = String(this.eventTypes ?? '').match(/[^\s,]+/g) ?? []
      return this.name || `${this._('label')}${type ? `: ${type}${further.length > 0 ? ' …' : ''}` : ''}`
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
