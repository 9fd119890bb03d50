/** Names the editor tab that a node is on, even inside subflows. */
import type { NodeConfig, Runtime } from './node-red'

/** The label of the tab that contains the node; empty if unknown. */
export function flowLabel(RED: Runtime, { z }: Pick<NodeConfig, 'z'>): string {
  const configs = new Map<string, NodeConfig>()
  RED.nodes.eachNode((config) => void configs.set(config.id, config))
  let container = configs.get(z ?? '')
  // A subflow instance is on a tab or in another subflow. The number of steps is limited to the number of nodes.
  for (let steps = 0; container && container.type !== 'tab' && steps < configs.size; steps++)
    container = configs.get(container.z ?? '')
  return typeof container?.label === 'string' ? container.label : ''
}
