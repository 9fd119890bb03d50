/** Settings of "events". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  /** Seconds between two pulls. */
  interval: { kind: 'count', initial: 10 },
  /** Types and tags, separated by commas or spaces; empty: all. */
  eventTypes: { kind: 'text', initial: '' },
  tags: { kind: 'text', initial: '' },
  acknowledge: { kind: 'choice', initial: 'on-delivery', choices: ['on-delivery', 'when-returned'] },
  eventId: {
    kind: 'id',
    initial: 'eventId',
    type: 'msg',
    required: true,
    when: { acknowledge: ['when-returned'] },
  },
  /** Lets several Node-REDs share the record of events; empty: each has its own. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
