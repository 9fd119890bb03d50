/** On the server, adds stored passwords and environment variables to the values typed in an open dialog. */
import { passwordMask } from '../../common/limits'
import { variableIn } from '../../common/environment'
import type { Fields } from '../../settings/fields'
import { isPlainObject } from '../../common/plain-object'
import type { Runtime } from '../node-red/node-red'

/**
 * The body that the dialog sends: the node's id, and settings and credentials as typed. For a stored password, the
 * dialog sends the mask.
 */
export interface TypedRequest {
  readonly id?: string | undefined
  readonly settings: Readonly<Record<string, unknown>>
  readonly credentials: Readonly<Record<string, unknown>>
}

export function readTyped(body: unknown): TypedRequest {
  const { id, settings, credentials } = (body ?? {}) as { readonly [Part in keyof TypedRequest]?: unknown }
  const plain = (part: unknown) => (isPlainObject(part) ? part : {})
  return { id: typeof id === 'string' ? id : undefined, settings: plain(settings), credentials: plain(credentials) }
}

/**
 * Adds the values that the dialog does not have. Stored passwords are used only if the settings named in `places` have
 * their stored values. Otherwise, returns 'elsewhere': a user who may open the editor must not be able to have the
 * passwords sent to another host.
 */
export function completeTyped(
  RED: Runtime,
  { id, settings, credentials }: TypedRequest,
  { type, fields, places }: { readonly type: string; readonly fields: Fields; readonly places: readonly string[] },
): 'elsewhere' | Omit<TypedRequest, 'id'> {
  const stored = storedConfig(RED, id, type)
  const storedCredentials = (stored && RED.nodes.getCredentials(String(stored.id))) ?? {}
  const masked = Object.keys(credentials).filter((name) => credentials[name] === passwordMask)
  const placeIn = (one: Readonly<Record<string, unknown>> | undefined, name: string) =>
    String(one?.[name] ?? fields[name]?.initial ?? '')
  const moved = places.some((name) => placeIn(stored, name) !== placeIn(settings, name))
  if (masked.some((name) => storedCredentials[name]) && moved) return 'elsewhere'
  const secrets = { ...credentials, ...Object.fromEntries(masked.map((name) => [name, storedCredentials[name] ?? ''])) }
  return { settings: withEnvironment(settings), credentials: withEnvironment(secrets) }
}

function storedConfig(RED: Runtime, id: string | undefined, type: string): Record<string, unknown> | undefined {
  let found: Record<string, unknown> | undefined
  RED.nodes.eachNode((config) => {
    if (id !== undefined && config.id === id && config.type === type) found = config
  })
  return found
}

/** Fills in environment variables, because Node-RED fills in `${NAME}` when flows start, but not in an open dialog. */
function withEnvironment(typed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(typed).map(([name, value]) => [name, process.env[variableIn(value) ?? ''] ?? value])
  return Object.fromEntries(entries) as Record<string, unknown>
}
