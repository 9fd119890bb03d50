/** The form of "request". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './request.fields'

whenReady(({ createForm }) => {
  const form = createForm('request', fields, {})

  RED.nodes.registerType('eid-request', {
    ...__COMMON__(form),
    color: '#A0A0A0',
    inputs: 1,
    outputs: 1,
    label() {
      return (
        this.name ||
        (this.pathType === 'str' && this.path ? `${String(this.method)} ${String(this.path)}` : this._('label'))
      )
    },
  })
})
