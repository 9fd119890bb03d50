/** Settings of "document". */
import type { Fields, TypedField } from '../../lib/fields'

const text = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
const moments = ['str', 'days', 'msg', 'flow', 'global', 'env', 'jsonata'] as const
const one = ['get', 'status', 'cancel', 'download', 'remind'] as const
const list = { operation: ['list'] } as const
const download = { operation: ['download'] } as const
const remind = { operation: ['remind'] } as const

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  operation: { kind: 'choice', initial: 'get', choices: ['get', 'status', 'list', 'cancel', 'download', 'remind'] },
  documentId: { kind: 'id', initial: 'documentId', type: 'msg', required: true, when: { operation: one } },

  externalId: { ...text, when: list },
  title: { ...text, when: list },
  status: {
    ...text,
    when: list,
    suggestions: ['unsigned', 'waiting_for_attachments', 'partialsigned', 'signed', 'canceled', 'expired'],
  },
  fromDate: { ...text, when: list, rule: 'dateTime', types: moments },
  toDate: { ...text, when: list, rule: 'dateTime', types: moments },
  limit: { kind: 'number', initial: '100', type: 'num', when: list },

  reason: { ...text, when: { operation: ['cancel'] } },

  fileFormat: {
    kind: 'string',
    initial: 'standard_packaging',
    type: 'str',
    required: true,
    when: download,
    suggestions: ['unsigned', 'native', 'standard_packaging', 'pades', 'xades'],
  },
  saveTo: { kind: 'string', initial: '', type: 'str', when: download },
  waitUntilReady: { kind: 'flag', initial: false, when: download },
  waitTimeout: { kind: 'number', initial: '300', type: 'num', when: download },

  notificationSetting: {
    kind: 'string',
    initial: 'sendEmail',
    type: 'str',
    required: true,
    when: remind,
    suggestions: ['off', 'sendSms', 'sendEmail', 'sendBoth'],
  },
  signers: { kind: 'any', initial: '', type: 'json', when: remind },
} as const satisfies Fields
