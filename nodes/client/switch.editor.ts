/**
 * Asks before a client in use is switched to another service: shows what depends on the client, and what will happen.
 */
import { fields } from './client.fields'

/** The client's pending waits; undefined until the server has returned them. */
interface Pending {
  readonly count: number
}

interface Service {
  readonly environment: string
  readonly baseUrl: string
}

interface Form {
  readonly input: (name: string) => JQuery
  readonly text: (key: string) => string
}

let notice: EditorNotification | undefined

/** Closes the question about switching the service when the form closes. */
export function closeSwitchQuestion(): void {
  notice?.close()
  notice = undefined
}

/**
 * Prepares the question that appears when a person switches a client to another service, if the client is deployed and
 * in use. Once the person has agreed to switch, the question does not appear again, and the address can be changed
 * freely.
 */
export function prepareSwitch(node: EditorNode, form: Form): void {
  closeSwitchQuestion()
  const deployed = deployedService(node.id)
  const users = usersOf(node.id)
  if (!deployed || users === 0) return
  let pending: Pending | undefined
  let isDecided = false
  $.getJSON(`eid/waiting/${encodeURIComponent(node.id)}`)
    .done((found: Pending) => (pending = found))
    .fail(() => undefined)
  const { input } = form
  const ask = () => {
    if (isDecided || notice || isSame(typed(input), deployed)) return
    const put = (service: Service) => {
      input('baseUrl').val(service.baseUrl)
      input('environment').val(service.environment).trigger('change')
    }
    notice = question(form, { users, pending, service: typed(input) }, (isSwitched) => {
      closeSwitchQuestion()
      if (!isSwitched) return put(deployed)
      isDecided = true
      input('name')
        .val(suggestedName(String(input('name').val()), typed(input), form.text))
        .trigger('change')
        .trigger('focus')
    })
  }
  input('environment').add(input('baseUrl')).on('change', ask)
}

function question(
  { text }: Form,
  { users, pending, service }: { users: number; pending: Pending | undefined; service: Service },
  decide: (isSwitched: boolean) => void,
): EditorNotification {
  const fill = (key: string, count: number) =>
    text(`switch.${key}${count === 1 ? 'One' : ''}`).replace('__count__', String(count))
  const waits = pending === undefined ? text('switch.notCounted') : pending.count > 0 && fill('waits', pending.count)
  const kind = service.environment === 'live' ? 'toLive' : 'toSandbox'
  const lines = [text('switch.title'), fill('nodes', users), text(`switch.${kind}`), waits, text('switch.advice')]
  const content = $('<div>')
  for (const line of lines) if (line) $('<p>').text(line).appendTo(content)
  const made = RED.notify(content, {
    modal: true,
    fixed: true,
    type: 'warning',
    buttons: [
      { text: text('switch.keep'), class: 'eid-keep', click: () => decide(false) },
      { text: text('switch.switch'), class: 'eid-switch', click: () => decide(true) },
    ],
  })
  // The focus is on the button that changes nothing.
  window.setTimeout(() => $('.red-ui-notification .eid-keep').trigger('focus'))
  return made
}

const typed = (input: Form['input']): Service => ({
  environment: String(input('environment').val()),
  baseUrl: String(input('baseUrl').val()).trim(),
})

function isSame(one: Service, other: Service): boolean {
  const bare = ({ baseUrl }: Service) => baseUrl.replace(/\/+$/, '')
  return one.environment === other.environment && bare(one) === bare(other)
}

/** The service of the deployed client; undefined if it was never deployed, or is live and has no address yet. */
function deployedService(id: string): Service | undefined {
  const deployed = (RED.nodes.originalFlow() ?? []).find((one) => one.id === id)
  if (!deployed) return undefined
  const { environment = fields.environment.initial, baseUrl = '' } = deployed
  if (environment === 'live' && !baseUrl) return undefined
  return { environment: String(environment), baseUrl: String(baseUrl).trim() }
}

function usersOf(id: string): number {
  let count = 0
  RED.nodes.eachNode((one) => void (one.client === id && count++))
  return count
}

/** Suggests a name that shows the service: "Live" for a client without a name of its own, "Oslo (Live)" for "Oslo". */
function suggestedName(name: string, { environment }: Service, text: Form['text']): string {
  const names = { live: text('switch.names.live'), sandbox: text('switch.names.sandbox') }
  const [wanted, other] = environment === 'live' ? [names.live, names.sandbox] : [names.sandbox, names.live]
  const bare = name.replace(` (${other})`, '').trim()
  if (bare === '' || bare === other || bare === wanted) return wanted
  return bare.includes(wanted) ? bare : `${bare} (${wanted})`
}
