/** Shows the kinds as tick boxes, in place of the text in which they are stored. */
import { alertKinds, choosableKinds, noKinds, readKinds } from './kinds'

/** `input` holds the stored text and stays hidden; `text` looks up the words of the form. */
export function prepareKinds(input: JQuery, text: (key: string) => string): void {
  const { wanted } = readKinds(input.val())
  const group = $('<div role="group">').attr('aria-label', text('fields.kinds')).css({ marginLeft: 'var(--eid-label)' })
  for (const kind of choosableKinds) {
    const box = $('<input type="checkbox">').val(kind).prop('checked', wanted.has(kind))
    box.css({ width: 'auto', margin: '0 6px 0 0', verticalAlign: 'baseline' })
    const label = $('<label>').css({ width: 'auto', display: 'block', marginBottom: 2 })
    // The kind's name is short because it is also an e-mail's subject; the box for `failed` needs a longer text.
    const words = text(kind === 'failed' ? 'boxes.failed' : `kinds.${kind}`)
    group.append(label.append(box, document.createTextNode(words)))
  }
  group.on('change', () => {
    const ticked = choosableKinds.filter((kind) => group.find(`input[value="${kind}"]`).prop('checked') === true)
    // Someone who wants all kinds also wants the kinds that a later version adds.
    const isAll = ticked.length === alertKinds.length && alertKinds.every((kind) => ticked.some((one) => one === kind))
    input.val(isAll ? '' : ticked.join(',') || noKinds).trigger('change')
  })
  input.hide().after(group)
}
