/** Settings of "document". */
import type { Fields, TypedField } from '../../lib/settings/fields'
import { fileFormats } from '../../lib/settings/file-formats'
import { body, more } from '../../lib/settings/request-body'

const text = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
/** Operations that do not concern a single document. */
const ofNone = ['list']
const moments = ['str', 'days', 'msg', 'flow', 'global', 'env', 'jsonata'] as const
const list = { operation: ['list'] } as const
const download = { operation: ['download'] } as const
const remind = { operation: ['remind'] } as const
/** A signer to remind, and an e-mail address that replaces the one in the document for this reminder only. */
const remindedRow = {
  signerId: { kind: 'id', initial: '', type: 'str', required: true },
  email: { kind: 'string', initial: '', type: 'str', rule: 'email' },
} as const satisfies Fields
const update = { operation: ['update'] } as const
const signer = { operation: ['addSigner', 'changeSigner'] } as const
const attachment = { operation: ['addAttachment', 'changeAttachment'] } as const
const added = { operation: ['addAttachment'] } as const
const changes = {
  operation: ['update', 'addSigner', 'changeSigner', 'addAttachment', 'changeAttachment'],
} as const

/** A field that becomes a part of the request. */
const part = { ...text, request: true } as const satisfies TypedField
/** A field for free text that may contain fields in braces. */
const prose = { ...part, type: 'tpl', template: true } as const satisfies TypedField
const ofSigner = { ...part, when: signer } as const
const ofAttachment = { ...part, when: attachment } as const
const phonePart = {
  kind: 'any',
  initial: '',
  type: 'str',
  types: ['str', 'num', 'msg', 'flow', 'global', 'env', 'jsonata'],
  request: true,
  when: signer,
} as const satisfies TypedField
const wholeFile = { kind: 'id', initial: '', type: 'str', when: download } as const

