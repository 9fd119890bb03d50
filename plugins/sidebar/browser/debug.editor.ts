/**
 * Lets the debug sidebar say what went wrong: of an error that no Catch node takes, it shows the first thirty letters
 * of each part, and the sentence for the person is longer.
 */
import { element } from './dom.editor'

/** Longer texts are cut there, with a mark to unfold them. */
const shownLength = 80

/** Puts the whole sentence above what our nodes report. Versions without this hook show what they always did. */
export function showSentences(): void {
  RED.hooks?.add('debugPostProcessMessage.eid', ({ message, element: entry, payload }) => {
    const sentence = sentenceOf(payload)
    if (!message.type?.startsWith('eid-') || sentence === undefined) return
    entry.find('.red-ui-debug-msg-payload').before(element('div', { class: 'eid-debug-sentence' }, sentence))
  })
}

/** The text of an error as Node-RED packs it, or of a warning too long to be shown whole. */
function sentenceOf(payload: unknown): string | undefined {
  const { data } = (payload ?? {}) as { data?: { message?: unknown } }
  if (typeof data?.message === 'string') return data.message
  return typeof payload === 'string' && payload.length > shownLength ? payload : undefined
}
