/** Types that the node tests share. */
import type { NodeModule } from '../../lib/runtime/node/api-node'

export type { FlowMessage, NodeStatus } from '../../lib/runtime/node-red/node-red'
export type NodeModuleLike = NodeModule
