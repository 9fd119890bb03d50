/** Settings of the shared store: the database's address, and how soon another Node-RED takes over. */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  address: { kind: 'text', initial: '', required: true, rule: 'postgres' },
  tls: { kind: 'config', initial: '', config: 'tls-config' },
  /** Separates the data of several groups of Node-REDs that use the same database. */
  namespace: { kind: 'text', initial: 'eid', required: true },
  /** Seconds after which another Node-RED takes over the work of a Node-RED that has stopped. */
  takeOver: { kind: 'count', initial: 15 },
  /** Maximum number of items that one node may store. */
  maxItems: { kind: 'count', initial: 1_000_000 },
} as const satisfies Fields

/** The credentials; Node-RED stores them apart from the flow. If `key` is set, stored data is encrypted with it. */
export const credentials = {
  user: { type: 'text' },
  password: { type: 'password' },
  key: { type: 'password' },
} as const
