/** Settings of "share create". */
import type { Fields, TypedField } from '../../lib/settings/fields'
import { recipientRow } from '../../lib/settings/recipient-row'
import { body, more } from '../../lib/settings/request-body'

/** A field for free text that may contain fields in braces. */
const text = {
  kind: 'string',
  initial: '',
  type: 'tpl',
  template: true,
  request: true,
} as const satisfies TypedField
const cell = { kind: 'string', initial: '', type: 'str' } as const satisfies TypedField
const rowTypes = ['form', 'msg', 'flow', 'global', 'json', 'jsonata', 'env'] as const

const contentRow = {
  id: { ...cell, required: 'request', newRowValue: 'file-__n__', unique: true, folded: true },
  name: { ...cell, type: 'tpl', template: true, required: 'request' },
  type: { ...cell, newRowValue: 'file', suggestions: ['file'], folded: true },
} as const satisfies Fields

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  title: { ...text, required: 'request', path: ['information.title', 'information.name'] },
  description: { ...text, required: 'request', path: 'information.description' },
  content: {
    kind: 'array',
    initial: '',
    type: 'form',
    types: rowTypes,
    rows: contentRow,
    json: 'array',
    required: 'request',
    request: true,
  },
  recipients: {
    kind: 'array',
    initial: '',
    type: 'form',
    types: rowTypes,
    rows: recipientRow,
    json: 'array',
    required: 'request',
    request: true,
  },
  expires: {
    kind: 'any',
    initial: '',
    type: 'str',
    types: ['str', 'days', 'num', 'msg', 'flow', 'global', 'env', 'jsonata'],
    moment: 'ends',
    future: true,
    request: true,
  },
  seeEverything: { kind: 'flag', initial: false },
  /** The owner's e-mail address, to which the service sends a notice when a recipient has logged in. */
  loginNoticeTo: { ...cell, path: 'senders', rule: 'email', request: true },
  more,
  body,
} as const satisfies Fields
