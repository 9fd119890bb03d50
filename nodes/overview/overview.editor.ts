/** The form of "overview". */
import { prepareAddress } from '../../lib/editor/public-address'
import { whenReady } from '../../lib/editor/ready'
import { pagePath } from '../../lib/settings/rules'
import { fields } from './overview.fields'
import { prepareUsers, saveUsers } from './users.editor'

whenReady(({ createForm }) => {
  const form = createForm('overview', fields, { pagePath })

  RED.nodes.registerType('eid-overview', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 0,
    outputs: 0,
    oneditprepare() {
      form.prepare(this)
      prepareAddress({ path: $('#node-input-path') }, form.text('address.copied'))
      prepareUsers(this, form.text)
    },
    oneditsave() {
      form.save(this)
      saveUsers(this)
    },
    label() {
      return this.name || `${this._('label')}: ${String(this.path ?? fields.path.initial)}`
    },
  })
})
