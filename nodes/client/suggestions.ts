/** The "suggestions" route: returns lists that the service publishes, for the forms of the nodes. */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import type { OperationName } from '../../lib/api/operations/operations'
import type { ServiceList } from '../../lib/settings/fields'
import { findClient, type ClientNode } from '../../lib/runtime/node-red/client-node'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import type { Answer } from '../../lib/api/call/call'
import { listAt, textAt, textOf } from '../../lib/runtime/values/read-text'
import { knownCalls } from './known-calls'

const operations: Readonly<Record<ServiceList, OperationName>> = {
  themes: 'listThemes',
  spinners: 'listSpinners',
  methods: 'listSignatureMethods',
  languages: 'listIdentificationLanguages',
  providers: 'listIdProviders',
  deposits: 'listDeposits',
}

const keepFor = 5 * 60_000
/**
 * Milliseconds for which the list of deposits is cached: only briefly, because deposits change while a person builds a
 * flow.
 */
const keepDepositsFor = 20_000
/** The maximum number of deposits that the service returns at once. */
const mostDeposits = 1000
const waitFor = 5_000

interface CachedList {
  readonly until: number
  readonly values: Promise<readonly Suggested[]>
}

/** A value, or a value with a description. */
type Suggested = string | { readonly value: string; readonly label: string }

/**
 * Registers `GET eid/suggestions/<client id>/<list>`, which returns an array of texts, or of values with descriptions.
 * The list `calls` comes from the table of calls, all other lists from the service. If the client is not deployed or
 * the service does not answer, the array is empty, and the form offers its own values.
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

/** Returns the cached list, or requests it from the service; a failed response is not cached. */
async function lookUp(
  RED: Runtime,
  cache: WeakMap<ClientNode, Map<string, CachedList>>,
  id: string,
  list: ServiceList,
): Promise<readonly Suggested[]> {
  const node = findClient(RED, id)
  const lists = cache.get(node) ?? new Map<string, CachedList>()
  cache.set(node, lists)
  const known = lists.get(list)
  if (known && known.until > Date.now()) return known.values
  const values = ask(node, list)
  lists.set(list, { until: Date.now() + (list === 'deposits' ? keepDepositsFor : keepFor), values })
  values.catch(() => lists.delete(list))
  return values
}

async function ask(node: ClientNode, list: ServiceList): Promise<readonly Suggested[]> {
  const client = await node.connect()
  const limits = { timeout: waitFor, signal: AbortSignal.timeout(waitFor) }
  if (list === 'deposits')
    return depositsIn(await client.send('listDeposits', { query: { limit: mostDeposits }, ...limits }))
  const { data } = await client.send(operations[list], limits)
  return Array.isArray(data) ? data.map(entryName).filter((name) => name !== '') : []
}

/** Open deposits, most recent first, with their tenants and status. */
function depositsIn({ data }: Answer): Suggested[] {
  return listAt(data, 'data')
    .filter((one) => textAt(one, 'id') !== '' && textAt(one, 'status') !== 'TERMINATED')
    .reverse()
    .map((one) => {
      const tenants = listAt(one, 'tenants').map(
        (tenant) => `${textAt(tenant, 'firstName')} ${textAt(tenant, 'lastName')}`,
      )
      const value = textAt(one, 'id')
      const status = textAt(one, 'status')
      return { value, label: [tenants.join(', ').trim(), status, value].filter((part) => part !== '').join(' · ') }
    })
}

/**
 * Returns the text that a request needs for an entry: the entry itself if it is a text, otherwise a property of the
 * entry.
 */
function entryName(entry: unknown): string {
  if (typeof entry === 'string') return entry
  const { type, id, name } = (entry ?? {}) as Record<string, unknown>
  return textOf(type ?? id ?? name)
}
