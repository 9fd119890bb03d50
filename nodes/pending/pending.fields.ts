/** Settings of "pending". */
import type { Fields } from '../../lib/settings/fields'

const kinds = ['document', 'session', 'share', 'deposit', 'approval'] as const

export const fields = {
  name: { kind: 'label', initial: '' },
  /** The kind of the listed waits; if empty, waits of all kinds are listed. */
  kind: { kind: 'string', initial: '', type: 'str', choices: kinds, suggestions: kinds },
  /** Id or name of the client whose waits are listed; if empty, waits of all clients. The client is not called. */
  client: { kind: 'string', initial: '', type: 'str' },
  /** The minimum age of the listed waits; if empty, waits of any age are listed. */
  olderThan: { kind: 'number', initial: '', type: 'num', rule: 'notNegative' },
  olderThanUnit: { kind: 'choice', initial: 'days', choices: ['minutes', 'hours', 'days'] },
} as const satisfies Fields
