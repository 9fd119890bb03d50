/** Settings of the shared store: the database's address, and how soon another Node-RED takes over. */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  address: { kind: 'text', initial: '', required: true, rule: 'postgres' },
  tls: { kind: 'config', initial: '', config: 'tls-config' },
  /** Separates the data of several groups of Node-REDs in one database. */
  namespace: { kind: 'text', initial: 'eid', required: true },
  /** Seconds. */
  takeOver: { kind: 'count', initial: 15 },
  /** Maximum items per node. */
  maxItems: { kind: 'count', initial: 1_000_000 },
} as const satisfies Fields

/** The credentials; Node-RED stores them apart from the flow. Stored data is encrypted with `key`, if there is one. */
export const credentials = {
  user: { type: 'text' },
  password: { type: 'password' },
  key: { type: 'password' },
} as const
