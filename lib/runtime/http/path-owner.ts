/** The node to which a public path belongs: whether it still claims the path after a deploy, and its name for people. */
import { normalPath } from '../../common/public-path'
import { flowLabel } from '../node-red/flow-label'
import type { NodeConfig, Runtime, RuntimeNode } from '../node-red/node-red'
import { createTranslate } from '../node-red/texts'

export type PathOwner = Pick<RuntimeNode, 'id' | 'type' | 'name' | 'z'>

/**
 * True if the node that had this path is still in the deployed flows with this path. It has been stopped and will start
 * again, so the path is not free.
 */
export function keepsPath(RED: Runtime, node: PathOwner, path: string): boolean {
  const configs = new Map<string, NodeConfig>()
  RED.nodes.eachNode((config) => void configs.set(config.id, config))
  const config = configs.get(node.id)
  if (!config || config.d === true || configs.get(config.z ?? '')?.disabled === true) return false
  return typeof config.path === 'string' && normalPath(config.path) === path
}

/** The node's name, or the name of its kind, and the label of its flow, as parameters of a text. */
export function ownerParams(RED: Runtime, { type, name, z }: PathOwner): { node: string; flow: string } {
  const kind = createTranslate(RED, type.replace(/^eid-/, ''), {})('label')
  return { node: name || kind, flow: flowLabel(RED, { z }) || '–' }
}
