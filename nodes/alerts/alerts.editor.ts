/** The form of "alerts". */
import { whenReady } from '../../lib/editor/ready'
import { timeOfDay } from '../../lib/settings/rules'
import { prepareKinds } from './kinds.editor'
import { fields } from './alerts.fields'

whenReady(({ createForm }) => {
  const form = createForm('alerts', fields, { timeOfDay })

  RED.nodes.registerType('eid-alerts', {
    ...__COMMON__(form),
    onadd() {
      // No client is chosen for it: empty means all of them.
    },
    oneditprepare() {
      form.prepare(this)
      prepareKinds($('#node-input-kinds'), form.text)
    },
    color: '#B496BC',
    inputs: 0,
    outputs: 1,
    label() {
      return this.name || this._('label')
    },
  })
})
