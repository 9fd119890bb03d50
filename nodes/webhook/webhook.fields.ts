/** Settings of "webhook". */
import type { Fields } from '../../lib/settings/fields'

const registering = { register: ['true'] }

export const fields = {
  name: { kind: 'label', initial: '' },
  path: { kind: 'text', initial: '/eid/webhook', required: true, rule: 'pagePath' },
  header: { kind: 'text', initial: 'X-EID-Signature', required: true },
  /** The store in which several Node-REDs share the events; if empty, this Node-RED keeps its own events. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
  register: { kind: 'flag', initial: false },
  client: { kind: 'config', initial: '', config: 'eid-client', when: registering },
  /** The address at which the service reaches this Node-RED. */
  publicUrl: { kind: 'text', initial: '', rule: 'url', required: true, when: registering },
  /** Types of the events to receive, separated by commas or spaces; `*` means all. */
  events: { kind: 'text', initial: '*', when: registering },
} as const satisfies Fields

/**
 * The secrets; Node-RED stores them apart from the flow. There are two secrets, so that one of them can be replaced
 * without interruption. The form marks a secret with a star if `starred`.
 */
export const credentials = {
  secret: { type: 'password', starred: true },
  secret2: { type: 'password' },
} as const
