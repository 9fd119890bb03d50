/** The form of the shared store. */
import { whenReady } from '../../lib/editor/ready'
import { prepareTest } from '../../lib/editor/test-button'
import { postgres } from '../../lib/settings/rules'
import { credentials, fields } from './store.fields'

const prefix = 'node-config-input'

whenReady(({ createForm }) => {
  const form = createForm('store', fields, { postgres }, { prefix })
  const input = (name: string) => $(`#${prefix}-${name}`)

  RED.nodes.registerType('eid-store', {
    category: 'config',
    defaults: __DEFAULTS__(form),
    credentials: __CREDENTIALS__,
    paletteLabel() {
      return this._('label')
    },
    label() {
      // The address may contain a password.
      return this.name || this._('label')
    },
    oneditprepare() {
      form.prepare(this)
      prepareTest(this, {
        url: 'eid/store/test',
        fields,
        credentials: Object.keys(credentials),
        input,
        text: form.text,
      })
    },
    oneditsave() {
      form.save(this)
    },
  })
})
