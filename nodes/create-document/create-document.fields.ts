/** Settings of "create document". */
import type { Fields, TypedField } from '../../lib/settings/fields'
import { modesThatNeed } from '../../lib/settings/together'
import { body, more } from '../../lib/settings/request-body'
import { fieldRow, questionRow, textRow } from './lists.fields'

const text = { kind: 'string', initial: '', type: 'str', request: true } as const satisfies TypedField
/** A field for free text that may contain fields in braces. */
const prose = { ...text, type: 'tpl', template: true } as const satisfies TypedField

/** Types for a file that comes from the message. */
const fromElsewhere = ['msg', 'flow', 'global', 'env', 'jsonata'] as const
const moments = ['str', 'days', 'msg', 'flow', 'global', 'env', 'jsonata'] as const
/** How long a document may wait for its signers (`docs/interface.md` 2.1). */
export const longestLifeMs = 45 * 86_400_000

const channels = ['off', 'sendSms', 'sendEmail', 'sendBoth'] as const

/** The days that the service's schedule can express. */
const reminderDays = [
  'everyDay',
  'mondayToFriday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type ReminderDays = (typeof reminderDays)[number]

const cell = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
const proseCell = { ...cell, type: 'tpl', template: true } as const satisfies TypedField
const whole = { kind: 'number', initial: '', type: 'num', rule: 'whole', request: true } as const satisfies TypedField

/** Settings for the appearance of the signing page, used both for all signers and for a single signer. */
const look = {
  colorTheme: {
    path: 'ui.styling.colorTheme',
    suggest: 'themes',
    suggestions: ['Default', 'Black', 'Blue', 'Cyan', 'Dark', 'Green', 'Neutral', 'Purple', 'Red'],
    words: 'theme',
  },
  themeMode: {
    path: 'ui.styling.themeMode',
    rule: 'themeMode',
    suggestions: ['Default', 'Light', 'Dark'],
    words: 'themeMode',
  },
  spinner: {
    path: 'ui.styling.spinner',
    suggest: 'spinners',
    suggestions: ['Document', 'Classic', 'Cubes', 'Bounce'],
    words: 'spinner',
  },
  topBar: { path: 'ui.styling.topBar', suggestions: ['Default', 'Visible', 'OnlyMenu', 'Hidden'] },
  backgroundColor: { path: 'ui.styling.backgroundColor', rule: 'colour' },
} as const

/** Makes a setting required in those redirect modes that need it. */
const ofMode = (name: string) => ({ required: 'request', requiredWhen: { redirectMode: modesThatNeed(name) } }) as const

/** Settings for what follows the signing, used both for all signers and for a single signer. */
const after = {
  redirectMode: {
    path: 'redirectSettings.redirectMode',
    suggestions: [
      'donot_redirect',
      'redirect',
      'iframe_with_webmessaging',
      'iframe_with_redirect',
      'iframe_with_redirect_and_webmessaging',
    ],
  },
  successUrl: { path: 'redirectSettings.success', rule: 'url', ...ofMode('successUrl') },
  cancelUrl: { path: 'redirectSettings.cancel', rule: 'url', ...ofMode('cancelUrl') },
  errorUrl: { path: 'redirectSettings.error', rule: 'url', ...ofMode('errorUrl') },
  domain: { path: 'redirectSettings.domain', rule: 'domains', ...ofMode('domain') },
} as const

const signerRow = {
  firstName: { ...proseCell, path: 'signerInfo.firstName' },
  lastName: { ...proseCell, path: 'signerInfo.lastName' },
  email: {
    ...proseCell,
    path: 'signerInfo.email',
    rule: 'email',
    required: 'request',
    requiredWhen: { notification: ['sendEmail'] },
  },
  mobileCountryCode: {
    ...proseCell,
    path: 'signerInfo.mobile.countryCode',
    rule: 'countryCode',
    required: 'request',
    requiredWith: 'mobileNumber',
    folded: true,
  },
  mobileNumber: {
    ...proseCell,
    path: 'signerInfo.mobile.number',
    rule: 'phone',
    required: 'request',
    requiredWhen: [{ authentication: ['smsOtp', 'eidAndSmsOtp'] }, { notification: ['sendSms'] }],
    folded: true,
  },
  notification: {
    ...cell,
    path: 'notifications.setup.request',
    rule: 'channel',
    suggestions: channels,
    words: 'channel',
  },
  mechanism: {
    ...cell,
    path: 'signatureType.mechanism',
    newRowValue: 'pkisignature',
    suggestions: ['pkisignature', 'identification', 'handwritten', 'handwritten_with_identification'],
    words: 'mechanism',
    folded: true,
  },
  order: { kind: 'number', initial: '', type: 'num', folded: true },
  language: {
    ...cell,
    path: 'ui.language',
    suggestions: ['EN', 'NO', 'DA', 'SV', 'FI', 'NL', 'DE'],
    words: 'language',
    folded: true,
  },
  methods: {
    kind: 'any',
    initial: '',
    type: 'str',
    path: 'signatureType.signatureMethods',
    suggest: 'methods',
    suggestions: ['no_eid', 'no_eid_mobile', 'no_eid_netcentric', 'se_eid', 'fi_eid', 'sms_otp'],
    words: 'eid',
    folded: true,
  },
  externalSignerId: { ...cell, rule: 'ownId', unique: true, folded: true },
  required: { kind: 'boolean', initial: '', type: 'bool', folded: true },
  authentication: {
    ...cell,
    path: 'authentication.mechanism',
    suggestions: ['off', 'eid', 'smsOtp', 'eidAndSmsOtp'],
    folded: true,
  },
  colorTheme: { ...cell, ...look.colorTheme, folded: 'look' },
  themeMode: { ...cell, ...look.themeMode, folded: 'look' },
  backgroundColor: { ...cell, ...look.backgroundColor, folded: 'look' },
  spinner: { ...cell, ...look.spinner, folded: 'look' },
  topBar: { ...cell, ...look.topBar, folded: 'look' },
  redirectMode: { ...cell, ...after.redirectMode, folded: 'after' },
  successUrl: { ...cell, ...after.successUrl, orAround: true, folded: 'after' },
  cancelUrl: { ...cell, ...after.cancelUrl, orAround: true, folded: 'after' },
  errorUrl: { ...cell, ...after.errorUrl, orAround: true, folded: 'after' },
  domain: { ...cell, ...after.domain, orAround: true, folded: 'after' },
} as const satisfies Fields

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },

  title: { ...prose, required: 'request' },
  description: prose,
  externalId: { kind: 'string', initial: 'externalId', type: 'msg', template: true, rule: 'ownId', request: true },
  file: {
    kind: 'file',
    path: ['dataToSign', 'dataToSign.base64Content'],
    initial: '',
    type: 'auto',
    types: ['auto', 'path', 'base64', 'msg', 'flow', 'global', 'env', 'jsonata', 'bin'],
    as: 'fileAs',
    required: 'request',
    request: true,
  },
  fileAs: { kind: 'choice', initial: 'content', choices: ['content', 'path'], whenType: { file: fromElsewhere } },
  baseFolder: { kind: 'text', initial: '', whenType: { file: ['path', ...fromElsewhere] } },
  fileName: {
    kind: 'string',
    initial: 'filename',
    type: 'msg',
    template: 'fileName',
    request: true,
    path: 'dataToSign.fileName',
    rule: 'documentName',
    required: 'request',
    requiredType: { file: ['base64', 'bin', ...fromElsewhere] },
  },
  /** The values for the fields in braces of a Word file. */
  fields: {
    kind: 'any',
    initial: 'payload',
    type: 'msg',
    types: ['msg', 'form', 'flow', 'global', 'env', 'json', 'jsonata'],
    rows: fieldRow,
  },
  contactEmail: { ...prose, path: 'contactDetails.email', required: 'request', rule: 'email' },

  signers: {
    kind: 'array',
    initial: '',
    type: 'form',
    types: ['form', 'msg', 'flow', 'global', 'json', 'jsonata', 'env'],
    rows: signerRow,
    json: 'array',
    required: 'request',
    request: true,
  },
  questions: {
    kind: 'array',
    path: 'ui.dialogs.before.formFields',
    initial: '',
    type: 'form',
    types: ['form', 'msg', 'flow', 'global', 'json', 'jsonata', 'env'],
    rows: questionRow,
    json: 'array',
    request: true,
  },

  colorTheme: { ...text, ...look.colorTheme },
  themeMode: { ...text, ...look.themeMode },
  spinner: { ...text, ...look.spinner },
  topBar: { ...text, ...look.topBar },
  backgroundColor: { ...text, ...look.backgroundColor },
  beforeUseCheckBox: { kind: 'boolean', initial: '', type: 'bool', request: true },
  beforeTitle: prose,
  beforeMessage: prose,
  afterTitle: prose,
  afterMessage: prose,

  redirectMode: { ...text, ...after.redirectMode },
  successUrl: { ...text, ...after.successUrl, orInRows: ['signers', 'successUrl'] },
  cancelUrl: { ...text, ...after.cancelUrl, orInRows: ['signers', 'cancelUrl'] },
  errorUrl: { ...text, ...after.errorUrl, orInRows: ['signers', 'errorUrl'] },
  domain: { ...text, ...after.domain, orInRows: ['signers', 'domain'] },

  deadline: { ...text, path: 'advanced.timeToLive.deadline', moment: 'ends', future: true, types: moments },
  keepDays: { ...whole, path: 'advanced.timeToLive.deleteAfterHours' },
  tags: { path: 'advanced.tags', kind: 'any', initial: '', type: 'str', request: true },
  remindOn: {
    ...text,
    path: 'notification.reminder.chronSchedule',
    choices: reminderDays,
    suggestions: reminderDays,
    required: 'request',
    requiredWith: 'remindAtMost',
  },
  remindAtMost: { ...whole, path: 'notification.reminder.maxReminders' },
  receipts: { kind: 'boolean', initial: '', type: 'bool', request: true },
  signedFileTo: {
    kind: 'any',
    initial: '',
    type: 'str',
    path: 'notification.finalReceipt.additionalRecipients',
    rule: 'emails',
    request: true,
  },
  texts: { kind: 'array', initial: '', type: 'form', types: ['form'], rows: textRow, request: true },
  requiredSignatures: { ...whole, path: 'advanced.requiredSignatures', together: 'signatures' },
  packaging: {
    kind: 'any',
    initial: '',
    type: 'str',
    path: 'dataToSign.packaging.signaturePackageFormats',
    suggestions: ['pades', 'xades'],
    request: true,
  },
  convertToPdf: { kind: 'boolean', initial: '', type: 'bool', path: 'dataToSign.convertToPDF', request: true },
  attachments: { ...whole, path: 'advanced.attachments' },
  more,
  body,
} as const satisfies Fields
