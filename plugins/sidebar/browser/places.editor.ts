/** The names of nodes, flows and clients as the editor shows them, and a way to jump to a node. */
import type { TabContext } from './tab-context.editor'
import { text } from './words.editor'

type Named = Readonly<Record<string, unknown>> & { readonly type: string; readonly name?: string; readonly z?: string }

/**
 * Finds the first of these ids that the editor knows. A node inside a subflow runs under an id that begins with the id
 * of the subflow's instance and ends with its own: then `id` is the one of the instance, and `instance` is set.
 */
function find(places: readonly string[]): { id: string; node: Named; instance?: EditorNode } | undefined {
  for (const id of places) {
    const known = RED.nodes.node(id)
    if (known) return { id, node: known }
    const own = id.slice(id.lastIndexOf('-') + 1)
    const node = RED.nodes.node(own)
    const instance = RED.nodes.node(id.slice(0, Math.max(id.indexOf('-'), 0)))
    if (node) return instance ? { id: instance.id, node, instance } : { id: own, node }
  }
  return undefined
}

/**
 * The flow and the name of a node, such as "Lease flow: wait for the tenant". `stored` is the name at the time of the
 * event, for a node that the editor no longer has.
 */
export function nodeName(places: readonly string[], stored: { type?: string; name?: string } = {}): string {
  const { node, instance } = find(places) ?? {}
  const type = node?.type ?? stored.type ?? ''
  const set = type.replace(/^eid-/, '')
  const palette = `@eid-flows/node-red-eid/${set}:label`
  const label = set === '' ? '' : RED._(palette)
  const name = [node?.name, stored.name, label === palette ? type : label].find(Boolean)
  const z = (instance ?? node)?.z
  const flow = z === undefined ? undefined : RED.nodes.workspace(z)?.label
  return [flow, instance && RED.utils.getNodeLabel(instance), name].filter(Boolean).join(': ')
}

/** The client's name; for a client without a name, whether it uses the sandbox or the live service. */
export function clientName(id: string): string {
  const node = find([id])?.node
  if (!node) return ''
  if (node.name) return node.name
  const isSandbox = node.environment !== 'live'
  return text(isSandbox ? 'clients.sandbox' : 'clients.live')
}

/** Whether there are several clients. The name of a single client is not shown. */
export function hasSeveralClients(): boolean {
  let count = 0
  RED.nodes.eachConfig(({ type }) => {
    if (type === 'eid-client') count++
    return true
  })
  return count > 1
}

export function showNode(tab: Pick<TabContext, 'announce'>, places: readonly string[]): void {
  const found = find(places)
  if (!found) return tab.announce(text('nodeGone'))
  RED.view.reveal(found.id)
}
