/** The "Test connection" button of a config node: posts what is typed and says the answer in words. */
import type { Fields } from '../settings/fields'

export interface TestButton {
  /** Below the editor, without a slash in front: it may be below a path of its own. */
  readonly url: string
  readonly fields: Fields
  readonly credentials: readonly string[]
  /** Finds the input of a setting or credential. */
  readonly input: (name: string) => JQuery
  /** Finds texts of the catalogue. */
  readonly text: (key: string) => string
}

export function prepareTest(node: EditorNode, { url, fields, credentials, input, text }: TestButton): void {
  const button = $('#eid-test')
  const answer = $('#eid-test-answer')
  const show = (words: string, outcome: string) => answer.text(words).attr('data-outcome', outcome)
  const typed = (name: string): [string, unknown] => [name, none(input(name).val())]
  // An answer is about what was typed then: it goes as soon as something else is.
  button.closest('.eid-form').on('input change', () => show('', ''))
  button.on('click', () => {
    const [settings, secrets] = [Object.keys(fields), credentials].map((names) => Object.fromEntries(names.map(typed)))
    button.prop('disabled', true)
    show(text('test.running'), 'running')
    $.ajax({
      url,
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify({ id: node.id, settings, credentials: secrets }),
    })
      .done((result: { ok: boolean; text: string }) => show(result.text, result.ok ? 'good' : 'bad'))
      .fail(() => show(text('test.notAllowed'), 'bad'))
      .always(() => button.prop('disabled', false))
  })
}

/** Node-RED's word for "no config node chosen". */
function none(value: unknown): unknown {
  return value === '_ADD_' ? '' : value
}
