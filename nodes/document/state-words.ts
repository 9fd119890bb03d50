/** Names for the status of a document, in place of the service's own. */

const known = ['unsigned', 'waiting_for_attachments', 'partialsigned', 'signed', 'canceled', 'expired']

/** Returns the status as a parameter of a text: the key of the status's name, or the status itself if it is unknown. */
export function stateParam(state: string): string {
  return known.includes(state) ? `@words.documentStatus.${state}` : state
}
