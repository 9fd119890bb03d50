/** The form of "document". */
import { createForm } from '../../lib/editor/form'
import { fields } from './document.fields'

const eidForm = createForm('document', fields)

RED.nodes.registerType('eid-document', {
  category: 'eID',
  color: '#C7E9C0',
  icon: 'document.svg',
  inputs: 1,
  outputs: 1,
  defaults: __DEFAULTS__,
  paletteLabel() {
    return this._('label')
  },
  label() {
    return this.name || `${this._('label')}: ${this._(`choices.operation.${String(this.operation)}`)}`
  },
  labelStyle() {
    return this.name ? 'node_label_italic' : ''
  },
  oneditprepare() {
    eidForm.prepare(this)
  },
  oneditsave() {
    eidForm.save(this)
  },
  oneditresize(size) {
    eidForm.resize(size)
  },
})
