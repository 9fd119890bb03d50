/** Names for the status of a document, in place of the service's own. */

const known = ['unsigned', 'waiting_for_attachments', 'partialsigned', 'signed', 'canceled', 'expired']

/** The status as a text parameter: the key of its name, or the status itself if it is unknown. */
export function stateParam(state: string): string {
  return known.includes(state) ? `@words.documentStatus.${state}` : state
}
