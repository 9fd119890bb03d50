/** The form of "deposit terminate". */
import { whenReady } from '../../lib/editor/ready'
import { amount } from '../../lib/rules'
import { fields } from './deposit-terminate.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('deposit-terminate', fields, { amount })

  RED.nodes.registerType('eid-deposit-terminate', {
    category: 'eID',
    color: '#C99567',
    categoryDescription: form.about,
    icon: 'deposit-terminate.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      const known = this.categoryType === 'str' && (this.category === 'TENANT' || this.category === 'SPLIT')
      const release = known ? `: ${this._(`releases.${String(this.category)}`)}` : ''
      return this.name || this._('label') + release
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
