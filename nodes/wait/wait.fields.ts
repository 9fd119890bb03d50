/** Settings of "wait". */
import type { Fields, TypedField } from '../../lib/settings/fields'

const number = { kind: 'number', type: 'num', rule: 'positive' } as const satisfies Omit<TypedField, 'initial'>

/** What a wait can wait for: the end of a document or of something else, or an earlier step. */
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

/** The kind of resource that each goal is about. */
export const kinds = {
  document: 'document',
  'first-signature': 'document',
  'files-ready': 'document',
  session: 'session',
  share: 'share',
  deposit: 'deposit',
  'deposit-signed': 'deposit',
  'deposit-funded': 'deposit',
} as const satisfies Record<Goal, string>

/** Returns the name of the message property that contains the id if the setting is empty. */
export const defaultIdOf = (goal: Goal): string => `${kinds[goal]}Id`

/** *Only if the person is*: the flow file must not contain the value, so it comes from elsewhere. */
const expected = {
  kind: 'string',
  initial: '',
  type: 'msg',
  types: ['msg', 'flow', 'global', 'env', 'jsonata'],
  guard: true,
  when: { what: ['session'] },
} as const satisfies TypedField

/** A condition for settings that need a goal with signers. Only signers can be reminded. */
const documents = { what: ['document', 'first-signature', 'files-ready'] } as const

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  what: { kind: 'choice', initial: 'document', choices: goals },
  /**
   * The id of the resource. If this setting is empty, the id is in `msg.documentId`, `sessionId`, `shareId` or
   * `depositId`, depending on `what`.
   */
  resourceId: { kind: 'id', initial: '', type: 'msg', required: true, emptyTypes: ['msg'] },
  /** If one of these is set, the person who has identified must be this one. */
  expectedNin: expected,
  expectedDateOfBirth: { ...expected, moment: 'begins' },
  expectedName: expected,
  /** The time limit of the wait; if empty, only the service ends the wait. */
  timeout: { ...number, initial: '' },
  timeoutUnit: { kind: 'choice', initial: 'seconds', choices: ['seconds', 'minutes', 'hours', 'days'] },
  /** Seconds between the first two polls; the pauses grow up to `maxInterval` seconds. */
  pollInterval: { ...number, initial: '2' },
  maxInterval: { ...number, initial: '300' },
  /** Days after the arrival of the message, such as "3, 7, 12"; if empty, this node sends no reminders. */
  remindAfter: { kind: 'string', initial: '', type: 'str', rule: 'dayList', when: documents },
  /** The time of day for reminders, in Node-RED's time zone. */
  remindAt: { kind: 'string', initial: '08:00', type: 'str', rule: 'timeOfDay', when: documents },
  remindDays: { kind: 'choice', initial: 'everyDay', choices: ['everyDay', 'mondayToFriday'], when: documents },
  raiseFailed: { kind: 'flag', initial: false },
  raiseExpired: { kind: 'flag', initial: false },
  /** The store in which several Node-REDs share the waits; if empty, this Node-RED keeps its own waits. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
