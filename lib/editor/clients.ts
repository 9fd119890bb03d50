/**
 * What all nodes do about their client: a new node gets one, and the form and the canvas show why a client does not fit.
 */
import type { FormParts } from './form-context'
import { inOneGo } from './in-one-go'

/** What a person should know about the client of a node. Each part is a sentence, or empty. */
export interface ClientAdvice {
  /** Why the node can't work with this client. */
  readonly wrong: string
  /**
   * What may be a mistake. A function, because it looks at all nodes: the check of the canvas, which asks for every
   * node, would otherwise take time with the square of their number.
   */
  hint(): string
}

/** Judges a node by its settings, as stored or as typed. */
export type AdviseOnClient = (node: EditorNode) => ClientAdvice

let opened: { readonly form: JQuery; readonly node: EditorNode } | undefined
/** Marks a form until it is closed. While the form of the client is open, the node's form is not in the page. */
const mark = 'eid-open'

/** Returns the node whose form is open, with its settings as typed; undefined if no such form is open. */
export function openNode(): EditorNode | undefined {
  return opened?.form.data(mark) === true ? opened.node : undefined
}

const usesClient = (type: string) => RED.nodes.getType(type).defaults.client?.type === 'eid-client'

/** Shows the advice below the client in the open form, and follows what is typed. */
export function showAdvice({ node, input }: FormParts, advise: AdviseOnClient): void {
  if (!usesClient(node.type)) return
  const select = input('client')
  const form = select.closest('.eid-form')
  const hint = $('<div class="eid-word-hint" role="status">').appendTo(select.closest('.form-row'))
  const typed = (_node: EditorNode, name: string): unknown => {
    const one = form.find(`#node-input-${name}`)
    if (one.length === 0) return node[name]
    return one.is(':checkbox') ? one.prop('checked') : one.val()
  }
  opened = { form: form.data(mark, true), node: new Proxy(node, { get: typed }) }
  const show = (at: EditorNode) => {
    const { wrong, hint: doubt } = advise(at)
    hint.text([wrong, doubt()].join(' ').trim())
  }
  const update = inOneGo(form, () => opened && show(opened.node))
  form.on('change input', update)
  update()
}

/**
 * Marks a node on the canvas if its client does not fit. A validator takes the place of Node-RED's own check of a
 * config node, so this one also reports what that check reports.
 */
export function checkClient(type: string, advise: AdviseOnClient): void {
  const { client } = RED.nodes.getType(type).defaults
  if (!client || !usesClient(type)) return
  client.validate = function (id, { label }) {
    const fault = (key: string) => RED._(`validator.errors.${key}`, { prop: label })
    if (!id || id === '_ADD_') return client.required !== true || fault('missing-required-prop')
    const chosen = RED.nodes.node(String(id))
    if (!chosen || chosen.valid === false) return fault(chosen ? 'invalid-config' : 'missing-config')
    const at = openNode()
    return advise(at?.id === this.id ? at : this).wrong || true
  }
}

/**
 * The `onadd` of a node: chooses the sandbox's client, or the only client there is. Creates a client for the sandbox if
 * there is no client.
 */
export function chooseClient(node: EditorNode): void {
  // A setting named `client` need not be a reference to a client node: in "pending" it is a filter.
  if (node.client || RED.nodes.getType(node.type).defaults.client?.type !== 'eid-client') return
  const clients: EditorNode[] = []
  RED.nodes.eachConfig((one) => {
    if (one.type === 'eid-client' && !one.z && !one.d) clients.push(one)
    return true
  })
  const sandbox = clients.find((one) => one.environment !== 'live')
  if (sandbox ?? clients.length === 1) node.client = (sandbox ?? clients[0])?.id
  else if (clients.length === 0) node.client = makeClient()
}

function makeClient(): string {
  const id = RED.nodes.id()
  const settings = Object.entries(RED.nodes.getType('eid-client').defaults).map(([name, { value }]) => [name, value])
  RED.nodes.import([{ ...Object.fromEntries(settings), id, type: 'eid-client' }])
  return id
}
