/** The form of "embed". */
import { whenReady } from '../../lib/editor/ready'
import { url } from '../../lib/rules'
import { fields } from './embed.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('embed', fields, { url })
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-embed', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#B496BC',
    icon: 'embed.svg',
    inputs: 1,
    outputs: 3,
    outputLabels(index: number) {
      return form.text(`outputs.${['message', 'final', 'page'][index] ?? ''}`)
    },
    defaults: __DEFAULTS__(form),
    label() {
      return this.name || `${this._('label')}: ${String(this.path)}`
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
