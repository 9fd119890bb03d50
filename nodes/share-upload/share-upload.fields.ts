/** Settings of "share upload". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  shareId: { kind: 'id', initial: 'shareId', type: 'msg', required: true },
  contentId: { kind: 'id', initial: 'contentId', type: 'msg' },
  file: {
    kind: 'any',
    initial: 'payload',
    type: 'msg',
    types: ['msg', 'path', 'base64', 'flow', 'global', 'env', 'jsonata', 'bin'],
  },
  fileAs: { kind: 'choice', initial: 'content', choices: ['content', 'path'] },
  fileName: { kind: 'string', initial: 'filename', type: 'msg' },
  files: {
    kind: 'any',
    initial: 'files',
    type: 'msg',
    types: ['msg', 'flow', 'global', 'json', 'jsonata'],
  },
  baseFolder: { kind: 'text', initial: '' },
  progress: { kind: 'flag', initial: false },
} as const satisfies Fields
