/** The form of the client. */
import { alike } from '../../lib/editor/alike'
import { createForm } from '../../lib/editor/form'
import { provide } from '../../lib/editor/ready'
import { url } from '../../lib/rules'
import { fields } from './client.fields'
import { prepareScopes } from './scopes.editor'
import { prepareTest } from './test-button.editor'

const prefix = 'node-config-input'
const form = createForm('client', fields, { url }, prefix)
const input = (name: string) => $(`#${prefix}-${name}`)

/** The sandbox needs no address and no credentials; they are shown there only when somebody has filled them in. */
function showEnvironment(): void {
  const live = input('environment').val() === 'live'
  for (const name of ['baseUrl', 'clientId', 'clientSecret']) {
    $(`[data-row="${name}"]`).toggle(live || Boolean(input(name).val()))
  }
  $('#eid-sandbox-tip').toggle(!live)
}

RED.nodes.registerType('eid-client', {
  category: 'config',
  defaults: __DEFAULTS__(form),
  credentials: __CREDENTIALS__,
  label() {
    return this.name || String(this.environment === 'live' ? this.baseUrl || this._('label') : this._('sandboxLabel'))
  },
  oneditprepare() {
    form.prepare(this)
    prepareScopes(this, input('scopes'), form.text)
    prepareTest(this, fields, input, form.text)
    input('environment').on('change', showEnvironment)
    showEnvironment()
  },
})

provide({ createForm, alike })
