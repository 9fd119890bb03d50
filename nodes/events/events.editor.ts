/** The form of "events". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './events.fields'

whenReady(({ createForm }) => {
  const form = createForm('events', fields, {})

  RED.nodes.registerType('eid-events', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 1,
    label() {
      const [type, ...further] = String(this.eventTypes ?? '').match(/[^\s,]+/g) ?? []
      return this.name || `${this._('label')}${type ? `: ${type}${further.length > 0 ? ' …' : ''}` : ''}`
    },
  })
})
