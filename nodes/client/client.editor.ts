/** The form of the client. */
import { createForm } from '../../lib/editor/form'
import { fields } from './client.fields'

const eidForm = createForm('client', fields, { prefix: 'node-config-input' })

RED.nodes.registerType('eid-client', {
  category: 'config',
  defaults: __DEFAULTS__,
  credentials: __CREDENTIALS__,
  label() {
    return this.name || String(this.environment === 'live' ? this.baseUrl || this._('label') : this._('sandboxLabel'))
  },
  oneditprepare() {
    eidForm.prepare(this)
  },
})
