/** The "Test connection" button of a config node: posts the typed values and shows the result in words. */
import type { Fields } from '../settings/fields'
import { postJson } from './post-json'

interface TestButton {
  /** The route that tests the connection, without a leading slash. */
  readonly url: string
  readonly fields: Fields
  readonly credentials: readonly string[]
  /** Returns the input of a setting or credential. */
  readonly input: (name: string) => JQuery
  /** Looks up texts of the catalog. */
  readonly text: (key: string) => string
}

export function prepareTest(node: EditorNode, { url, fields, credentials, input, text }: TestButton): void {
  const button = $('#eid-test')
  const answer = $('#eid-test-answer')
  const show = (words: string, outcome: string) => answer.text(words).attr('data-outcome', outcome)
  const typed = (name: string): [string, unknown] => [name, none(input(name).val())]
  // A result belongs to the values that were typed at the time, so it disappears as soon as one of them changes.
  button.closest('.eid-form').on('input change', () => show('', ''))
  button.on('click', () => {
    const [settings, secrets] = [Object.keys(fields), credentials].map((names) => Object.fromEntries(names.map(typed)))
    button.prop('disabled', true)
    show(text('test.running'), 'running')
    postJson(url, { id: node.id, settings, credentials: secrets })
      .done((result: { ok: boolean; text: string }) => show(result.text, result.ok ? 'good' : 'bad'))
      .fail(() => show(text('test.notAllowed'), 'bad'))
      .always(() => button.prop('disabled', false))
  })
}

/** Replaces `_ADD_`, Node-RED's value for "no config node chosen", with an empty text. */
function none(value: unknown): unknown {
  return value === '_ADD_' ? '' : value
}
