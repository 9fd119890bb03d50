/** The form of "request". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './request.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('request', fields, {})
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-request', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#A0A0A0',
    icon: 'request.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    label() {
      return (
        this.name ||
        (this.pathType === 'str' && this.path ? `${String(this.method)} ${String(this.path)}` : this._('label'))
      )
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
