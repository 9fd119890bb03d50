/** The form of "archive". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './archive.fields'

whenReady(({ createForm, showMissingColumns }) => {
  const form = createForm('archive', fields, {}, { ready: showMissingColumns })

  RED.nodes.registerType('eid-archive', {
    ...__COMMON__(form),
    color: '#6BAA94',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || (this.operation === 'check' ? form.choice(this, 'operation') : this._('label'))
    },
  })
})
