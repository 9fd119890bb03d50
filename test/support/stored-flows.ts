/** The flow files of earlier versions, as they were stored: each node can be started as its version left it. */
import { createRequire } from 'node:module'
import type { NodeModule } from '../../lib/runtime/node/api-node'
import { filesBelow, nodeNames, read } from './house'
import { startFlow, type Flow } from './flow'

export interface StoredNode extends Record<string, unknown> {
  readonly id: string
  readonly type: string
}

/** Where the addresses in the flow file lead in this test. */
export interface Places {
  readonly service: string
  readonly site: string
}

export const fixtures = filesBelow('test/fixtures', '.json').filter((path) => /flows-[\d.]+\.json$/.test(path))
export const load = (path: string) => JSON.parse(read(path)) as StoredNode[]

const require = createRequire(__filename)
const core = ['05-tls', '06-httpproxy'].map((file) => require(`@node-red/nodes/core/network/${file}.js`) as NodeModule)
const modules = new Map<string, NodeModule>(
  nodeNames.map((name) => [`eid-${name}`, require(`../../nodes/${name}/${name}`) as NodeModule]),
)
const credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
export const webhookSecret = 'our secret'
const overviewUser = ['kari', 'correct horse']
/** Lets a request through to the page of "overview". */
export const overviewLogIn = { Authorization: `Basic ${btoa(overviewUser.join(':'))}` }
const secretsByType: Readonly<Record<string, object>> = {
  'eid-webhook': { secret: webhookSecret },
  'eid-overview': { users: overviewUser.join(' ') },
}

/** The flow file with its addresses led to the places of this test. */
export function placed(flow: readonly StoredNode[], { service, site }: Places): StoredNode[] {
  const text = JSON.stringify(flow)
    .replaceAll('http://127.0.0.1:18499', service)
    .replaceAll('http://127.0.0.1:1880', site)
  return JSON.parse(text) as StoredNode[]
}

/** Starts the node with this id and its client, or one that it has no need of, with all that is stored of them. */
export async function startStored(flow: readonly StoredNode[], id: string, places: Places, site: NodeModule) {
  const nodes = placed(flow, places)
  const find = (wanted: unknown) => nodes.find((one) => one.id === wanted)
  const node = find(id)
  if (!node) throw new Error(`nothing is stored as "${id}"`)
  return startSettings(
    node.type,
    settingsOf(node),
    settingsOf(find(node.client) ?? find('client-set') ?? node),
    places,
    site,
    {
      more: nodes.filter(({ type }) => type === 'tls-config' || type === 'http proxy'),
    },
  )
}

/**
 * Starts a node of this type with these settings and this client; a client without an address is led to the sandbox.
 */
export function startSettings(
  type: string,
  settings: object,
  client: Record<string, unknown>,
  places: Places,
  site: NodeModule,
  { more = [] }: { more?: readonly object[] } = {},
): Promise<Flow> {
  const module = modules.get(type)
  if (!module) throw new Error(`there is no node "${type}"`)
  return startFlow({
    type,
    module,
    settings,
    // Undefined takes away what the flow under test sets by itself.
    client: { retries: undefined, ...client, baseUrl: client.baseUrl || places.service },
    credentials,
    secrets: secretsByType[type],
    outputs: 3,
    modules: [site, ...core],
    more,
  })
}

/** Starts everything that the file holds at once, beside a node of ours. */
export function startWhole(flow: readonly StoredNode[], places: Places, site: NodeModule): Promise<Flow> {
  const nodes = placed(flow, places).filter(({ type }) => type !== 'tab')
  const others = [...modules].filter(([type]) => type !== 'eid-client' && type !== 'eid-request')
  const request = modules.get('eid-request')
  if (!request) throw new Error('there is no request node')
  return startFlow({
    type: 'eid-request',
    module: request,
    modules: [site, ...core, ...others.map(([, module]) => module)],
    more: nodes.map((node) => ({ ...node, ...(node.z === 'stored' && { z: 'f' }) })),
  })
}

/**
 * The settings alone: what Node-RED itself stores of a node, and which client it has, is left to the flow under test.
 */
export function settingsOf(node: StoredNode): Record<string, unknown> {
  // Where the client is a value like others, it has a type.
  const own = new Set(['id', 'type', 'z', 'x', 'y', 'wires', ...('clientType' in node ? [] : ['client'])])
  return Object.fromEntries(Object.entries(node).filter(([name]) => !own.has(name)))
}
