/** The form of "embed". */
import { whenReady } from '../../lib/editor/ready'
import { origins, pagePath, positive, url } from '../../lib/settings/rules'
import { fields } from './embed.fields'

whenReady(({ createForm }) => {
  const form = createForm('embed', fields, { origins, pagePath, positive, url })

  RED.nodes.registerType('eid-embed', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 3,
    outputLabels(index: number) {
      return form.text(`outputs.${['message', 'final', 'page'][index] ?? ''}`)
    },
    label() {
      return this.name || `${this._('label')}: ${String(this.path ?? fields.path.initial)}`
    },
  })
})
