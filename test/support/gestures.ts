/** What a person may do to a flow in the editor, as the flows that are deployed one after the other. */

export type Config = Record<string, unknown>
export type Flow = readonly Config[]

/** The nodes that keep something; all are on the tab `f`, and use the client `c`. */
export const keepers = ['wait', 'batch', 'page', 'hook', 'events', 'alerts'] as const
type Keeper = (typeof keepers)[number]

const isKeeper = ({ id }: Config) => keepers.some((one) => one === id)
const withTab = (flow: Flow, more: Config) => flow.map((one) => (one.id === 'f' ? { ...one, ...more } : one))
const withNodes = (flow: Flow, more: Config) => flow.map((one) => (isKeeper(one) ? { ...one, ...more } : one))
const without = (flow: Flow, ...ids: string[]) => flow.filter(({ id }) => !ids.includes(String(id)))
const on = (tab: string, one: Config) => (one.z === 'f' ? { ...one, z: tab } : one)

/** The selection as a subflow with one instance, whose outputs lead to the collectors. */
const asSubflow = (flow: Flow): Config[] => [
  {
    id: 's',
    type: 'subflow',
    name: 'Contracts',
    in: [{ x: 1, y: 1, wires: [{ id: 'batch' }] }],
    out: keepers.map((id) => ({ x: 1, y: 1, wires: portsOf(id).map((port) => ({ id, port })) })),
  },
  ...flow.map((one): Config => {
    if (isKeeper(one)) return { ...one, z: 's', wires: [] }
    return one.id === 'set' ? { ...one, wires: [[], ['i'], [], ['ok']] } : one
  }),
  { id: 'i', z: 'f', x: 1, y: 1, type: 'subflow:s', wires: keepers.map((id) => [`to-${id}`]) },
]
const portsOf = (id: Keeper) => (id === 'page' ? [2] : id === 'batch' ? [0, 1] : [0])

const inGroup = (flow: Flow, more: Config = {}): Config[] => [
  { id: 'group', z: 'f', type: 'group', nodes: [...keepers], x: 1, y: 1, w: 9, h: 9, ...more },
  ...withNodes(flow, { g: 'group', ...more }),
]
/** Copies with new ids on another tab, wired to the same collectors. A copied *alerts* is meant to send a second time. */
const withCopies = (flow: Flow): Config[] => {
  const copies = flow.filter((one) => isKeeper(one) && one.id !== 'alerts')
  const wires = (id: unknown) => Array.from({ length: 3 }, () => [`to-${String(id)}-copy`])
  const collectors = flow.filter(({ id }) => copies.some((one) => id === `to-${String(one.id)}`))
  return [
    ...flow,
    { id: 'f-copy', type: 'tab', label: 'Leases' },
    ...copies.map((one) => ({ ...one, id: `${String(one.id)}-copy`, z: 'f-copy', wires: wires(one.id) })),
    ...collectors.map((one) => ({ ...one, id: `${String(one.id)}-copy`, z: 'f-copy' })),
  ]
}
const withClient = (flow: Flow, client: string): Config[] =>
  flow.map((one) => {
    if (one.id === 'c') return { ...one, id: client }
    return one.client === 'c' ? { ...one, client } : one
  })
const otherFlow = (flow: Flow): Config[] => [
  ...flow.filter(({ z, type }) => z === 'got-tab' || type === 'eid-store'),
  { id: 'got-tab', type: 'tab', label: 'Got' },
]

export interface Gesture {
  readonly name: string
  readonly deploys: readonly ((flow: Flow) => Config[])[]
  readonly type?: 'full' | 'nodes' | 'flows' | 'reload'
  /** Whether the deploys begin at the same moment. */
  readonly atOnce?: boolean
}

const same = (flow: Flow) => [...flow]

/** In the last flows of each gesture, everything continues. */
export const gestures: readonly Gesture[] = [
  { name: 'disable and enable the flow', deploys: [(flow) => withTab(flow, { disabled: true }), same] },
  { name: 'disable and enable the nodes', deploys: [(flow) => withNodes(flow, { d: true }), same], type: 'nodes' },
  {
    name: 'disable and enable a group',
    deploys: [(flow) => inGroup(flow, { d: true }), (flow) => inGroup(flow)],
    type: 'flows',
  },
  {
    name: 'disable and enable a node by modified nodes',
    deploys: [(flow) => withNodes(flow, { d: true }), same],
    type: 'flows',
  },
  {
    name: 'cut, deploy, and paste to another tab',
    deploys: [
      (flow) => without(flow, ...keepers),
      (flow) => [...flow.map((one) => (isKeeper(one) ? on('g', one) : one)), { id: 'g', type: 'tab', label: 'Other' }],
    ],
  },
  {
    name: 'cut and paste to another tab, and delete the old one',
    deploys: [(flow) => [{ id: 'g', type: 'tab', label: 'Other' }, ...without(flow, 'f').map((one) => on('g', one))]],
    type: 'nodes',
  },
  { name: 'delete, deploy and undo', deploys: [(flow) => without(flow, ...keepers), same] },
  {
    name: 'delete the flow, deploy and undo',
    deploys: [(flow) => flow.filter((one) => one.id !== 'f' && one.z !== 'f'), same],
    type: 'nodes',
  },
  { name: 'turn the selection into a subflow', deploys: [asSubflow] },
  // Node-RED leaves the nodes running that the deploy has moved into the subflow.
  { name: 'turn the selection into a subflow by modified nodes', deploys: [asSubflow], type: 'nodes' },
  { name: 'turn the selection into a subflow and back', deploys: [asSubflow, same], type: 'nodes' },
  { name: 'import over it', deploys: [(flow) => withNodes(flow, { name: 'imported' })], type: 'nodes' },
  { name: 'import copies of it', deploys: [withCopies] },
  { name: 'Restart Flows', deploys: [same], type: 'reload' },
  { name: 'switch to another project and back', deploys: [otherFlow, same] },
  {
    name: 'delete the client and make another one',
    deploys: [(flow) => without(flow, 'c'), (flow) => withClient(flow, 'c-new')],
  },
  { name: 'deploy three times in a row', deploys: [same, same, same] },
  { name: 'deploy twice at once', deploys: [(flow) => withNodes(flow, { name: 'one' }), same], atOnce: true },
]
