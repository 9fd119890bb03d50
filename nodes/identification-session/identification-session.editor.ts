/** The form of "identification session". */
import { whenReady } from '../../lib/editor/ready'
import { day, origin, url } from '../../lib/rules'
import { fields } from './identification-session.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('identification-session', fields, { day, origin, url })
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-identification-session', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#80A4C0',
    icon: 'identification-session.svg',
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
