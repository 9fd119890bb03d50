/**
 * The flow files of earlier versions as they were stored. Each node can be started with the settings that its version
 * stored.
 */
import { createRequire } from 'node:module'
import type { NodeModule } from '../../lib/runtime/node/api-node'
import { filesBelow, nodeNames, read } from './house'
import { startFlow, type Flow } from './flow'

export interface StoredNode extends Record<string, unknown> {
  readonly id: string
  readonly type: string
}

/** The addresses of this test, which replace the addresses in the flow file. */
interface Places {
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
/** The header with which a request is allowed to read the page of "overview". */
export const overviewLogIn = { Authorization: `Basic ${btoa(overviewUser.join(':'))}` }
const secretsByType: Readonly<Record<string, object>> = {
  'eid-webhook': { secret: webhookSecret },
  'eid-overview': { users: overviewUser.join(' ') },
}

/** The flow file with the addresses of this test. */
export function placed(flow: readonly StoredNode[], { service, site }: Places): StoredNode[] {
  const text = JSON.stringify(flow)
    .replaceAll('http://127.0.0.1:18499', service)
    .replaceAll('http://127.0.0.1:1880', site)
  return JSON.parse(text) as StoredNode[]
}

/**
 * Starts the node with this id, with its stored settings and those of its client. A node without a client gets a client
 * that it does not use.
 */
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

/** Starts a node of this type with these settings and this client; a client without an address uses the sandbox. */
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
    // `undefined` removes what the flow under test sets by default.
    client: { retries: undefined, ...client, baseUrl: client.baseUrl || places.service },
    credentials,
    secrets: secretsByType[type],
    outputs: 3,
    modules: [site, ...core],
    more,
  })
}

/** Starts all nodes of the file at once, beside a node that the test adds. */
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
 * The node's own settings. Left out are the settings that the flow under test sets itself: those that Node-RED stores
 * for every node, and the client.
 */
export function settingsOf(node: StoredNode): Record<string, unknown> {
  // If the client is typed like other values (`clientType`), it belongs to the settings.
  const own = new Set(['id', 'type', 'z', 'x', 'y', 'wires', ...('clientType' in node ? [] : ['client'])])
  return Object.fromEntries(Object.entries(node).filter(([name]) => !own.has(name)))
}
