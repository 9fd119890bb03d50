/** The "Test connection" route: says in words whether the typed settings reach the service and get a token. */
import { toEidError } from '../../lib/runtime/api-node'
import { isPlainObject } from '../../lib/runtime/body'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red'
import { createSay, type Say } from '../../lib/runtime/texts'
import { fields } from './client.fields'
import { buildAgents, buildClient, findBaseUrl, type Secrets } from './settings'

/** What the dialog sends: the id of the node, and the settings as typed. Stored secrets come as `has_…` or as the mask. */
interface TestRequest {
  readonly id?: string
  readonly settings: Record<string, unknown>
  readonly credentials: Partial<Secrets>
}

export interface TestAnswer {
  readonly ok: boolean
  readonly text: string
  readonly code?: string
}

const mask = '__PWRD__'

/** Registers `POST eid/client/test`, for people who may deploy. */
export function registerTestRoute(RED: Runtime): void {
  RED.httpAdmin.post('/eid/client/test', RED.auth.needsPermission('eid.write'), (request, response) => {
    void answer(RED, request, response)
  })
}

async function answer(RED: Runtime, request: HttpRequest, response: HttpResponse): Promise<void> {
  const say = createSay(RED, 'client')
  try {
    response.json(await test(RED, say, readRequest(request.body)))
  } catch (thrown) {
    const error = toEidError(thrown, say)
    response.json({ ok: false, text: error.message, code: error.code } satisfies TestAnswer)
  }
}

function readRequest(body: unknown): TestRequest {
  const { id, settings, credentials } = (body ?? {}) as { readonly [Part in keyof TestRequest]?: unknown }
  const plain = (part: unknown) => (isPlainObject(part) ? part : {})
  return { id: typeof id === 'string' ? id : undefined, settings: plain(settings), credentials: plain(credentials) }
}

async function test(RED: Runtime, say: Say, request: TestRequest): Promise<TestAnswer> {
  const typed = fillIn(RED, request)
  if ('refused' in typed) return { ok: false, text: say(typed.refused, typed.params), code: 'EID_CONFIG' }
  const { settings, secrets } = typed
  const agents = buildAgents(RED, settings)
  const limit = AbortSignal.timeout(20_000)
  try {
    const client = await buildClient({ ...settings, retries: 0 }, secrets, agents)
    const { lifetime } = await client.testToken(limit)
    const host = new URL(await findBaseUrl(settings)).host
    const minutes = Math.round(lifetime / 60)
    return {
      ok: true,
      text: say('test.ok', { host, minutes, scopes: String(settings.scopes ?? fields.scopes.initial) }),
    }
  } finally {
    agents.close()
  }
}

type Typed = Readonly<Record<string, unknown>>
interface Refused {
  readonly refused: string
  readonly params?: Readonly<Record<string, string>>
}

/**
 * Puts in what is stored: secrets where the dialog shows only a mask, and values of the environment where the deployed client refers to them
 * in the same words. Both go to the stored addresses only: somebody who may open the editor must not be able to have them sent to a host of
 * his own, or told in an answer.
 */
function fillIn(RED: Runtime, request: TestRequest): Refused | { settings: Typed; secrets: Partial<Secrets> } {
  const { id, settings, credentials } = request
  const config = storedConfig(RED, id)
  const kept = typeof config.id === 'string' ? RED.nodes.getCredentials(config.id) : undefined
  const masked = credentials.clientSecret === mask
  const home = sameAddresses(config, settings)
  if (masked && kept && !home) return { refused: 'test.secretElsewhere' }
  const wanted: Typed = { ...credentials, ...(masked && { clientSecret: kept?.clientSecret ?? '' }) }
  const foreign = foreignVariable(settings, home ? config : {}) ?? foreignVariable(wanted, home ? (kept ?? {}) : {})
  if (foreign !== undefined) return { refused: 'test.variableElsewhere', params: { name: foreign } }
  return { settings: withEnvironment(settings), secrets: withEnvironment(wanted) as Partial<Secrets> }
}

/** The name of a variable that `typed` refers to and `stored` does not, in the same place. */
function foreignVariable(typed: Typed, stored: Typed): string | undefined {
  const [, value] = Object.entries(typed).find(([name, one]) => variableIn(one) && one !== stored[name]) ?? []
  return variableIn(value)
}

function storedConfig(RED: Runtime, id: string | undefined): Record<string, unknown> {
  let found: Record<string, unknown> = {}
  RED.nodes.eachNode((config) => {
    if (id !== undefined && config.id === id && config.type === 'eid-client') found = config
  })
  return found
}

function sameAddresses(stored: Record<string, unknown>, typed: Record<string, unknown>): boolean {
  const same = (name: 'baseUrl' | 'tokenUrl' | 'proxy' | 'tls' | 'environment') =>
    String(stored[name] ?? fields[name].initial) === String(typed[name] ?? fields[name].initial)
  return (['baseUrl', 'tokenUrl', 'proxy', 'tls', 'environment'] as const).every(same)
}

/** Node-RED fills in `${NAME}` when flows start; what is typed in an open dialog has not been through that. */
function withEnvironment(typed: Typed): Record<string, unknown> {
  const entries = Object.entries(typed).map(([name, value]) => [name, process.env[variableIn(value) ?? ''] ?? value])
  return Object.fromEntries(entries) as Record<string, unknown>
}

function variableIn(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\$\{([^}]+)\}$/.exec(value)?.[1] : undefined
}
