/** Finds the nodes that can be reached from a node through wires and links, including into subflows. */
import { flowPlaces } from './flow-places'
import type { NodeConfig, Runtime, RuntimeNode } from './node-red'

/** A node of the flow file, and the subflow instance in which it runs; `inside` is empty outside of subflows. */
interface Step {
  readonly id: string
  readonly inside: string
}

type Host = Pick<Runtime, 'nodes'>

interface Reached {
  /** The ids under which the nodes run. */
  readonly ids: ReadonlySet<string>
  /**
   * True if one of these nodes returns its message to the node that called its flow. From there, the message may reach
   * nodes to which no wire leads.
   */
  readonly returns: boolean
  /** True if wires lead from these nodes back to the start. */
  readonly comesBack: boolean
}

/**
 * The run-time ids of the nodes behind the first output of `start`. The search does not continue behind `start` itself.
 */
export function nodesReachedFrom(RED: Host, start: RuntimeNode): ReadonlySet<string> {
  return reach(RED, start, (wires) => idsIn(wires[0])).ids
}

/** False only if no output of `start` leads to the node `end`. */
export function mayLeadTo(RED: Host, start: RuntimeNode, end: RuntimeNode): boolean {
  const { ids, returns } = reach(RED, start, idsIn)
  return returns || ids.has(end.id)
}

/** False only if no Catch node leads to the node `end`. */
export function mayCatchFor(RED: Host, end: RuntimeNode): boolean {
  const catches = [...flowPlaces(RED).values()].filter(
    ({ config, isDisabled }) => config.type === 'catch' && !isDisabled,
  )
  return catches.some(({ id }) => {
    const found = RED.nodes.getNode(id)
    return !found || mayLeadTo(RED, found, end)
  })
}

/** False only if nothing behind the first output leads back to `start`, by a wire or by a Complete node. */
export function mayComeBack(RED: Host, start: RuntimeNode): boolean {
  const { ids, returns, comesBack } = reach(RED, start, (wires) => idsIn(wires[0]))
  if (returns || comesBack) return true
  const completes: RuntimeNode[] = []
  RED.nodes.eachNode(({ id, type, scope }) => {
    const node = type === 'complete' && idsIn(scope).some((one) => ids.has(one)) ? RED.nodes.getNode(id) : undefined
    if (node) completes.push(node)
  })
  return completes.some((node) => mayLeadTo(RED, node, start))
}

function reach(RED: Host, start: RuntimeNode, outputs: (wires: readonly unknown[]) => string[]): Reached {
  const configs = new Map<string, NodeConfig>()
  RED.nodes.eachNode((config) => void configs.set(config.id, config))
  const inside = start._alias === undefined ? '' : (start.z ?? '')
  const reached = new Set([start.id])
  const after = (step: Step) => stepsAfter(configs, step)
  const wires = configs.get(start._alias ?? start.id)?.wires
  const next = Array.isArray(wires) ? outputs(wires).map((id) => ({ id, inside })) : []
  let returns = false
  let comesBack = false
  // A message that leaves the subflow continues behind the subflow's instance.
  if (inside !== '') next.push(...after({ id: inside, inside: '' }))
  for (let step = next.pop(); step; step = next.pop()) {
    const runs = runningId(step)
    comesBack ||= runs === start.id
    if (reached.has(runs)) continue
    reached.add(runs)
    returns ||= configs.get(step.id)?.mode === 'return'
    next.push(...after(step))
  }
  reached.delete(start.id)
  return { ids: reached, returns, comesBack }
}

/** The id that Node-RED gives to a running node inside a subflow. */
const runningId = ({ id, inside }: Step) => (inside === '' ? id : `${inside}-${id}`)

/** The next steps from a node. A link may lead to a node in the same subflow instance or out of it. */
function stepsAfter(configs: ReadonlyMap<string, NodeConfig>, step: Step): Step[] {
  const config = configs.get(step.id)
  // A disabled node does not run.
  if (!config || config.d === true) return []
  const { type, wires, links } = config
  const linked = /^link (out|call)$/.test(type) ? idsIn(links) : []
  const ahead = [...idsIn(wires), ...linked]
  const within = type.startsWith('subflow:') ? entriesOf(configs.get(type.slice('subflow:'.length))) : []
  return [
    ...ahead.map((id) => ({ id, inside: step.inside })),
    ...(step.inside === '' ? [] : linked.map((id) => ({ id, inside: '' }))),
    ...within.map((id) => ({ id, inside: runningId(step) })),
  ]
}

function entriesOf(subflow: NodeConfig | undefined): string[] {
  const entries = Array.isArray(subflow?.in) ? (subflow.in as unknown[]) : []
  const wired = entries.flatMap((one) => (one as { wires?: unknown } | null)?.wires ?? [])
  return wired.flatMap((one) => idsIn((one as { id?: unknown } | null)?.id))
}

function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.flatMap(idsIn) : []
}
