/** The form of "request". */
import { whenReady } from '../../lib/editor/ready'
import { callPath } from '../../lib/settings/rules'
import { fields } from './request.fields'

const known = /^(GET|POST|PUT|PATCH|DELETE) +(\/.*)$/

/** If a call was chosen from the list or pasted, moves the method at its beginning to the field for the method. */
function splitCall(): void {
  const path = $('#node-input-path')
  const method = $('#node-input-method')
  path.on('change', () => {
    const [, verb = '', rest = ''] = known.exec(path.typedInput('value')) ?? []
    if (verb === '' || path.typedInput('type') !== 'str') return
    method.typedInput('type', 'str').typedInput('value', verb)
    path.typedInput('value', rest)
  })
}

whenReady(({ createForm }) => {
  const form = createForm('request', fields, { callPath })

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
    oneditprepare() {
      form.prepare(this)
      splitCall()
    },
  })
})
