/** Finds out whether an error that Catch nodes received is only shown in the debug sidebar, where no one sees it at night. */
import type { NodeConfig, Runtime } from '../../lib/runtime/node-red/node-red'
import { nodesReachedFrom } from '../../lib/runtime/node-red/reached-nodes'

/** Nodes that do nothing with an error but pass it on or show it. */
const idle: ReadonlySet<string> = new Set(['debug', 'junction', 'link in', 'link out'])

/**
 * True if all Catch nodes that may have received the error of this node lead to debug nodes only. A Catch node
 * that leads nowhere silences the error on purpose. False for a node in a subflow, whose errors may reach the Catch nodes
 * of several flows.
 */
export function isOnlyShown(RED: Pick<Runtime, 'nodes'>, nodeId: string): boolean {
  const configs = new Map<string, NodeConfig>()
  RED.nodes.eachNode((config) => void configs.set(config.id, config))
  const failed = configs.get(nodeId)
  const catches = [...configs.values()].filter((one) => failed && one.z === failed.z && mayCatch(one, nodeId))
  // A Catch node for errors that no other one handles receives nothing if there is another one.
  const first = catches.filter(({ uncaught }) => uncaught !== true)
  const received = first.length > 0 ? first : catches
  return received.length > 0 && received.every(({ id }) => isIdle(RED, configs, id))
}

/** Whether a Catch node may receive the errors of this node. Of a group, this is not known, so it may. */
function mayCatch({ type, scope, d }: NodeConfig, nodeId: string): boolean {
  return type === 'catch' && d !== true && (!Array.isArray(scope) || scope.includes(nodeId))
}

function isIdle(RED: Pick<Runtime, 'nodes'>, configs: ReadonlyMap<string, NodeConfig>, catchId: string): boolean {
  const start = RED.nodes.getNode(catchId)
  const reached = start ? [...nodesReachedFrom(RED, start)] : []
  return reached.length > 0 && reached.every((id) => idle.has(configs.get(id)?.type ?? ''))
}
