/** The form of "wait". */
import { whenReady } from '../../lib/editor/ready'
import { dayList, positive, timeOfDay } from '../../lib/settings/rules'
import { prepareReminders } from './remind-dates.editor'
import { fields } from './wait.fields'

whenReady(({ createForm }) => {
  const form = createForm('wait', fields, { dayList, positive, timeOfDay })

  RED.nodes.registerType('eid-wait', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 1,
    outputs: 3,
    oneditprepare() {
      form.prepare(this)
      const input = (name: string) => $(`#node-input-${name}`)
      const inputs = { after: input('remindAfter'), at: input('remindAt'), days: input('remindDays') }
      prepareReminders(this, inputs, form.text)
    },
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'ended', 'expired'][index] ?? ''}`)
    },
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'what')}`
    },
  })
})
