/** The form of the client. */
import { nodeForms } from '../../lib/editor/common-definition'
import { createForm } from '../../lib/editor/form'
import { showMissingColumns } from '../../lib/editor/missing-columns'
import { provide } from '../../lib/editor/ready'
import { prepareTest } from '../../lib/editor/test-button'
import { url } from '../../lib/settings/rules'
import { credentials, fields } from './client.fields'
import { adviseOnClient } from './advice.editor'
import { linkControlRoom } from './control-room.editor'
import { prepareScopes } from './scopes.editor'
import { closeSwitchQuestion, prepareSwitch } from './switch.editor'

const prefix = 'node-config-input'
const form = createForm('client', fields, { url }, { prefix })
const input = (name: string) => $(`#${prefix}-${name}`)

/**
 * Hides what the sandbox does not need: address, credentials, scopes and the test. Address and credentials are still
 * shown if they are filled in.
 */
function showEnvironment(): void {
  const live = input('environment').val() === 'live'
  $('[data-live]').toggle(live)
  for (const name of ['baseUrl', 'clientId', 'clientSecret']) {
    $(`[data-row="${name}"]`).toggle(live || Boolean(input(name).val()))
  }
  $('#eid-sandbox-tip').toggle(!live)
}

RED.nodes.registerType('eid-client', {
  category: 'config',
  defaults: __DEFAULTS__(form),
  credentials: __CREDENTIALS__,
  paletteLabel() {
    return this._('label')
  },
  label() {
    return this.name || String(this.environment === 'live' ? this.baseUrl || this._('label') : this._('sandboxLabel'))
  },
  oneditprepare() {
    form.prepare(this)
    prepareScopes(this, input('scopes'), form.text)
    const { text } = form
    prepareTest(this, { url: 'eid/client/test', fields, credentials: Object.keys(credentials), input, text })
    input('environment').on('change', showEnvironment)
    showEnvironment()
    linkControlRoom(input('baseUrl'))
    prepareSwitch(this, { input, text })
    // The client's own default is shown while the field is empty.
    input('timeout').attr('placeholder', 30)
  },
  oneditcancel: closeSwitchQuestion,
  oneditsave() {
    form.save(this)
    closeSwitchQuestion()
  },
})

provide({ createForm: nodeForms(adviseOnClient), showMissingColumns })
