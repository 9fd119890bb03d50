/** The form of "share upload". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './share-upload.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('share-upload', fields, {})
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-share-upload', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#A3A45B',
    icon: 'share-upload.svg',
    inputs: 1,
    outputs: 2,
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'progress'][index] ?? ''}`)
    },
    defaults: __DEFAULTS__(form),
    label() {
      return this.name || this._('label')
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
