/** Reads the stored settings of a shared store and creates the database they describe. */
import type { PoolConfig } from 'pg'
import { configError } from '../../lib/api/errors/errors'
import { createDatabase, type Database } from '../../lib/store/drivers/postgres/database'
import { defaultLimits, type Limits } from '../../lib/store/store'
import { findConfigNode } from '../../lib/runtime/node-red/config-node'
import type { Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import { fields } from './store.fields'

interface Secrets {
  readonly user: string
  readonly password: string
  readonly key: string
}

type Settings = Readonly<Record<string, unknown>>

interface TlsNode extends RuntimeNode {
  addTLSOptions(options: object): void
}

/**
 * Returns a text setting, or its default if the flow file lacks it. Throws EID_CONFIG if the text is still `${NAME}`.
 */
function textSetting(settings: Settings, name: 'address' | 'namespace'): string {
  return resolved(name, String(settings[name] ?? fields[name].initial)).trim()
}

/** Returns `value`. Throws EID_CONFIG if it is a variable that Node-RED could not replace. */
export function resolved(field: string, value: string): string {
  const left = /^\$[{(]([^}]+)[})]$/.exec(value)
  if (left) throw configError('env', { field, name: left[1] ?? '' })
  return value
}

/** Milliseconds that a claim lasts before another Node-RED takes over. Less than a second would be useless. */
export function leaseMsOf({ takeOver }: Settings): number {
  const seconds = Number(takeOver)
  return Math.max(seconds > 0 ? seconds : fields.takeOver.initial, 1) * 1000
}

/**
 * How many items and bytes one node may store; the bytes grow with the number of items. A number below one counts as
 * unset.
 */
export function limitsOf({ maxItems }: Settings): Required<Limits> {
  const wanted = Math.floor(Number(maxItems))
  const items = wanted > 0 ? wanted : fields.maxItems.initial
  const bytesOfOne = defaultLimits.maxBytes / defaultLimits.maxItems
  return { maxItems: items, maxBytes: Math.max(defaultLimits.maxBytes, items * bytesOfOne) }
}

/** Returns the database's address as `host:port`, without user and password. */
export function hostOf(settings: Settings): string {
  return addressOf(settings).host
}

/** Creates the database, but does not connect yet. Throws EID_CONFIG if the address is invalid. */
export function openDatabase(RED: Runtime, settings: Settings, secrets: Partial<Secrets>): Database {
  for (const name of ['takeOver', 'maxItems']) resolved(name, String(settings[name] ?? ''))
  const namespace = textSetting(settings, 'namespace') || fields.namespace.initial
  return createDatabase({ config: connectionOf(RED, settings, secrets), namespace })
}

function connectionOf(RED: Runtime, settings: Settings, secrets: Partial<Secrets>): PoolConfig {
  const url = addressOf(settings)
  // Database hosts often provide an address that contains user and password; the form's fields override these.
  if (secrets.user) url.username = encodeURIComponent(resolved('user', secrets.user))
  if (secrets.password) url.password = encodeURIComponent(resolved('password', secrets.password))
  const tls = tlsOf(RED, settings.tls)
  if (!tls) return { connectionString: url.href }
  for (const name of [...url.searchParams.keys()]) if (name.startsWith('ssl')) url.searchParams.delete(name)
  return { connectionString: url.href, ssl: { servername: url.hostname, ...tls } }
}

function addressOf(settings: Settings): URL {
  const address = textSetting(settings, 'address')
  if (!/^postgres(ql)?:\/\//.test(address) || !URL.canParse(address)) throw configError('storeAddress')
  return new URL(address)
}

function tlsOf(RED: Runtime, id: unknown): object | undefined {
  const node = findConfigNode<TlsNode>(RED, id, 'tls')
  if (!node) return undefined
  const options = {}
  node.addTLSOptions(options)
  return options
}
