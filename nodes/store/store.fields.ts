/** Settings of the shared store: where the database is, and how soon another Node-RED takes over. */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  address: { kind: 'text', initial: '', required: true, rule: 'postgres' },
  tls: { kind: 'config', initial: '', config: 'tls-config' },
  /** Keeps apart what several groups of Node-REDs keep in one database. */
  namespace: { kind: 'text', initial: 'eid', required: true },
  /** Seconds. */
  takeOver: { kind: 'count', initial: 15 },
  /** How many items one node may keep. */
  maxItems: { kind: 'count', initial: 1_000_000 },
} as const satisfies Fields

/**
 * The credentials; Node-RED keeps them apart from the flow. Stored data is encrypted with `key`, if there is one.
 */
export const credentials = {
  user: { type: 'text' },
  password: { type: 'password' },
  key: { type: 'password' },
} as const
