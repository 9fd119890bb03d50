/** Names of nodes, flows and clients as in the editor, and a way to jump to a node. */
import type { TabContext } from './tab-context.editor'
import { text } from './words.editor'

type Named = Readonly<Record<string, unknown>> & { readonly type: string; readonly name?: string; readonly z?: string }

/** The first of these ids that the editor knows, because nodes inside a subflow have run-time ids. */
function find(places: readonly string[]): { id: string; node: Named } | undefined {
  for (const id of places) {
    const node = RED.nodes.node(id)
    if (node) return { id, node }
  }
  return undefined
}

/** "Lease flow: wait for the tenant"; `stored` is the name at the time of the event. */
export function nodeName(places: readonly string[], stored: { type?: string; name?: string } = {}): string {
  const node = find(places)?.node
  const type = node?.type ?? stored.type ?? ''
  const set = type.replace(/^eid-/, '')
  const palette = `@eid-flows/node-red-eid/${set}:label`
  const label = set === '' ? '' : RED._(palette)
  const name = [node?.name, stored.name, label === palette ? type : label].find(
    (one) => one !== undefined && one !== '',
  )
  const flow = node?.z === undefined ? undefined : RED.nodes.workspace(node.z)?.label
  return [flow, name].filter((part) => part !== undefined && part !== '').join(': ')
}

/** The client's name; without one, its type. */
export function clientName(id: string): string {
  const node = find([id])?.node
  if (!node) return ''
  if (node.name !== undefined && node.name !== '') return node.name
  const isSandbox = node.environment !== 'live'
  return text(isSandbox ? 'clients.sandbox' : 'clients.live')
}

/** With a single client, its name is not needed. */
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
