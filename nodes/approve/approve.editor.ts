/** The form of "approve". */
import { whenReady } from '../../lib/editor/ready'
import { dayList, email, pagePath, positive, timeOfDay, url } from '../../lib/settings/rules'
import { fields } from './approve.fields'
import { prepareIds, saveIds } from './approver-ids.editor'
import { faults } from './faults.editor'

whenReady(({ createForm }) => {
  const rules = { dayList, email, pagePath, positive, timeOfDay, url }
  const form = createForm('approve', fields, rules, { ready: prepareIds, alsoWrong: faults })

  RED.nodes.registerType('eid-approve', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 4,
    oneditsave() {
      saveIds(this)
      form.save(this)
    },
    outputLabels(index: number) {
      return form.text(`outputs.${['approved', 'rejected', 'expired', 'notice'][index] ?? ''}`)
    },
    label() {
      return this.name || this._('label')
    },
  })
})
