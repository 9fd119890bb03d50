/**
 * Shows the whole sentence in the debug sidebar: for an error that no Catch node receives, it would show only the first
 * thirty characters of each part.
 */
import { box } from './dom.editor'

/** The sidebar cuts longer texts there, with a mark to unfold them. */
const shownLength = 80

/** Adds the whole sentence above what our nodes report. Versions without this hook stay unchanged. */
export function showSentences(): void {
  RED.hooks?.add('debugPostProcessMessage.eid', ({ message, element: entry, payload }) => {
    const sentence = sentenceOf(payload)
    if (!message.type?.startsWith('eid-') || sentence === undefined) return
    entry.find('.red-ui-debug-msg-payload').before(box('debug-sentence', sentence))
  })
}

/** The text of an error as Node-RED packs it, or of a warning too long to be shown whole. */
function sentenceOf(payload: unknown): string | undefined {
  const { data } = (payload ?? {}) as { data?: { message?: unknown } }
  if (typeof data?.message === 'string') return data.message
  return typeof payload === 'string' && payload.length > shownLength ? payload : undefined
}
