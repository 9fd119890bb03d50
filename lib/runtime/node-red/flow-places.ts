/**
 * Which nodes are in the flows, running or disabled. Node-RED also closes a node as removed if it is only disabled,
 * moved, or made part of a subflow, so only the flows themselves tell whether a node was deleted.
 */
import type { NodeConfig, Runtime } from './node-red'

/** A node in the flows. A node in a subflow has one place for each instance of the subflow. */
export interface FlowPlace {
  /** The id under which the node runs. */
  readonly id: string
  readonly config: NodeConfig
  /** The label of the tab; empty if the node is on no tab. */
  readonly flow: string
  /** True if the node, its tab, or an instance of the subflow around it is disabled. */
  readonly isDisabled: boolean
}

type Host = Pick<Runtime, 'nodes'>

/** What is around a container of nodes. */
interface Around {
  /** The id of the subflow instance that the container is in. */
  readonly instances: readonly string[]
  /** The subflows that the container is in. */
  readonly within: readonly string[]
  readonly isOff: boolean
  readonly flow: string
}

/** All nodes of the active flows, by the ids under which they run. */
export function flowPlaces({ nodes }: Host): ReadonlyMap<string, FlowPlace> {
  const containers = new Map<string, NodeConfig[]>()
  const tabs: NodeConfig[] = []
  const subflows = new Set<string>()
  nodes.eachNode((config) => {
    if (config.type === 'tab') tabs.push(config)
    else if (config.type === 'subflow') subflows.add(config.id)
    else {
      const inside = containers.get(config.z ?? '') ?? []
      inside.push(config)
      containers.set(config.z ?? '', inside)
    }
  })
  const places = new Map<string, FlowPlace>()
  const add = (container: string, around: Around) => {
    const { instances, within, isOff, flow } = around
    for (const config of containers.get(container) ?? []) {
      const id = [...instances, config.id].join('-')
      const isDisabled = isOff || config.d === true
      places.set(id, { id, config, flow, isDisabled })
      const subflow = config.type.startsWith('subflow:') ? config.type.slice('subflow:'.length) : undefined
      // A subflow inside itself never runs.
      if (subflow === undefined || within.includes(subflow)) continue
      add(subflow, { instances: [id], within: [...within, subflow], isOff: isDisabled, flow })
    }
  }
  for (const { id, disabled, label } of tabs) {
    add(id, { instances: [], within: [], isOff: disabled === true, flow: typeof label === 'string' ? label : '' })
  }
  const known = new Set([...tabs.map(({ id }) => id), ...subflows])
  // Config nodes of all flows are on no tab. A node whose tab is missing does not run, but is in the flows.
  for (const z of containers.keys()) if (!known.has(z)) add(z, { instances: [], within: [], isOff: z !== '', flow: '' })
  return places
}

/** Whether the node is no longer in the flows. `removed` is what Node-RED says when it closes the node. */
export function isDeleted(RED: Host, { id }: { readonly id: string }, removed: boolean): boolean {
  return removed && !flowPlaces(RED).has(id)
}
