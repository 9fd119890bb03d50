/**
 * Shows in the form on which dates reminders would be sent for a document that arrives today. Also shows if a previous
 * node makes the service send reminders, because this node then sends none.
 */
import { datesAfter, daysIn, momentOf, timeIn, type ReminderDays } from '../../lib/common/reminder-dates'

interface ReminderInputs {
  readonly after: JQuery
  readonly at: JQuery
  readonly days: JQuery
}

/** Adds the line with the dates below the three settings; `text` looks up a text of the node's catalog. */
export function prepareReminders(node: EditorNode, inputs: ReminderInputs, text: (key: string) => string): void {
  const place = inputs.after.closest('.eid-form').find('.eid-reminders')
  const show = () => {
    const words = wordsFor(inputs, text)
    const remindedBy = words === '' ? undefined : remindingNode(node, String($('#node-input-client').val() ?? ''))
    const both = remindedBy && text('reminders.both').replace('__node__', nodeLabel(remindedBy))
    place.text([words, both].filter(Boolean).join(' ')).attr('hidden', words === '' ? 'hidden' : null)
  }
  inputs.after.closest('.eid-form').on('change input', () => void setTimeout(show))
  show()
}

/** Returns the dates in words; empty if the days are unknown here, are invalid, or do not apply. */
function wordsFor({ after, at, days }: ReminderInputs, text: (key: string) => string): string {
  const isHere = after.typedInput('type') === 'str' && after.closest('.form-row').css('display') !== 'none'
  const counts = isHere ? daysIn(after.typedInput('value')) : undefined
  const time = at.typedInput('type') === 'str' ? at.typedInput('value') : ''
  if (!counts || (time !== '' && !timeIn(time))) return ''
  const language = text('reminders.language')
  // The parts of a date are formatted one by one: "Thursday, November 26, Monday, November 30" is hard to read.
  const formats = [{ weekday: 'long' } as const, { day: 'numeric', month: 'long' } as const].map(
    (parts) => new Intl.DateTimeFormat(language, parts),
  )
  const dates = datesAfter(new Date(), counts, String(days.val()) as ReminderDays).map((date) =>
    formats.map((format) => format.format(momentOf(date, '12:00'))).join(' '),
  )
  const list = new Intl.ListFormat(language).format(dates)
  return text('reminders.dates')
    .replace('__dates__', list)
    .replace('__at__', time === '' ? text('reminders.messageTime') : time)
}

/** Returns a previous node whose documents get reminders from the service itself. */
function remindingNode(node: EditorNode, client: string): EditorNode | undefined {
  const before = RED.nodes.getAllUpstreamNodes?.(node) ?? []
  return before.find(
    (one) =>
      one.type === 'eid-create-document' && one.client === client && Boolean(one.remindOn ?? '') && one.d !== true,
  )
}

const nodeLabel = (node: EditorNode) => node.name || node._('label')
