/** Finds out whether an error that Catch nodes received is only shown in the debug sidebar, where no one sees it at night. */
import type { NodeConfig, Runtime } from '../../lib/runtime/node-red/node-red'
import { nodesReachedFrom } from '../../lib/runtime/node-red/reached-nodes'
import type { Clock } from '../../lib/store/clock'

/** Nodes that do nothing with an error but pass it on or show it. */
const idle: ReadonlySet<string> = new Set(['debug', 'junction', 'link in', 'link out'])

/**
 * For how long an answer is remembered, in milliseconds: many errors may come at once, and a deploy may change the
 * wires.
 */
const keepMs = 10_000

/** Returns `isOnlyShown` for the flows of this Node-RED. */
export function createOnlyShown(RED: Pick<Runtime, 'nodes'>, clock: Pick<Clock, 'now'>): (nodeId: string) => boolean {
  const answers = new Map<string, boolean>()
  let since = -Infinity
  return (nodeId) => {
    if (clock.now() - since >= keepMs) {
      answers.clear()
      since = clock.now()
    }
    const known = answers.get(nodeId)
    if (known !== undefined) return known
    const answer = isOnlyShown(RED, nodeId)
    answers.set(nodeId, answer)
    return answer
  }
}

/**
 * True if the Catch nodes that may have received the error of this node lead to debug nodes, and to nothing else. In
 * doubt false: a Catch node for a group or for uncaught errors counts as one that may have received it, a Catch node
 * that leads nowhere silences the error on purpose, and the errors of a node in a subflow may reach other flows.
 */
function isOnlyShown(RED: Pick<Runtime, 'nodes'>, nodeId: string): boolean {
  const configs = new Map<string, NodeConfig>()
  RED.nodes.eachNode((config) => void configs.set(config.id, config))
  const failed = configs.get(nodeId)
  const catches = [...configs.values()].filter((one) => failed && one.z === failed.z && mayCatch(one, nodeId))
  return catches.length > 0 && catches.every(({ id }) => leadsToDebug(RED, configs, id))
}

function mayCatch({ type, scope, d }: NodeConfig, nodeId: string): boolean {
  return type === 'catch' && d !== true && (!Array.isArray(scope) || scope.includes(nodeId))
}

function leadsToDebug(RED: Pick<Runtime, 'nodes'>, configs: ReadonlyMap<string, NodeConfig>, catchId: string): boolean {
  const start = RED.nodes.getNode(catchId)
  const reached = start ? [...nodesReachedFrom(RED, start)].map((id) => configs.get(id)) : []
  // A disabled node gets nothing.
  const types = reached.flatMap((one) => (one?.d === true ? [] : [one?.type ?? '']))
  return types.includes('debug') && types.every((type) => idle.has(type))
}
