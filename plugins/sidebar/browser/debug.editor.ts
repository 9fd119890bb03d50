/**
 * Shows the whole sentence of an error in the debug sidebar. If no Catch node receives the error, the debug sidebar
 * alone would show only the first thirty characters of each part.
 */
import { box } from './dom.editor'

/** The debug sidebar shortens texts that are longer than this, and adds a mark to unfold them. */
const shownLength = 80

/** Adds the whole sentence above each message of our nodes. Node-RED versions without this hook show no sentence. */
export function showSentences(): void {
  RED.hooks?.add('debugPostProcessMessage.eid', ({ message, element: entry, payload }) => {
    const sentence = sentenceOf(payload)
    if (!message.type?.startsWith('eid-') || sentence === undefined) return
    entry.find('.red-ui-debug-msg-payload').before(box('debug-sentence', sentence))
  })
}

/**
 * The sentence in a message: the text of an error, as Node-RED packs it, or a warning that is too long to be shown
 * whole. Undefined for any other message.
 */
function sentenceOf(payload: unknown): string | undefined {
  const { data } = (payload ?? {}) as { data?: { message?: unknown } }
  if (typeof data?.message === 'string') return data.message
  return typeof payload === 'string' && payload.length > shownLength ? payload : undefined
}
