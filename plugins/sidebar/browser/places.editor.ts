/** The names of nodes, flows and clients as the editor shows them, and a way to jump to a node. */
import type { TabContext } from './tab-context.editor'
import { text } from './words.editor'

type Named = Readonly<Record<string, unknown>> & { readonly type: string; readonly name?: string; readonly z?: string }

/** Finds the first of these ids that the editor knows. It does not know the run-time ids of nodes inside a subflow. */
function find(places: readonly string[]): { id: string; node: Named } | undefined {
  for (const id of places) {
    const node = RED.nodes.node(id)
    if (node) return { id, node }
  }
  return undefined
}

/**
 * The flow and the name of a node, such as "Lease flow: wait for the tenant". `stored` is the name at the time of the
 * event, for a node that the editor no longer has.
 */
export function nodeName(places: readonly string[], stored: { type?: string; name?: string } = {}): string {
  const node = find(places)?.node
  const type = node?.type ?? stored.type ?? ''
  const set = type.replace(/^eid-/, '')
  const palette = `@eid-flows/node-red-eid/${set}:label`
  const label = set === '' ? '' : RED._(palette)
  const name = [node?.name, stored.name, label === palette ? type : label].find(Boolean)
  const flow = node?.z === undefined ? undefined : RED.nodes.workspace(node.z)?.label
  return [flow, name].filter(Boolean).join(': ')
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
