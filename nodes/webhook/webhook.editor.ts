/** The form of "webhook". */
import { whenReady } from '../../lib/editor/ready'
import { pagePath, url } from '../../lib/settings/rules'
import { prepareAddress } from '../../lib/editor/public-address'
import { fields } from './webhook.fields'

whenReady(({ createForm }) => {
  const form = createForm('webhook', fields, { pagePath, url })

  RED.nodes.registerType('eid-webhook', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 1,
    oneditprepare() {
      form.prepare(this)
      const input = (name: string) => $(`#node-input-${name}`)
      prepareAddress({ path: input('path'), publicUrl: input('publicUrl') }, form.text('address.copied'))
    },
    label() {
      return this.name || `${this._('label')}: ${String(this.path ?? fields.path.initial)}`
    },
  })
})
