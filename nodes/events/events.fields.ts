/** Settings of "events". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  /** Seconds between two pulls. */
  interval: { kind: 'count', initial: 10 },
  /** Types and tags of the events to pull, separated by commas or spaces; if empty, all events are pulled. */
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
  /** The store in which several Node-REDs share the record of events; if empty, each Node-RED has its own record. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
