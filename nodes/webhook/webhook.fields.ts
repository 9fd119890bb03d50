/** Settings of "webhook". */
import type { Fields } from '../../lib/settings/fields'

const registering = { register: ['true'] }

export const fields = {
  name: { kind: 'label', initial: '' },
  path: { kind: 'text', initial: '/eid/webhook', required: true, rule: 'pagePath' },
  header: { kind: 'text', initial: 'X-EID-Signature', required: true },
  /** Name of a Node-RED context store; empty: the default one. */
  store: { kind: 'text', initial: '', contextStore: true },
  /** Lets several Node-REDs share the events; empty: this one alone. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
  register: { kind: 'flag', initial: false },
  client: { kind: 'config', initial: '', config: 'eid-client', when: registering },
  /** The address at which the service reaches this Node-RED. */
  publicUrl: { kind: 'text', initial: '', rule: 'url', required: true, when: registering },
  /** Types, separated by commas or spaces; `*` means all. */
  events: { kind: 'text', initial: '*', when: registering },
} as const satisfies Fields

/**
 * The secrets; Node-RED stores them apart from the flow. Two of them, so that one can be replaced without interruption.
 */
export const credentials = {
  secret: { type: 'password' },
  secret2: { type: 'password' },
} as const
