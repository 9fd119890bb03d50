/** Settings of "pending". */
import type { Fields } from '../../lib/settings/fields'

const kinds = ['document', 'session', 'share', 'deposit'] as const

export const fields = {
  name: { kind: 'label', initial: '' },
  /** Empty means all kinds. */
  kind: { kind: 'string', initial: '', type: 'str', choices: kinds, suggestions: kinds },
  /** Id or name of a client; empty: all. Only filters the list; that client is not called. */
  client: { kind: 'string', initial: '', type: 'str' },
  /** Empty means of any age. */
  olderThan: { kind: 'number', initial: '', type: 'num', rule: 'notNegative' },
  olderThanUnit: { kind: 'choice', initial: 'days', choices: ['minutes', 'hours', 'days'] },
} as const satisfies Fields
