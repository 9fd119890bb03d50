/** Settings of "deposit cancel". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  depositId: { kind: 'id', initial: 'depositId', type: 'msg', required: true, suggest: 'deposits', completes: true },
} as const satisfies Fields
