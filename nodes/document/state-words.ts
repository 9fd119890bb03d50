/** Words for the status of a document, in place of the service's own. */

const known = ['unsigned', 'waiting_for_attachments', 'partialsigned', 'signed', 'canceled', 'expired']

/** The status as a parameter of a text: the key of its words, or the status itself when it is unknown. */
export function stateParam(state: string): string {
  return known.includes(state) ? `@words.documentStatus.${state}` : state
}
