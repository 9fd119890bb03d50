/**
 * "Send a test" below a form: sends one document or share with the settings as typed, whether deployed or not, to an
 * address entered here.
 */
import { passwordMask } from '../common/limits'
import type { FormContext } from './form-context'
import { postJson } from './post-json'

/** The fields in which the user enters the recipient of the test. */
type Part = 'email' | 'mobileCountryCode' | 'mobileNumber'

export interface SendTestOptions {
  readonly parts: readonly Part[]
  /** Returns the data that takes the place of a message in the test: a list and a row number. */
  readonly standIn?: () => object
}

interface SendTestForm extends SendTestOptions {
  /** The node's folder name. */
  readonly set: string
  /** The chosen client's id. */
  readonly client: () => string
  /** All settings of the form, as they would be stored. */
  readonly settings: () => Record<string, unknown>
  readonly context: FormContext
}

/** Milliseconds after an answer until the button can be pressed again. */
const restMs = 600

interface Answer {
  readonly ok: boolean
  readonly text: string
  readonly url?: string
  readonly ask?: boolean
}

/** Adds "Send a test" at the end of the open form. */
export function prepareSendTest(form: JQuery, { set, parts, standIn, client, settings, context }: SendTestForm): void {
  const { common } = context
  const words = (key: string) => common(`sendTest.${key}`)
  const container = $('<details class="eid-send-test">')
    .append($('<summary>').text(words('title')))
    .appendTo(form)
  $('<div class="form-tips">').text(words('tip')).appendTo(container)
  const inputs = parts.map((part) => addInput(container, part, words(part)))
  const button = $('<button type="button" class="red-ui-button">').text(words('button'))
  const answer = $('<div class="eid-answer" role="status" aria-live="polite">')
  const link = $('<a target="_blank" rel="noopener">').text(words('open')).hide()
  container.append(button, answer, link)
  let key = newKey()
  let live = false
  const show = (text: string, outcome: string, url?: string) => {
    answer.text(text).attr('data-outcome', outcome)
    link.attr('href', url ?? '').toggle(url !== undefined)
  }
  // The user has confirmed only the previous input, so any new input has to be confirmed again.
  const forget = () => {
    live = false
    button.text(words('button'))
  }
  form.on('input', forget)
  button.on('click', () => {
    if (button.prop('disabled')) return
    button.prop('disabled', true)
    show(words('sending'), '')
    const to = Object.fromEntries(parts.map((part, index) => [part, inputs[index]?.val()]))
    const order = { set, key, live, to, settings: settings(), client: clientOf(client()) }
    postJson('eid/send-test', { ...standIn?.(), ...order })
      .done(({ ok, text, url, ask }: Answer) => {
        show(text, ok ? 'good' : ask ? '' : 'bad', /^https?:/.test(url ?? '') ? url : undefined)
        forget()
        live = ask === true
        if (live) button.text(words('confirm'))
        else key = newKey()
      })
      .fail(({ status }) => show(words(status === 401 || status === 403 ? 'notAllowed' : 'failed'), 'bad'))
      // The response can arrive between the two clicks of a double click, so the button stays disabled a little longer.
      .always(() => setTimeout(() => button.prop('disabled', false), restMs))
  })
}

function addInput(container: JQuery, part: Part, label: string): JQuery {
  const id = `eid-send-test-${part}`
  const row = $('<div class="form-row">').appendTo(container)
  $('<label>').attr('for', id).text(label).appendTo(row)
  return $('<input type="text">').attr('id', id).appendTo(row)
}

/** A key for each test, so that the server sends the test only once, however often it is requested. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-')
}

/** The client as it is in the editor, whether deployed or not. */
function clientOf(id: string) {
  const node = RED.nodes.node(id)
  const { defaults, credentials: names } = RED.nodes.getType('eid-client')
  const typed = (node?.credentials ?? {}) as Record<string, unknown>
  const settings = Object.keys(defaults).map((name) => [name, node?.[name]])
  const secrets = Object.keys(names ?? {}).map((name) => [name, typed[name] ?? passwordMask])
  const asObject = (entries: unknown[][]) => Object.fromEntries(entries) as Record<string, unknown>
  return { id, settings: asObject(settings), credentials: asObject(secrets) }
}
