/** The "Test connection" button: posts what is typed and says the answer in words. */
import type { Fields } from '../../lib/fields'

/** `input` finds the input of a setting or credential; `text` finds texts of the catalogue. */
export function prepareTest(
  node: EditorNode,
  fields: Fields,
  input: (name: string) => JQuery,
  text: (key: string) => string,
): void {
  const button = $('#eid-test')
  const answer = $('#eid-test-answer')
  const show = (words: string, outcome: string) => answer.text(words).attr('data-outcome', outcome)
  // An answer is about what was typed then: it goes as soon as something else is.
  button.closest('.eid-form').on('input change', () => show('', ''))
  button.on('click', () => {
    const typed = (name: string): [string, unknown] => [name, none(input(name).val())]
    const settings = Object.fromEntries(Object.keys(fields).map(typed))
    const credentials = Object.fromEntries(['clientId', 'clientSecret'].map(typed))
    button.prop('disabled', true)
    show(text('test.running'), 'running')
    // A relative address: the editor may be below a path of its own.
    $.ajax({
      url: 'eid/client/test',
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify({ id: node.id, settings, credentials }),
    })
      .done((given: { ok: boolean; text: string }) => show(given.text, given.ok ? 'good' : 'bad'))
      .fail(() => show(text('test.notAllowed'), 'bad'))
      .always(() => button.prop('disabled', false))
  })
}

/** Node-RED's word for "no config node chosen". */
function none(value: unknown): unknown {
  return value === '_ADD_' ? '' : value
}
