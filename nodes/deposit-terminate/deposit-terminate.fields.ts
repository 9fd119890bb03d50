/** Settings of "deposit terminate". */
import type { Fields, TypedField } from '../../lib/settings/fields'
import { body } from '../../lib/settings/request-body'

const text = { kind: 'string', initial: '', type: 'str', request: true } as const satisfies TypedField
const categories = ['TENANT', 'SPLIT'] as const
const split = { category: ['SPLIT'] } as const
const part = { kind: 'number', initial: '', type: 'num', request: true, rule: 'amount', when: split } as const
const needed = { required: 'request', requiredWhen: split } as const

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  depositId: { kind: 'id', initial: 'depositId', type: 'msg', required: true, suggest: 'deposits', completes: true },
  category: { ...text, required: 'request', choices: categories, suggestions: categories },
  username: { ...text, required: 'request' },
  amountTenant: { ...part, ...needed, path: 'amount.tenant' },
  amountLandlord: { ...part, ...needed, path: 'amount.landlord', together: 'split' },
  kid: { ...text, when: split, path: 'transactionInfo.landlord.kid', rule: 'kid', ruleUnless: 'sendAnyKid' },
  // The flag also applies to a request from the message, for which the form's category is empty.
  sendAnyKid: { kind: 'flag', initial: false, when: { category: ['SPLIT', ''] } },
  landlordDescription: {
    ...text,
    type: 'tpl',
    template: true,
    when: split,
    path: 'transactionInfo.landlord.description',
  },
  expectedTotal: { kind: 'number', initial: '', type: 'num', rule: 'amount', guard: true },
  dryRun: { kind: 'boolean', initial: 'false', type: 'bool', guard: true },
  body,
} as const satisfies Fields
