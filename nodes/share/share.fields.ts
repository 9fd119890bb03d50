/** Settings of "share". */
import type { Fields, TypedField } from '../../lib/settings/fields'
import { recipientRow as row, unidentified } from '../../lib/settings/recipient-row'
import { body, more } from '../../lib/settings/request-body'

const change = { operation: ['change'] } as const
const added = { operation: ['addRecipient'] } as const
const recipient = { operation: ['addRecipient', 'changeRecipient'] } as const
const part = { kind: 'string', initial: '', type: 'str', request: true, when: change } as const satisfies TypedField
/**
 * `asked`: for the form's fields about a recipient. `needed`: for those of these fields that a new recipient requires.
 */
const asked = { request: true, when: recipient } as const
const needed = { ...asked, required: 'request', requiredWhen: added } as const

const groups = {
  share: ['get', 'list', 'change', 'delete'],
  recipients: ['listRecipients', 'getRecipient', 'addRecipient', 'changeRecipient', 'removeRecipient', 'notify'],
} as const
const choices = [...groups.share, ...groups.recipients] as const

/** This form has no list of the share's content. */
const { among: _content, ...uploads } = row.uploads

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  operation: { kind: 'choice', initial: 'get', choices, groups },
  shareId: {
    kind: 'id',
    initial: 'shareId',
    type: 'msg',
    required: true,
    when: { operation: choices.filter((one) => one !== 'list') },
  },
  recipientId: {
    kind: 'id',
    initial: 'recipientId',
    type: 'msg',
    required: true,
    when: { operation: ['getRecipient', 'changeRecipient', 'removeRecipient', 'notify'] },
  },

  title: { ...part, type: 'tpl', template: true },
  description: { ...part, type: 'tpl', template: true },
  contactName: { ...part, path: 'contactDetails.name' },
  contactEmail: { ...part, path: 'contactDetails.email', rule: 'email' },
  contactPhone: { ...part, path: 'contactDetails.phone', rule: 'phone' },

  firstName: { ...row.firstName, ...needed },
  lastName: { ...row.lastName, ...needed },
  email: { ...row.email, ...needed, rule: 'email' },
  mobileCountryCode: { ...row.mobileCountryCode, ...needed },
  mobileNumber: { ...row.mobileNumber, ...needed },
  uploads: { ...uploads, ...asked },
  // This setting also applies to a request from the message, so ticking it does not mean that the form provides the
  // request.
  seeEverything: { kind: 'flag', initial: false, when: recipient },
  expires: { ...row.expires, ...needed, orAround: false },
  identityProvider: { ...row.identityProvider, ...needed, requiredWhen: { ...added, ...unidentified } },
  withoutIdentification: { ...row.withoutIdentification, ...asked },
  identityProviderUniqueId: { ...row.identityProviderUniqueId, ...asked },
  ssn: { ...row.ssn, ...asked },
  dateOfBirth: { ...row.dateOfBirth, ...asked },
  notificationRequest: { ...row.notificationRequest, ...asked },
  notificationReminder: { ...row.notificationReminder, ...asked },
  notificationLanguage: { ...row.notificationLanguage, ...asked },
  oneTimeLogin: { ...row.oneTimeLogin, ...asked },

  more: { ...more, when: { operation: ['change', 'addRecipient', 'changeRecipient'] } },
  body: { ...body, when: { operation: ['change', 'addRecipient', 'changeRecipient'] } },
} as const satisfies Fields
