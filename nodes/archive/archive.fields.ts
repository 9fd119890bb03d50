/** Settings of "archive". */
import type { Fields } from '../../lib/settings/fields'

const archived = { operation: ['archive'] } as const

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  operation: { kind: 'choice', initial: 'archive', choices: ['archive', 'check'] },
  documentId: { kind: 'id', initial: 'documentId', type: 'msg', required: true, when: archived },
  archiveFolder: { kind: 'string', initial: '', type: 'str', required: true },
  /**
   * The folder's name; `{title}` is the title of the document itself, which is known only after the service has
   * returned the document.
   */
  archiveAs: {
    kind: 'string',
    initial: '{date} {title}',
    type: 'tpl',
    template: 'later',
    required: true,
    when: archived,
  },
} as const satisfies Fields
