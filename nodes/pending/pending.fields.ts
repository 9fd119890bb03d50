/** Settings of "pending". */
import type { Fields } from '../../lib/settings/fields'

const kinds = ['document', 'session', 'share', 'deposit'] as const

export const fields = {
  name: { kind: 'label', initial: '' },
  /** Empty means all kinds. */
  kind: { kind: 'string', initial: '', type: 'str', choices: kinds, suggestions: kinds },
  /** Id or name of a client; empty means all. It narrows the list, and nothing is asked of that client. */
  client: { kind: 'string', initial: '', type: 'str' },
  /** Empty means of any age. */
  olderThan: { kind: 'number', initial: '', type: 'num', rule: 'notNegative' },
  olderThanUnit: { kind: 'choice', initial: 'days', choices: ['minutes', 'hours', 'days'] },
} as const satisfies Fields
