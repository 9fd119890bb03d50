/** Chooses a client for a newly dropped node, so that the node works at once. */

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
