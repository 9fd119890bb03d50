/** The form of "wait". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './wait.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('wait', fields, {})
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-wait', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#B496BC',
    icon: 'wait.svg',
    inputs: 1,
    outputs: 3,
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'ended', 'expired'][index] ?? ''}`)
    },
    defaults: __DEFAULTS__(form),
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'what')}`
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
