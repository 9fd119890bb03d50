/** Settings of "share upload". */
import type { Fields } from '../../lib/settings/fields'

/** A file in the list of the form. */
const fileRow = {
  contentId: { kind: 'string', initial: '', type: 'str', suggest: 'shareItems' },
  file: {
    kind: 'any',
    initial: '',
    type: 'path',
    types: ['path', 'msg', 'flow', 'global', 'env', 'jsonata'],
    required: true,
  },
  fileName: { kind: 'string', initial: '', type: 'str', folded: true },
} as const satisfies Fields

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
    initial: '',
    type: 'form',
    types: ['form', 'msg', 'flow', 'global', 'json', 'jsonata'],
    rows: fileRow,
  },
  baseFolder: { kind: 'text', initial: '' },
  progress: { kind: 'flag', initial: false },
} as const satisfies Fields
