/** Settings of "request". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  method: {
    kind: 'string',
    initial: 'GET',
    type: 'str',
    required: true,
    choices: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    suggestions: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  },
  path: {
    kind: 'string',
    initial: '',
    type: 'str',
    required: true,
    rule: 'callPath',
    suggest: 'calls',
    completes: true,
  },
  query: { kind: 'object', initial: '', type: 'json' },
  body: { kind: 'any', initial: 'payload', type: 'msg', types: ['msg', 'json', 'flow', 'global', 'env', 'jsonata'] },
  response: { kind: 'choice', initial: 'object', choices: ['object', 'text', 'buffer'] },
} as const satisfies Fields
