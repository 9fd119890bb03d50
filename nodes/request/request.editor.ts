/** The form of "request". */
import { whenReady } from '../../lib/editor/ready'
import { callPath } from '../../lib/settings/rules'
import { fields } from './request.fields'

const known = /^(GET|POST|PUT|PATCH|DELETE) +(\/.*)$/

/** Splits a call that was chosen from the list or pasted, because it contains its method. */
function splitCall(): void {
  const [path, method] = [$('#node-input-path'), $('#node-input-method')]
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
