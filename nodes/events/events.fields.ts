/** Settings of "events". */
import type { Fields } from '../../lib/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  /** Seconds between two questions to the queue. */
  interval: { kind: 'count', initial: 10 },
  acknowledge: { kind: 'choice', initial: 'on-delivery', choices: ['on-delivery', 'when-returned'] },
  /** Separated by commas; empty is every type. */
  eventTypes: {
    kind: 'text',
    initial: '',
    suggestions: [
      'document_signed',
      'document_partially_signed',
      'document_packaged',
      'document_canceled',
      'document_expired',
      'share_recipients_authenticated',
      'share_downloaded',
      'deposit_fully_funded',
      'deposit_terminated',
    ],
  },
  /** Separated by commas; empty is every event. */
  tags: { kind: 'text', initial: '' },
  /** Of a message that comes back: the event it was about. */
  eventId: { kind: 'id', initial: 'eventId', type: 'msg', required: true },
} as const satisfies Fields
