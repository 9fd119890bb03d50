/** Settings of "approve". */
import type { Fields, TypedField } from '../../lib/settings/fields'

const cell = { kind: 'string', initial: '', type: 'str', types: ['str'] } as const satisfies TypedField
const prose = { kind: 'string', initial: '', type: 'tpl', template: true } as const satisfies TypedField
const number = { kind: 'number', type: 'num', rule: 'positive' } as const satisfies Omit<TypedField, 'initial'>
const providers = { suggest: 'providers', words: 'eid' } as const

/** A line below the sentence, such as an amount. */
const detailRow = {
  label: { ...prose, required: true },
  text: { ...prose, required: true },
} as const satisfies Fields

/** A person who may approve. The national id, or the id at the provider, is a credential of the node. */
const approverRow = {
  /** Identifies the row in the credential and in what is stored; made by the form. */
  id: { ...cell, hidden: true, newRowValue: '__random__' },
  /** Number of the credential that holds the person's id; chosen by the form. */
  slot: { ...cell, hidden: true },
  name: { ...cell, required: true },
  email: { ...cell, rule: 'email' },
  by: { ...cell, choices: ['nin', 'providerId'], newRowValue: 'nin', required: true },
  provider: {
    ...cell,
    ...providers,
    suggestions: ['no_eid_mobile', 'no_eid_netcentric', 'no_eid', 'se_eid', 'fi_eid'],
    newRowValue: 'no_eid',
    required: true,
  },
} as const satisfies Fields

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  /** One sentence that says what is approved. */
  what: { ...prose, required: true },
  details: { kind: 'array', initial: '', type: 'form', types: ['form'], rows: detailRow },
  approvers: { kind: 'array', initial: '', type: 'form', types: ['form'], rows: approverRow, required: true },
  /** The providers offered to an approver with a national id; if empty, the provider of the approver's row. */
  identityProviders: {
    kind: 'any',
    initial: '',
    type: 'str',
    types: ['str'],
    several: true,
    ...providers,
    suggestions: ['no_eid_mobile', 'no_eid_netcentric', 'no_eid', 'se_eid', 'fi_eid'],
  },
  /** Who proposes: the identity that "wait" or "identify" has put on the message. */
  proposer: { kind: 'any', initial: 'identity', type: 'msg', types: ['msg', 'flow', 'global', 'jsonata'] },
  /** How many people must approve. */
  required: { kind: 'choice', initial: '1', choices: ['1', '2', '3'] },
  mayApproveOwn: { kind: 'flag', initial: false },
  /** Time limit; if empty, the approval waits until someone answers or withdraws it. */
  timeout: { ...number, initial: '' },
  timeoutUnit: { kind: 'choice', initial: 'days', choices: ['minutes', 'hours', 'days'] },
  /** Days after the arrival of the message, such as "1, 3, 7"; if empty, no reminders are sent. */
  remindAfter: { kind: 'string', initial: '', type: 'str', types: ['str'], rule: 'dayList' },
  remindAt: { kind: 'string', initial: '08:00', type: 'str', types: ['str'], rule: 'timeOfDay' },
  remindDays: { kind: 'choice', initial: 'everyDay', choices: ['everyDay', 'mondayToFriday'] },
  /** The language of the page and the notices; `auto`: the visitor's browser, and Node-RED's own language. */
  language: { kind: 'choice', initial: 'auto', choices: ['auto', 'en', 'nb'] },
  /** The path of the page, below `httpNodeRoot`. */
  path: { kind: 'text', initial: '/approve', required: true, rule: 'pagePath' },
  /** The address at which approvers reach this Node-RED; required for a live service. */
  publicUrl: { kind: 'text', initial: '', rule: 'url' },
  /** The store in which several Node-REDs share the approvals; if empty, this Node-RED keeps its own. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields

/** How many approvers a node can have. */
export const maxApprovers = 20

export const credentialOf = (slot: number | string): string => `approverId${slot}`

const password = { type: 'password' } as const

/**
 * The ids of the approvers, which Node-RED stores apart from the flow. `approverIds` is JSON with the ids by their rows,
 * for programs that write flows. The form stores each id as a credential of its own, because Node-RED keeps what the
 * form does not change, and never gives it back to the form.
 */
export const credentials: Readonly<Record<string, typeof password>> = Object.fromEntries([
  ['approverIds', password],
  ...Array.from({ length: maxApprovers }, (_none, index) => [credentialOf(index + 1), password] as const),
])
