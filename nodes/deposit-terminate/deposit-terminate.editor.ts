/** The form of "deposit terminate". */
import { whenReady } from '../../lib/editor/ready'
import { amount, kid } from '../../lib/settings/rules'
import { fields } from './deposit-terminate.fields'

whenReady(({ createForm }) => {
  const form = createForm('deposit-terminate', fields, { amount, kid })

  RED.nodes.registerType('eid-deposit-terminate', {
    ...__COMMON__(form),
    color: '#C99567',
    inputs: 1,
    outputs: 1,
    label() {
      const known = this.categoryType === 'str' && (this.category === 'TENANT' || this.category === 'SPLIT')
      const release = known ? `: ${this._(`releases.${String(this.category)}`)}` : ''
      return this.name || this._('label') + release
    },
  })
})
