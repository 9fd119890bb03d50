/** The form of "create document". */
import { createForm } from '../../lib/editor/form'
import { fields } from './create-document.fields'

const eidForm = createForm('create-document', fields)

RED.nodes.registerType('eid-create-document', {
  category: 'eID',
  color: '#C7E9C0',
  icon: 'create-document.svg',
  inputs: 1,
  outputs: 1,
  defaults: __DEFAULTS__,
  paletteLabel() {
    return this._('label')
  },
  label() {
    return this.name || this._('label')
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
