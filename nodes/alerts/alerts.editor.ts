/** The form of "alerts". */
import { whenReady } from '../../lib/editor/ready'
import { timeOfDay, url } from '../../lib/settings/rules'
import { prepareEditorAddress } from './address.editor'
import { prepareKinds } from './kinds.editor'
import { fields } from './alerts.fields'

whenReady(({ createForm }) => {
  const form = createForm('alerts', fields, { timeOfDay, url })

  RED.nodes.registerType('eid-alerts', {
    ...__COMMON__(form),
    onadd() {
      // No client is chosen automatically: empty means all clients.
    },
    oneditprepare() {
      form.prepare(this)
      prepareKinds($('#node-input-kinds'), form.text)
      prepareEditorAddress($('#node-input-editorUrl'), form.text)
    },
    color: '#B496BC',
    inputs: 0,
    outputs: 1,
    label() {
      return this.name || this._('label')
    },
  })
})
