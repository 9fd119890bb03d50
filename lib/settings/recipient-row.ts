/** The settings of a recipient in a list of a form (`docs/interface.md` 2.3). Contains only data. */
import type { Fields, TypedField } from './fields'

const cell = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
/** Free text that may contain fields in braces. */
const proseCell = { ...cell, type: 'tpl', template: true } as const satisfies TypedField
/** One or more values, separated by commas or given as a list. */
const several = { kind: 'any', initial: '', type: 'str' } as const satisfies TypedField
/** The type stays open, because the service accepts both numbers and texts; the value is sent unchanged. */
const phonePart = {
  ...several,
  types: ['str', 'num', 'msg', 'flow', 'global', 'env', 'jsonata'],
} as const satisfies TypedField
const channels = ['Off', 'SendSms', 'SendEmail', 'SendBoth'] as const
/** A recipient without any of these must have an identity provider. */
export const unidentified = {
  withoutIdentification: ['', 'false'],
  ssn: [''],
  dateOfBirth: [''],
  identityProviderUniqueId: [''],
} as const
const moments = ['str', 'days', 'msg', 'flow', 'global', 'env', 'jsonata'] as const

export const recipientRow = {
  firstName: { ...proseCell, required: 'request', path: 'firstname' },
  lastName: { ...proseCell, required: 'request', path: 'lastname' },
  email: { ...proseCell, required: 'request', rule: 'email' },
  mobileCountryCode: { ...phonePart, required: 'request', rule: 'countryCode', path: 'mobile.countryCode' },
  mobileNumber: { ...phonePart, required: 'request', rule: 'phone', path: 'mobile.number' },
  uploads: { ...several, path: 'content', among: ['content', 'id'], together: 'access' },
  identityProvider: {
    ...several,
    path: ['authentication', 'authentication.identityProvider'],
    suggestions: ['NO_EID_MOBILE', 'NO_EID_WEB', 'SWE_EID', 'SWE_EID_MOBILE', 'NO_EID', 'DA_EID', 'FI_EID'],
    words: 'eid',
    required: 'request',
    requiredWhen: unidentified,
    together: 'identity',
  },
  withoutIdentification: { kind: 'boolean', initial: '', type: 'bool', folded: 'identity' },
  notificationRequest: {
    ...cell,
    path: 'notification.setup.request',
    rule: 'channel',
    newRowValue: 'SendEmail',
    suggestions: channels,
    words: 'channel',
    folded: true,
  },
  identityProviderUniqueId: {
    ...several,
    path: 'authentication.identityProviderUniqueId',
    together: 'uniqueIds',
    folded: 'identity',
  },
  ssn: { ...cell, path: 'authentication.ssn', folded: 'identity' },
  dateOfBirth: { ...cell, path: 'authentication.dateOfBirth', rule: 'shortDay', folded: 'identity' },
  notificationReminder: {
    ...cell,
    path: 'notification.setup.reminder',
    rule: 'channel',
    suggestions: channels,
    words: 'channel',
    folded: true,
  },
  notificationLanguage: {
    ...cell,
    path: 'notification.language',
    suggestions: ['NO', 'EN'],
    words: 'language',
    folded: true,
  },
  expires: {
    ...cell,
    moment: 'ends',
    future: true,
    types: moments,
    required: 'request',
    orAround: true,
    folded: true,
  },
  oneTimeLogin: { kind: 'boolean', initial: '', type: 'bool', folded: true },
} as const satisfies Fields
