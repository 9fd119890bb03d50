/** Settings of "embed". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
  /** The address shown in the frame: a link of a signer or of a session. */
  url: { kind: 'string', initial: 'url', type: 'msg' },
  /**
   * The externalSignerId of a signer in `msg.signers`. If this is set, the frame shows the link of this signer instead
   * of `url`.
   */
  signer: { kind: 'string', initial: '', type: 'str' },
  /** What the page is for; `auto` derives it from the address and the message. */
  what: { kind: 'choice', initial: 'auto', choices: ['auto', 'document', 'session'] },
  documentId: { kind: 'id', initial: 'documentId', type: 'msg', when: { what: ['auto', 'document'] } },
  sessionId: { kind: 'id', initial: 'sessionId', type: 'msg', when: { what: ['auto', 'session'] } },
  /** The language of the page; if empty, the language of the visitor's browser. */
  language: {
    kind: 'string',
    initial: '',
    type: 'str',
    suggestions: ['EN', 'NO', 'SV', 'DA', 'FI', 'DE', 'NL'],
    words: 'language',
  },

  /** The path of the page, below `httpNodeRoot`. */
  path: { kind: 'text', initial: '/eid/page', required: true, rule: 'pagePath' },
  publicUrl: { kind: 'text', initial: '', rule: 'url' },
  /** Seconds that the signer app may take to start before a plain link is offered. */
  timeoutSeconds: { kind: 'count', initial: 15 },
  /** Lifetime of a page in minutes; if empty, 10 minutes for a session and a day for a document. */
  lifetime: { kind: 'number', initial: '', type: 'num', rule: 'positive' },
  /** The store in which several Node-REDs share the pages; if empty, this Node-RED keeps its own pages. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
  /** Origins that may show the page in a frame, separated by spaces; may be empty. */
  frameAncestors: { kind: 'text', initial: '', rule: 'origins' },
  /**
   * The address to which the visitor continues after a confirmed result; `{sessionId}` and `{documentId}` are filled
   * in.
   */
  continueAt: { kind: 'string', initial: '', type: 'str', rule: 'url' },
  /** Further origins that may be shown in the frame, such as those of identity providers. */
  frameSources: { kind: 'text', initial: '', rule: 'origins' },
} as const satisfies Fields
