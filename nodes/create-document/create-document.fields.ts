/** Settings of "create document". */
import type { Fields, TypedField } from '../../lib/fields'

const text = { kind: 'string', initial: '', type: 'str', request: true } as const satisfies TypedField

/** Types of a file value that only the message knows. */
const fromElsewhere = ['msg', 'flow', 'global', 'env', 'jsonata'] as const
const moments = ['str', 'days', 'msg', 'flow', 'global', 'env', 'jsonata'] as const
const channels = ['off', 'sendSms', 'sendEmail', 'sendBoth'] as const

const cell = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
const whole = { kind: 'number', initial: '', type: 'num', rule: 'whole', request: true } as const satisfies TypedField

const signerRow = {
  firstName: { ...cell, path: 'signerInfo.firstName' },
  lastName: { ...cell, path: 'signerInfo.lastName' },
  email: { ...cell, path: 'signerInfo.email', rule: 'email' },
  mobileCountryCode: { ...cell, path: 'signerInfo.mobile.countryCode', rule: 'countryCode' },
  mobileNumber: { ...cell, path: 'signerInfo.mobile.number', rule: 'phone' },
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
  },
  methods: {
    kind: 'any',
    initial: '',
    type: 'str',
    path: 'signatureType.signatureMethods',
    suggest: 'methods',
    suggestions: ['no_eid', 'no_eid_mobile', 'no_eid_netcentric', 'se_eid', 'fi_eid', 'sms_otp'],
    words: 'eid',
  },
  externalSignerId: { ...cell, folded: true },
  order: { kind: 'number', initial: '', type: 'num', folded: true },
  required: { kind: 'boolean', initial: '', type: 'bool', folded: true },
  language: {
    ...cell,
    path: 'ui.language',
    suggestions: ['EN', 'NO', 'DA', 'SV', 'FI', 'NL', 'DE'],
    words: 'language',
    folded: true,
  },
  authentication: {
    ...cell,
    path: 'authentication.mechanism',
    suggestions: ['off', 'eid', 'smsOtp', 'eidAndSmsOtp'],
    folded: true,
  },
} as const satisfies Fields

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },

  title: { ...text, required: 'request' },
  description: text,
  externalId: { kind: 'string', initial: 'externalId', type: 'msg', request: true },
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
    request: true,
    path: 'dataToSign.fileName',
    rule: 'documentName',
  },
  contactEmail: { ...text, path: 'contactDetails.email', required: 'request', rule: 'email' },

  signers: {
    kind: 'array',
    initial: '',
    type: 'form',
    types: ['form', 'msg', 'flow', 'global', 'json', 'jsonata', 'env'],
    rows: signerRow,
    required: 'request',
    request: true,
  },

  colorTheme: {
    ...text,
    path: 'ui.styling.colorTheme',
    suggest: 'themes',
    suggestions: ['Default', 'Black', 'Blue', 'Cyan', 'Dark', 'Green', 'Neutral', 'Purple', 'Red'],
    words: 'theme',
  },
  themeMode: {
    ...text,
    path: 'ui.styling.themeMode',
    rule: 'themeMode',
    suggestions: ['Default', 'Light', 'Dark'],
    words: 'themeMode',
  },
  spinner: {
    ...text,
    path: 'ui.styling.spinner',
    suggest: 'spinners',
    suggestions: ['Document', 'Classic', 'Cubes', 'Bounce'],
    words: 'spinner',
  },
  topBar: { ...text, path: 'ui.styling.topBar', suggestions: ['Default', 'Visible', 'OnlyMenu', 'Hidden'] },
  backgroundColor: { ...text, path: 'ui.styling.backgroundColor', rule: 'colour' },
  beforeUseCheckBox: { kind: 'boolean', initial: '', type: 'bool', request: true },
  beforeTitle: text,
  beforeMessage: text,
  afterTitle: text,
  afterMessage: text,

  redirectMode: {
    ...text,
    path: 'redirectSettings.redirectMode',
    suggestions: [
      'donot_redirect',
      'redirect',
      'iframe_with_webmessaging',
      'iframe_with_redirect',
      'iframe_with_redirect_and_webmessaging',
    ],
  },
  successUrl: { ...text, path: 'redirectSettings.success', rule: 'url' },
  cancelUrl: { ...text, path: 'redirectSettings.cancel', rule: 'url' },
  errorUrl: { ...text, path: 'redirectSettings.error', rule: 'url' },
  domain: { ...text, path: 'redirectSettings.domain', rule: 'domains' },

  deadline: { ...text, path: 'advanced.timeToLive.deadline', rule: 'dateTime', types: moments },
  tags: { path: 'advanced.tags', kind: 'any', initial: '', type: 'str', request: true },
  remindEvery: { ...whole, path: 'notification.reminder.chronSchedule' },
  remindAtMost: { ...whole, path: 'notification.reminder.maxReminders' },
  receipts: { kind: 'boolean', initial: '', type: 'bool', request: true },
  signedFileTo: {
    kind: 'any',
    initial: '',
    type: 'str',
    path: 'notification.finalReceipt.additionalRecipients',
    request: true,
  },
  requiredSignatures: { ...whole, path: 'advanced.requiredSignatures' },
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
  more: { kind: 'object', initial: '', type: 'json', request: true },
  body: {
    kind: 'any',
    initial: '',
    type: 'auto',
    types: ['auto', 'msg', 'flow', 'global', 'env', 'json', 'jsonata'],
  },
} as const satisfies Fields
