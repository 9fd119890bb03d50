/** The form of "deposit terminate". */
import { whenReady } from '../../lib/editor/ready'
import { amount } from '../../lib/rules'
import { fields } from './deposit-terminate.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('deposit-terminate', fields, { amount })
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-deposit-terminate', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#C99567',
    icon: 'deposit-terminate.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    label() {
      const known = this.categoryType === 'str' && (this.category === 'TENANT' || this.category === 'SPLIT')
      const release = known ? `: ${this._(`releases.${String(this.category)}`)}` : ''
      return this.name || this._('label') + release
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
