/** The form of "share upload". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './share-upload.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('share-upload', fields, {})

  RED.nodes.registerType('eid-share-upload', {
    category: 'eID',
    color: '#A3A45B',
    categoryDescription: form.about,
    icon: 'share-upload.svg',
    inputs: 1,
    outputs: 2,
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'progress'][index] ?? ''}`)
    },
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      return this.name || this._('label')
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
