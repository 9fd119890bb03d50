/** Settings of "deposit". */
import type { Fields, TypedField } from '../../lib/settings/fields'
import { body, more } from '../../lib/settings/request-body'

const create = { operation: ['create'] } as const
const change = { operation: ['create', 'change'] } as const
const list = { operation: ['list'] } as const
const moments = ['str', 'days', 'msg', 'flow', 'global', 'env', 'jsonata'] as const
const fromElsewhere = ['msg', 'flow', 'global', 'env', 'jsonata'] as const

const text = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
const part = { ...text, request: true, when: create } as const satisfies TypedField
const amount = { kind: 'number', initial: '', type: 'num', request: true, when: create, rule: 'price' } as const
const moment = { ...part, moment: 'ends', types: moments } as const
const ofLandlord = { ...part, when: change } as const
const folded = { ...text, folded: true } as const

const tenantRow = {
  firstName: { ...text, type: 'tpl', template: true, path: 'info.firstName', required: true },
  lastName: { ...text, type: 'tpl', template: true, path: 'info.lastName', required: true },
  email: { ...text, type: 'tpl', template: true, path: 'info.email', rule: 'email' },
  mobile: { ...text, type: 'tpl', template: true, path: 'info.mobile', rule: 'phone' },
  nationality: { ...text, path: 'info.nationality' },
  street: { ...folded, path: 'info.address.street' },
  postalCode: { ...folded, path: 'info.address.postalCode' },
  city: { ...folded, path: 'info.address.city' },
  country: { ...folded, path: 'info.address.country' },
  externalId: folded,
  aml: { kind: 'boolean', initial: '', type: 'bool', folded: true },
  language: { ...folded, path: 'ui.language', suggestions: ['EN', 'NO', 'DA', 'SV', 'FI'], words: 'language' },
  flow: { ...folded, suggestions: ['redirect', 'iframe'] },
  successUrl: { ...folded, path: 'redirectSettings.success', rule: 'url' },
  cancelUrl: { ...folded, path: 'redirectSettings.cancel', rule: 'url' },
  errorUrl: { ...folded, path: 'redirectSettings.error', rule: 'url' },
} as const satisfies Fields

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  operation: { kind: 'choice', initial: 'get', choices: ['create', 'get', 'list', 'change'] },
  depositId: {
    kind: 'id',
    initial: 'depositId',
    type: 'msg',
    required: true,
    suggest: 'deposits',
    completes: true,
    when: { operation: ['get', 'change'] },
  },
  queryPayment: { kind: 'flag', initial: false, when: { operation: ['get'] } },

  depositStatus: {
    ...text,
    when: list,
    suggestions: ['CREATED', 'SIGNED', 'PAID_PARTIAL', 'PAID', 'TERMINATED'],
  },
  fromDate: { ...text, when: list, moment: 'begins', types: moments },
  limit: { kind: 'number', initial: '300', type: 'num', rule: 'whole', when: list },

  depositAmount: { ...amount, path: 'contract.depositAmount', together: 'deposit' },
  monthlyRent: { ...amount, path: 'contract.monthlyRent' },
  depositFactor: { ...amount, path: 'contract.depositFactor' },
  paymentDeadline: { ...moment, future: true, path: 'contract.paymentDeadline' },
  from: { ...moment, path: 'contract.from', moment: 'begins' },
  to: { ...moment, path: 'contract.to' },
  file: {
    kind: 'file',
    initial: '',
    type: 'auto',
    types: ['auto', 'path', 'base64', ...fromElsewhere, 'bin'],
    as: 'fileAs',
    request: true,
    when: create,
    path: 'contract.dataToSign.rentContractPDF',
  },
  fileAs: {
    kind: 'choice',
    initial: 'content',
    choices: ['content', 'path'],
    when: create,
    whenType: { file: fromElsewhere },
  },
  baseFolder: { kind: 'text', initial: '', when: create, whenType: { file: ['path', ...fromElsewhere] } },
  externalId: part,
  contactEmail: { ...part, path: 'contactDetails.email', rule: 'email' },

  tenants: {
    kind: 'array',
    initial: '',
    type: 'form',
    types: ['form', 'msg', 'flow', 'global', 'json', 'jsonata', 'env'],
    rows: tenantRow,
    json: 'array',
    required: 'request',
    requiredWhen: create,
    request: true,
    when: create,
  },

  landlordName: { ...part, path: 'landlord.name', required: 'request', requiredWhen: create },
  organizationNumber: { ...ofLandlord, path: 'landlord.organizationNumber' },
  landlordSsn: { ...ofLandlord, path: 'landlord.ssn' },
  landlordStreet: { ...ofLandlord, path: 'landlord.address.street' },
  landlordPostalCode: { ...ofLandlord, path: 'landlord.address.postalCode' },
  landlordCity: { ...ofLandlord, path: 'landlord.address.city' },
  landlordCountry: { ...ofLandlord, path: 'landlord.address.country' },
  representativeSignature: {
    kind: 'boolean',
    initial: '',
    type: 'bool',
    request: true,
    when: create,
    path: 'landlord.representativeSignature',
  },

  homeAddress: { ...part, path: 'rentObject.address' },
  homeAddress2: { ...part, path: 'rentObject.address2' },
  homePostalCode: { ...part, path: 'rentObject.postalCode' },
  homeCity: { ...part, path: 'rentObject.city' },
  homeCountry: { ...part, path: 'rentObject.country' },

  tags: { kind: 'any', initial: '', type: 'str', request: true, when: create, path: 'advanced.tags' },
  more: { ...more, when: change },
  body: { ...body, when: change },
} as const satisfies Fields
