/** Settings of "embed". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  /** The address shown in the frame: a signer's or a session's. */
  url: { kind: 'string', initial: 'url', type: 'msg' },
  /** Shows the address of this signer of `msg.signers` instead, by externalSignerId. */
  signer: { kind: 'string', initial: '', type: 'str' },
  /** `auto` finds out from the address and the message. */
  what: { kind: 'choice', initial: 'auto', choices: ['auto', 'document', 'session'] },
  documentId: { kind: 'id', initial: 'documentId', type: 'msg', when: { what: ['auto', 'document'] } },
  sessionId: { kind: 'id', initial: 'sessionId', type: 'msg', when: { what: ['auto', 'session'] } },
  /** Empty: the language of the visitor's browser. */
  language: {
    kind: 'string',
    initial: '',
    type: 'str',
    suggestions: ['EN', 'NO', 'SV', 'DA', 'FI', 'DE', 'NL'],
    words: 'language',
  },

  /** Below `httpNodeRoot`. */
  path: { kind: 'text', initial: '/eid/page', required: true, rule: 'pagePath' },
  publicUrl: { kind: 'text', initial: '', rule: 'url' },
  /** Seconds that the signer app may take to start before a plain link is offered. */
  timeoutSeconds: { kind: 'count', initial: 15 },
  /** Lifetime of a page in minutes; empty: 10 for a session and a day for a document. */
  lifetime: { kind: 'number', initial: '', type: 'num', rule: 'positive' },
  /** Name of a Node-RED context store; empty: the default one, or files if that loses data. */
  store: { kind: 'text', initial: '', contextStore: true },
  /** Lets several Node-REDs share the pages; empty: this one alone. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
  /** Origins that may show the page in a frame, separated by spaces; may be empty. */
  frameAncestors: { kind: 'text', initial: '', rule: 'origins' },
  /** Where the visitor goes after a confirmed result; `{sessionId}` and `{documentId}` are filled in. */
  continueAt: { kind: 'string', initial: '', type: 'str', rule: 'url' },
  /** Further origins that may be shown in the frame, such as those of identity providers. */
  frameSources: { kind: 'text', initial: '', rule: 'origins' },
} as const satisfies Fields
