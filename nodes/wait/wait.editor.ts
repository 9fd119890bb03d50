/** The form of "wait". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './wait.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('wait', fields, {})

  RED.nodes.registerType('eid-wait', {
    category: 'eID',
    color: '#B496BC',
    categoryDescription: form.about,
    icon: 'wait.svg',
    inputs: 1,
    outputs: 3,
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'ended', 'expired'][index] ?? ''}`)
    },
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      return this.name || `${this._('label')}: ${this._(`choices.what.${String(this.what)}`)}`
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
