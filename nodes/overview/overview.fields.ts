/** Settings of "overview". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  /** Below `httpNodeRoot`. */
  path: { kind: 'text', initial: '/contracts', required: true, rule: 'pagePath' },
  /** The page can remind and cancel. */
  mayAct: { kind: 'flag', initial: false },
} as const satisfies Fields

/** Lines with a name and a hashed password; Node-RED stores them apart from the flow. */
export const credentials = {
  users: { type: 'password' },
} as const
