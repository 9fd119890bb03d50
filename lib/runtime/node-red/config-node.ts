/** Finds a config node of Node-RED that a person has chosen, such as a proxy. */
import { configError } from '../../api/errors/errors'
import type { NodeConfig, Runtime, RuntimeNode } from './node-red'

/**
 * The chosen node; undefined if no node is chosen. Throws EID_CONFIG with the node's name if the node is not running:
 * without it, the call would leave another way than the person wants.
 */
export function findConfigNode<T extends RuntimeNode>(RED: Runtime, id: unknown, kind: 'proxy' | 'tls'): T | undefined {
  if (typeof id !== 'string' || id === '') return undefined
  const node = RED.nodes.getNode(id) as T | null | undefined
  if (!node) throw configError(`${kind}Gone`, { name: configName(RED, id) })
  return node
}

/** The name as people see it. Of a node that is in no flow, only the id is known. */
function configName(RED: Runtime, id: string): string {
  const found: NodeConfig[] = []
  const { eachNode } = RED.nodes as Partial<Runtime['nodes']>
  eachNode?.((config) => config.id === id && found.push(config))
  return found[0]?.name || id
}
