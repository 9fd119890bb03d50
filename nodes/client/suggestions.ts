/** The "suggestions" route: the lists that the service publishes, for the forms of the nodes. */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import type { OperationName } from '../../lib/api/operations/operations'
import type { ServiceList } from '../../lib/settings/fields'
import { findClient, type ClientNode } from '../../lib/runtime/node-red/client-node'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { knownCalls } from './known-calls'

const operations: Readonly<Record<ServiceList, OperationName>> = {
  themes: 'listThemes',
  spinners: 'listSpinners',
  methods: 'listSignatureMethods',
  languages: 'listIdentificationLanguages',
  providers: 'listIdProviders',
}

const keepFor = 5 * 60_000
const waitFor = 5_000

interface CachedList {
  readonly until: number
  readonly values: Promise<readonly string[]>
}

/**
 * Registers `GET eid/suggestions/<client id>/<list>`, which answers with an array of strings: the list `calls` from the
 * table of calls, the others as the service gives them. It is empty when the
 * client is not deployed or the service does not say: the form then offers what it has of its own.
 */
export function registerSuggestionsRoute(RED: Runtime): void {
  const cache = new WeakMap<ClientNode, Map<string, CachedList>>()
  RED.httpAdmin.get('/eid/suggestions/:client/:list', ...editorOnly(RED, 'eid.read'), (request, response) => {
    const { client = '', list = '' } = request.params
    const none = () => response.json([])
    if (list === 'calls') return response.json(knownCalls())
    if (!isList(list)) return none()
    void lookUp(RED, cache, client, list).then((values) => response.json(values), none)
  })
}

function isList(name: string): name is ServiceList {
  return Object.hasOwn(operations, name)
}

/** Asks the service at most once in some minutes; an answer that failed is not kept. */
async function lookUp(
  RED: Runtime,
  cache: WeakMap<ClientNode, Map<string, CachedList>>,
  id: string,
  list: ServiceList,
): Promise<readonly string[]> {
  const node = findClient(RED, id)
  const lists = cache.get(node) ?? new Map<string, CachedList>()
  cache.set(node, lists)
  const known = lists.get(list)
  if (known && known.until > Date.now()) return known.values
  const values = ask(node, list)
  lists.set(list, { until: Date.now() + keepFor, values })
  values.catch(() => lists.delete(list))
  return values
}

async function ask(node: ClientNode, list: ServiceList): Promise<readonly string[]> {
  const client = await node.connect()
  const { data } = await client.send(operations[list], { timeout: waitFor, signal: AbortSignal.timeout(waitFor) })
  return Array.isArray(data) ? data.map(nameOf).filter((name) => name !== '') : []
}

/** The value that a request carries: an entry is that text itself or an object that names it. */
function nameOf(entry: unknown): string {
  if (typeof entry === 'string') return entry
  const { type, id, name } = (entry ?? {}) as Record<string, unknown>
  const value = type ?? id ?? name
  return typeof value === 'string' ? value : ''
}
