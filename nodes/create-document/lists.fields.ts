/** Rows of the smaller lists of "create document". */
import type { Fields, TypedField } from '../../lib/settings/fields'

const cell = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
const proseCell = { ...cell, type: 'tpl', template: true } as const satisfies TypedField
/** A cell with a text that the service sends after filling in the service's own fields. */
const sentCell = { ...cell, type: 'tpl', template: 'merge' } as const satisfies TypedField

/** The questions to the signer in the dialog before signing. */
export const questionRow = {
  label: { ...proseCell, required: true },
  key: { ...cell, required: true },
  answer: { ...cell, choices: ['text', 'checkbox'], newRowValue: 'text' },
  required: { kind: 'boolean', initial: '', type: 'bool' },
  pattern: { ...cell, rule: 'pattern' },
} as const satisfies Fields

/** A row with the name of a field of a Word file and the value for it. */
export const fieldRow = {
  name: { ...cell, types: ['str'], required: true },
  value: { kind: 'any', initial: '', type: 'tpl', template: true },
  mayBeEmpty: { kind: 'boolean', initial: '', type: 'bool' },
} as const satisfies Fields

/** The occasions on which the service sends something. */
const occasions = ['request', 'reminder', 'signed', 'allSigned', 'canceled', 'expired'] as const
export type Occasion = (typeof occasions)[number]

/** A row with the sender's own text for one occasion, in one language. */
export const textRow = {
  occasion: { ...cell, types: ['str'], choices: occasions, required: true, newRowValue: 'request' },
  language: {
    ...cell,
    suggestions: ['EN', 'NO', 'DA', 'SV', 'FI', 'NL', 'DE'],
    words: 'language',
    required: true,
    newRowValue: 'EN',
  },
  sender: proseCell,
  subject: sentCell,
  text: sentCell,
  smsText: sentCell,
} as const satisfies Fields
