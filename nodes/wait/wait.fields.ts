/** Settings of "wait". */
import type { Fields, TypedField } from '../../lib/settings/fields'

const number = { kind: 'number', type: 'num', rule: 'positive' } as const satisfies Omit<TypedField, 'initial'>

/** What a wait is for: the end of something, or a moment on the way there. */
const goals = [
  'document',
  'first-signature',
  'files-ready',
  'session',
  'share',
  'deposit-signed',
  'deposit-funded',
  'deposit',
] as const
export type Goal = (typeof goals)[number]

/** What has signers who can be reminded. */
const documents = { what: ['document', 'first-signature', 'files-ready'] } as const

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  what: { kind: 'choice', initial: 'document', choices: goals },
  /** Empty means the message property of the kind: documentId, sessionId, shareId or depositId. */
  resourceId: { kind: 'id', initial: '', type: 'msg', required: true, emptyTypes: ['msg'] },
  /** Empty means that only the service ends the wait. */
  timeout: { ...number, initial: '' },
  timeoutUnit: { kind: 'choice', initial: 'seconds', choices: ['seconds', 'minutes', 'hours', 'days'] },
  /** Seconds between the first two questions; the pauses grow up to `maxInterval` seconds. */
  pollInterval: { ...number, initial: '2' },
  maxInterval: { ...number, initial: '300' },
  /** Days after the message came in, such as "3, 7, 12"; empty: no reminders are sent from here. */
  remindAfter: { kind: 'string', initial: '', type: 'str', rule: 'dayList', when: documents },
  /** By the clock where Node-RED is. */
  remindAt: { kind: 'string', initial: '08:00', type: 'str', rule: 'timeOfDay', when: documents },
  remindDays: { kind: 'choice', initial: 'everyDay', choices: ['everyDay', 'mondayToFriday'], when: documents },
  raiseFailed: { kind: 'flag', initial: false },
  raiseExpired: { kind: 'flag', initial: false },
  /** Name of a context store of Node-RED; empty is its default one. */
  store: { kind: 'text', initial: '', contextStore: true },
  /** Several Node-REDs keep it together; empty: this one alone. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
