/** Settings of "overview". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  /** The path of the page, below `httpNodeRoot`. */
  path: { kind: 'text', initial: '/contracts', required: true, rule: 'pagePath' },
  /** Whether people can remind and cancel with buttons on the page. */
  mayAct: { kind: 'flag', initial: false },
} as const satisfies Fields

/** The list of users: each line has a name and a hashed password. Node-RED stores the list apart from the flow. */
export const credentials = {
  users: { type: 'password' },
} as const
