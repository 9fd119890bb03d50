/** Says whether a node's client fits: its scopes, and whether the other nodes of the flow use the same service. */
import type { ClientAdvice } from '../../lib/editor/clients'
import { neededScopes } from './needs'

const text = (key: string) => RED._(`@eid-flows/node-red-eid/client:misfit.${key}`)
/** The client's service; undefined without a client. */
const serviceOf = ({ client }: EditorNode) => {
  const chosen = RED.nodes.node(String(client))
  return chosen?.type === 'eid-client' ? chosen.environment === 'live' : undefined
}

export function adviseOnClient(node: EditorNode): ClientAdvice {
  const missing = missingScopes(node).join(', ')
  return {
    wrong: missing && text('scopes').replace('__scopes__', missing),
    hint: () => hintAbout(node),
  }
}

/** Says that the client itself is invalid, or else names the nodes of the flow that use the other service. */
function hintAbout(node: EditorNode): string {
  if (RED.nodes.node(String(node.client))?.valid === false) return text('invalid')
  const others: string[] = []
  const isLive = serviceOf(node)
  RED.nodes.eachNode((one) => {
    if (one.z === node.z && one.id !== node.id && !one.d && serviceOf(one) === !isLive)
      others.push(RED.utils.getNodeLabel(one))
  })
  // The hint shows that something is left to do; it need not list a whole flow.
  if (others.length > 3) others.splice(3, others.length, '…')
  if (isLive === undefined || !others[0]) return ''
  return text(isLive ? 'sandbox' : 'live').replace('__nodes__', () => others.join(', '))
}

/**
 * The scopes that the node can't do without and its client does not request. Empty in the sandbox, and if the client
 * requests no particular scopes, because the service then decides.
 */
function missingScopes(node: EditorNode): string[] {
  const client = RED.nodes.node(String(node.client))
  const scopes = String(client?.scopes ?? '').split(/\s+/)
  if (!serviceOf(node) || !scopes[0] || scopes[0].includes('${')) return []
  return neededScopes([node], scopes)
}
