/** The form of "embed". */
import { whenReady } from '../../lib/editor/ready'
import { url } from '../../lib/rules'
import { fields } from './embed.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('embed', fields, { url })

  RED.nodes.registerType('eid-embed', {
    category: 'eID',
    color: '#B496BC',
    categoryDescription: form.about,
    icon: 'embed.svg',
    inputs: 1,
    outputs: 3,
    outputLabels(index: number) {
      return form.text(`outputs.${['message', 'final', 'page'][index] ?? ''}`)
    },
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      return this.name || `${this._('label')}: ${String(this.path)}`
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