const groups = {
  document: ['get', 'status', 'summary', 'list', 'update', 'remind', 'cancel'],
  signers: ['listSigners', 'getSigner', 'addSigner', 'changeSigner', 'removeSigner'],
  attachments: ['listAttachments', 'getAttachment', 'addAttachment', 'changeAttachment', 'removeAttachment'],
  files: ['download', 'listNotifications'],
} as const
const choices = [...groups.document, ...groups.signers, ...groups.attachments, ...groups.files] as const

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  operation: { kind: 'choice', initial: 'get', choices, groups },
  documentId: {
    kind: 'id',
    initial: 'documentId',
    type: 'msg',
    required: true,
    when: { operation: choices.filter((one) => !ofNone.includes(one)) },
  },
  signerId: {
    kind: 'id',
    initial: 'signerId',
    type: 'msg',
    required: true,
    when: { operation: ['getSigner', 'changeSigner', 'removeSigner'] },
  },
  attachmentId: {
    kind: 'id',
    initial: 'attachmentId',
    type: 'msg',
    required: true,
    when: { operation: ['getAttachment', 'changeAttachment', 'removeAttachment'] },
  },

  externalId: { ...text, when: list },
  title: {
    ...prose,
    when: { operation: ['list', 'update', 'addAttachment', 'changeAttachment'] },
    required: 'request',
    requiredWhen: added,
  },
  description: { ...prose, when: { operation: ['update', 'addAttachment', 'changeAttachment'] } },
  documentStatus: {
    ...text,
    when: list,
    suggestions: ['unsigned', 'waiting_for_attachments', 'partialsigned', 'signed', 'canceled', 'expired'],
  },
  fromDate: { ...text, when: list, moment: 'begins', types: moments },
  toDate: { ...text, when: list, moment: 'ends', types: moments },
  limit: { kind: 'number', initial: '100', type: 'num', rule: 'whole', when: list },

  reason: { ...text, type: 'tpl', template: true, when: { operation: ['cancel'] } },

  fileFormat: {
    kind: 'string',
    initial: 'standard_packaging',
    type: 'str',
    required: true,
    when: download,
    suggestions: fileFormats,
  },
  ofSigner: wholeFile,
  ofAttachment: wholeFile,
  saveTo: { kind: 'string', initial: '', type: 'tpl', template: 'fileName', when: download },
  waitUntilReady: { kind: 'flag', initial: false, when: download },
  waitTimeout: {
    kind: 'number',
    initial: '300',
    type: 'num',
    rule: 'notNegative',
    when: { operation: ['download'], waitUntilReady: ['true'] },
  },

  notificationSetting: {
    kind: 'string',
    initial: 'sendEmail',
    type: 'str',
    required: true,
    when: remind,
    suggestions: ['off', 'sendSms', 'sendEmail', 'sendBoth'],
    words: 'channel',
  },
  /** The signers to remind; if the list is empty, everyone who has not signed. */
  signers: {
    kind: 'any',
    initial: '',
    type: 'form',
    types: ['form', 'msg', 'flow', 'global', 'env', 'json', 'jsonata'],
    rows: remindedRow,
    when: remind,
  },

  deadline: {
    ...part,
    when: update,
    moment: 'ends',
    future: true,
    types: moments,
    path: 'advanced.timeToLive.deadline',
  },
  contactEmail: { ...prose, when: update, rule: 'email', path: 'contactDetails.email' },

  externalSignerId: { ...ofSigner, rule: 'ownId' },
  firstName: { ...prose, when: signer, path: 'signerInfo.firstName' },
  lastName: { ...prose, when: signer, path: 'signerInfo.lastName' },
  email: {
    ...prose,
    when: signer,
    rule: 'email',
    path: 'signerInfo.email',
    required: 'request',
    requiredWhen: { operation: ['addSigner'], notification: ['sendEmail'] },
  },
  mobileCountryCode: { ...phonePart, rule: 'countryCode', path: 'signerInfo.mobile.countryCode' },
  mobileNumber: {
    ...phonePart,
    rule: 'phone',
    path: 'signerInfo.mobile.number',
    required: 'request',
    requiredWhen: { operation: ['addSigner'], notification: ['sendSms'] },
  },
  notification: {
    ...ofSigner,
    rule: 'channel',
    path: 'notifications.setup.request',
    suggestions: ['off', 'sendSms', 'sendEmail', 'sendBoth'],
    words: 'channel',
  },
  mechanism: {
    ...ofSigner,
    path: 'signatureType.mechanism',
    suggestions: ['pkisignature', 'identification', 'handwritten', 'handwritten_with_identification'],
    words: 'mechanism',
  },
  order: { kind: 'number', initial: '', type: 'num', request: true, when: signer },

  file: {
    kind: 'file',
    initial: '',
    type: 'auto',
    types: ['auto', 'path', 'base64', 'msg', 'flow', 'global', 'env', 'jsonata', 'bin'],
    as: 'fileAs',
    required: 'request',
    requiredWhen: added,
    request: true,
    when: attachment,
    path: 'data',
  },
  fileAs: {
    kind: 'choice',
    initial: 'content',
    choices: ['content', 'path'],
    when: attachment,
    whenType: { file: ['msg', 'flow', 'global', 'env', 'jsonata'] },
  },
  baseFolder: {
    kind: 'text',
    initial: '',
    when: attachment,
    whenType: { file: ['path', 'msg', 'flow', 'global', 'env', 'jsonata'] },
  },
  fileName: {
    kind: 'string',
    initial: 'filename',
    type: 'msg',
    template: 'fileName',
    required: 'request',
    requiredWhen: { operation: ['addAttachment'] },
    requiredType: { file: ['base64', 'msg', 'flow', 'global', 'env', 'jsonata', 'bin'] },
    request: true,
    when: attachment,
  },
  attachmentType: { ...ofAttachment, path: 'type', suggestions: ['show_accept', 'read_accept', 'sign'] },
  attachmentSigners: { kind: 'any', initial: '', type: 'str', request: true, when: attachment, path: 'signers' },

  more: { ...more, when: changes },
  body: { ...body, when: changes },
} as const satisfies Fields
