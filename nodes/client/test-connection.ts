/** The "Test connection" route: says in words whether the typed settings reach the service and get a token. */
import { variableIn } from '../../lib/environment'
import { toEidError } from '../../lib/runtime/errors'
import { isPlainObject } from '../../lib/runtime/body'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red'
import { createTranslate, type Translate } from '../../lib/runtime/texts'
import { fields } from './client.fields'
import { buildClient, findBaseUrl, type Secrets } from './settings'

/**
 * What the dialog sends: the id of the node, and the settings as typed. Stored secrets come as `has_…` or as the mask.
 */
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
    // A form on somebody else's page can send any other type with the browser's own login.
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return void response.status(415).end()
    void answer(RED, request, response)
  })
}

async function answer(RED: Runtime, request: HttpRequest, response: HttpResponse): Promise<void> {
  const translate = createTranslate(RED, 'client', fields)
  try {
    response.json(await test(RED, translate, readRequest(request.body)))
  } catch (thrown) {
    const error = toEidError(thrown, translate)
    response.json({ ok: false, text: error.message, code: error.code } satisfies TestAnswer)
  }
}

function readRequest(body: unknown): TestRequest {
  const { id, settings, credentials } = (body ?? {}) as { readonly [Part in keyof TestRequest]?: unknown }
  const plain = (part: unknown) => (isPlainObject(part) ? part : {})
  return { id: typeof id === 'string' ? id : undefined, settings: plain(settings), credentials: plain(credentials) }
}

async function test(RED: Runtime, translate: Translate, request: TestRequest): Promise<TestAnswer> {
  const typed = fillIn(RED, request)
  if (typed === 'elsewhere') return { ok: false, text: translate('test.secretElsewhere'), code: 'EID_CONFIG' }
  const { settings, secrets } = typed
  const limit = AbortSignal.timeout(20_000)
  const client = await buildClient(RED, { ...settings, retries: 0 }, secrets)
  try {
    const { lifetime } = await client.testToken(limit)
    const host = new URL(await findBaseUrl(settings)).host
    const minutes = Math.round(lifetime / 60)
    const scopes = String(request.settings.scopes ?? fields.scopes.initial)
      .trim()
      .split(/\s+/)
      .join(', ')
    return { ok: true, text: translate(scopes === '' ? 'test.okPlain' : 'test.ok', { host, minutes, scopes }) }
  } finally {
    await client.close()
  }
}

type Typed = Readonly<Record<string, unknown>>
interface Filled {
  readonly settings: Record<string, unknown>
  readonly secrets: Partial<Secrets>
}

/**
 * Puts in what is stored where the dialog shows only a mask, and values of the environment. Stored secrets go to the
 * stored addresses only: somebody who may open the editor must not be able to have them sent to a host of his own.
 * Whoever may deploy can read the environment anyway, and wants to test before deploying.
 */
function fillIn(RED: Runtime, { id, settings, credentials }: TestRequest): 'elsewhere' | Filled {
  const config = storedConfig(RED, id)
  const kept = typeof config.id === 'string' ? RED.nodes.getCredentials(config.id) : undefined
  const masked = credentials.clientSecret === mask
  if (masked && kept && !sameAddresses(config, settings)) return 'elsewhere'
  const secrets: Typed = { ...credentials, ...(masked && { clientSecret: kept?.clientSecret ?? '' }) }
  return { settings: withEnvironment(settings), secrets: withEnvironment(secrets) as Partial<Secrets> }
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
