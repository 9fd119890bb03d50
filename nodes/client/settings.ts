/** Reads the stored settings of a client and builds the HTTP client they describe. */
import { withoutSlashes } from '../../lib/common/trim'
import type { ConnectionOptions } from 'node:tls'
import { checkUrl } from '../../lib/api/operations/addresses'
import type { ApiClient } from '../../lib/api/client'
import { nextTurn } from '../../lib/common/event-loop'
import { configError } from '../../lib/api/errors/errors'
import { scopes } from '../../lib/api/operations/operations'
import { environmentProxy, type FindProxy, type Proxy } from '../../lib/api/http/proxy'
import type { ClientSettings } from '../../lib/runtime/node-red/client-node'
import { findConfigNode } from '../../lib/runtime/node-red/config-node'
import type { NodeConfig, Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import { refuseUnset } from '../../lib/runtime/values/values'
import { fields } from './client.fields'

interface Secrets {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Returns a text setting, or its default if the flow file lacks it. Throws EID_CONFIG if the text is still `${NAME}`.
 */
function textSetting(config: Record<string, unknown>, name: keyof typeof fields): string {
  return resolved(name, String(config[name] ?? fields[name].initial))
}

/** Returns `value`. Throws EID_CONFIG if it is a variable that Node-RED could not replace. */
function resolved(field: string, value: string): string {
  refuseUnset(field, value)
  return value
}

/** Returns the facts about the client that other nodes need. */
export function readSettings(config: NodeConfig): ClientSettings {
  const plain = (name: keyof typeof fields) => String(config[name] ?? fields[name].initial)
  const words = (name: keyof typeof fields) => plain(name).split(/\s+/).filter(Boolean)
  return {
    environment: plain('environment'),
    service: serviceOf(plain('environment'), plain('baseUrl').trim()),
    sharePaths: plain('sharePaths'),
    uploadPath: plain('uploadPath'),
    shareNames: plain('shareNames'),
    recipientFiles: plain('recipientFiles'),
    signatureOrigins: words('signatureOrigins'),
    identificationOrigins: words('identificationOrigins'),
    timeout: numberSetting(config, 'timeout'),
  }
}

/**
 * Returns a text that identifies the service of a client. For a client without an address, the text is the environment,
 * because the port of the simulated service changes with each start.
 */
function serviceOf(environment: string, baseUrl: string): string {
  if (baseUrl === '') return environment
  return withoutSlashes(URL.canParse(baseUrl) ? new URL(baseUrl).href : baseUrl)
}

/**
 * Returns a valid number from the flow file; otherwise undefined, so that the default applies. A variable that is not
 * set counts as no number, so that the client starts; `buildClient` reports it.
 */
function numberSetting(config: Record<string, unknown>, name: 'timeout' | 'retries' | 'concurrency', least = 0.001) {
  const stored = config[name]
  // `Number` would turn other values that no form produces, such as `null`, into 0.
  const isWritten = typeof stored === 'number' || (typeof stored === 'string' && stored.trim() !== '')
  const value = isWritten ? Number(stored) : NaN
  return value >= least ? value : undefined
}

/**
 * Returns the address of the service: the configured address, or the address of the simulated service, which is started
 * on first use.
 */
export async function findBaseUrl(config: Record<string, unknown>): Promise<string> {
  const live = textSetting(config, 'environment') === 'live'
  const stored = textSetting(config, 'baseUrl').trim()
  if (stored) return withoutSlashes(checkUrl(stored, 'baseUrl', live).href)
  if (live) throw configError('baseUrl')
  // Loaded on first use, because most flows never need the simulated service, and it would slow down the start.
  const { sharedSandbox } = await import('../../sandbox/index.js')
  return (await sharedSandbox()).url
}

/** Builds the client. In the sandbox, the sandbox's own credentials are used if none are filled in. */
export async function buildClient(
  RED: Runtime,
  config: Record<string, unknown>,
  secrets: Partial<Secrets>,
): Promise<ApiClient> {
  const { name: _label, ...used } = fields
  for (const name of Object.keys(used)) refuseUnset(name, config[name])
  const baseUrl = await findBaseUrl(config)
  const live = textSetting(config, 'environment') === 'live'
  const typed = { clientId: secrets.clientId ?? '', clientSecret: secrets.clientSecret ?? '' }
  const { clientId, clientSecret } = live || typed.clientId ? typed : { clientId: 'sandbox', clientSecret: 'sandbox' }
  if (!clientId || !clientSecret) throw configError('credentials')
  const tokenUrl = textSetting(config, 'tokenUrl').trim()
  // The client is loaded only on first use, because the HTTP libraries are the largest part of the package. Each
  // library is loaded in a separate turn of the event loop.
  await import('undici')
  await nextTurn()
  const { createClient } = await import('../../lib/api/client.js')
  return createClient({
    baseUrl,
    tokenUrl: tokenUrl ? checkUrl(tokenUrl, 'tokenUrl', live).href : undefined,
    clientId: resolved('clientId', clientId),
    clientSecret: resolved('clientSecret', clientSecret),
    scopes: scopesOf(textSetting(config, 'scopes'), live),
    timeout: numberSetting(config, 'timeout'),
    retries: numberSetting(config, 'retries', 0),
    concurrency: numberSetting(config, 'concurrency', 1),
    findProxy: proxyOf(RED, config),
    tls: tlsOf(RED, config),
  })
}

/**
 * Returns the scopes to request. In the sandbox no scope needs to be ticked: as long as no scope is chosen, the client
 * requests all of them.
 */
function scopesOf(stored: string, live: boolean): readonly string[] {
  const chosen = stored.split(/\s+/).filter(Boolean)
  return live || chosen.length > 0 ? chosen : scopes
}

interface TlsNode extends RuntimeNode {
  addTLSOptions(options: ConnectionOptions): void
}

interface ProxyNode extends RuntimeNode {
  url: string
  noproxy?: string[]
}

/** True if the client uses the simulated service of this process. */
const isOwnSandbox = (config: Record<string, unknown>) =>
  textSetting(config, 'environment') !== 'live' && textSetting(config, 'baseUrl').trim() === ''

/** Returns the chosen proxy; if no proxy is chosen, the one from the environment. */
function proxyOf(RED: Runtime, config: Record<string, unknown>): FindProxy {
  const node = findConfigNode<ProxyNode>(RED, config.proxy, 'proxy')
  // The simulated service is in this process: no proxy reaches it.
  if (isOwnSandbox(config)) return () => undefined
  const fixed = node && readProxy(node)
  return (url) => fixed ?? environmentProxy(url, process.env, RED.settings.proxyOptions)
}

function tlsOf(RED: Runtime, config: Record<string, unknown>): ConnectionOptions {
  const tls: ConnectionOptions = {}
  findConfigNode<TlsNode>(RED, config.tls, 'tls')?.addTLSOptions(tls)
  return tls
}

function readProxy(node: ProxyNode): Proxy {
  if (!URL.canParse(node.url)) throw configError('proxy')
  const url = new URL(node.url)
  if (node.credentials?.username) {
    url.username = encodeURIComponent(node.credentials.username)
    url.password = encodeURIComponent(node.credentials.password ?? '')
  }
  return { url: url.href, noProxy: node.noproxy ?? [] }
}
