/** Settings of "share create". */
import type { Fields, TypedField } from '../../lib/fields'

const text = { kind: 'string', initial: '', type: 'str', request: true } as const satisfies TypedField
const cell = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
/** One or more, separated by commas or as a list. */
const several = { kind: 'any', initial: '', type: 'str' } as const satisfies TypedField
/** The service takes numbers and texts: what is given goes out as it is. */
const phonePart = {
  ...several,
  types: ['str', 'num', 'msg', 'flow', 'global', 'env', 'jsonata'],
} as const satisfies TypedField
const channels = ['Off', 'SendSms', 'SendEmail', 'SendBoth'] as const
const moments = ['str', 'days', 'msg', 'flow', 'global', 'env', 'jsonata'] as const
const rowTypes = ['form', 'msg', 'flow', 'global', 'json', 'jsonata', 'env'] as const

const contentRow = {
  id: { ...cell, newRowValue: 'file-__n__' },
  name: cell,
  type: { ...cell, newRowValue: 'file', suggestions: ['file'] },
} as const satisfies Fields

const recipientRow = {
  firstName: { ...cell, path: 'firstname' },
  lastName: { ...cell, path: 'lastname' },
  email: cell,
  mobileCountryCode: { ...phonePart, path: 'mobile.countryCode' },
  mobileNumber: { ...phonePart, path: 'mobile.number' },
  uploads: { ...several, path: 'content' },
  identityProvider: {
    ...several,
    path: ['authentication', 'authentication.identityProvider'],
    suggestions: ['NO_EID_MOBILE', 'NO_EID_WEB', 'SWE_EID', 'SWE_EID_MOBILE', 'NO_EID', 'DA_EID', 'FI_EID'],
    words: 'eid',
  },
  withoutIdentification: { kind: 'boolean', initial: '', type: 'bool' },
  identityProviderUniqueId: { ...several, path: 'authentication.identityProviderUniqueId' },
  ssn: { ...cell, path: 'authentication.ssn' },
  dateOfBirth: { ...cell, path: 'authentication.dateOfBirth', rule: 'shortDay' },
  expires: { ...cell, rule: 'dateTime', types: moments },
  notificationRequest: {
    ...cell,
    path: 'notification.setup.request',
    newRowValue: 'SendEmail',
    suggestions: channels,
    words: 'channel',
  },
  notificationReminder: { ...cell, path: 'notification.setup.reminder', suggestions: channels, words: 'channel' },
  notificationLanguage: { ...cell, path: 'notification.language', suggestions: ['NO', 'EN'], words: 'language' },
  oneTimeLogin: { kind: 'boolean', initial: '', type: 'bool' },
} as const satisfies Fields

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  title: { ...text, path: ['information.title', 'information.name'] },
  description: { ...text, path: 'information.description' },
  content: { kind: 'array', initial: '', type: 'form', types: rowTypes, rows: contentRow, request: true },
  recipients: { kind: 'array', initial: '', type: 'form', types: rowTypes, rows: recipientRow, request: true },
  expires: {
    kind: 'any',
    initial: '',
    type: 'str',
    types: ['str', 'days', 'num', 'msg', 'flow', 'global', 'env', 'jsonata'],
    rule: 'dateTime',
    request: true,
  },
  seeEverything: { kind: 'flag', initial: false },
  more: { kind: 'object', initial: '', type: 'json', request: true },
  body: {
    kind: 'any',
    initial: '',
    type: 'auto',
    types: ['auto', 'msg', 'flow', 'global', 'env', 'json', 'jsonata'],
  },
} as const satisfies Fields
