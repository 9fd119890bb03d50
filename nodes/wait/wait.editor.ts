/** The form of "wait". */
import { whenReady } from '../../lib/editor/ready'
import { dayList, positive, timeOfDay } from '../../lib/settings/rules'
import { prepareReminders } from './remind-dates.editor'
import { defaultIdOf, fields, type Goal } from './wait.fields'

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
      prepareId(input('resourceId'), input('what'), form.text('idIfEmpty'))
    },
    outputLabels(index: number) {
      return form.text(`outputs.${['done', 'ended', 'expired'][index] ?? ''}`)
    },
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'what')}`
    },
  })
})

/** Shows in the empty setting which property of the message contains the id. `words` contains the place of its name. */
function prepareId(id: JQuery, what: JQuery, words: string): void {
  const show = () => {
    const isUsed = id.typedInput('type') === 'msg'
    id.nextAll('.red-ui-typedInput-container')
      .first()
      .find('.red-ui-typedInput-input')
      .attr('placeholder', isUsed ? words.replace('__name__', defaultIdOf(what.val() as Goal)) : '')
  }
  id.on('change', show)
  what.on('change', show)
  show()
}
