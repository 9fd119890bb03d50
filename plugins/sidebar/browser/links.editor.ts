/** Links of signers and files of documents: asked for when somebody presses the button, and kept nowhere. */
import type { TabContext } from './tab-context.editor'
import type { ActionAnswer, WaitingRow } from '../view'
import { text } from './words.editor'

/** Milliseconds after which a browser has surely taken what it was given. */
const takenMs = 60_000

/**
 * Opens the address of a person in a window of its own, or puts it on the clipboard. `position` is where the list shows
 * the person; somebody else may be there by now, so the name decides.
 */
export function openOrCopy(
  tab: TabContext,
  wait: string,
  { name, position }: { readonly name: string; readonly position: number },
  what: 'open' | 'copy',
): void {
  if (tab.rowState(wait).busy !== undefined) return
  // Now: a browser blocks a window that opens long after it was asked for.
  const page = what === 'open' ? window.open('about:blank', '_blank') : null
  if (page) page.opener = null
  tab.press({
    ...{ key: wait, name: `${what}-${position}`, url: 'eid/sidebar/waiting', body: { wait, action: 'link' } },
    done: (answer) => (linkOf(answer, name, position) === undefined ? text('gone') : text(`done.${what}`)),
    ended(answer) {
      const link = linkOf(answer, name, position)
      if (link === undefined) return page?.close()
      if (what === 'copy') RED.clipboard.copyText(link)
      else page?.location.replace(link)
    },
  })
}

/** The address of the one with this name; of several who have it, of the one at this position. */
function linkOf(answer: ActionAnswer | undefined, name: string, position: number): string | undefined {
  const links = answer?.links ?? []
  const link = (links[position]?.name === name ? links[position] : links.find((one) => one.name === name))?.url
  // Whatever else an answer may hold, it becomes no script of the editor.
  return link !== undefined && /^https?:/.test(link) ? link : undefined
}

/** Fetches the document; a plain link would come without the editor's own login. */
export function download(tab: TabContext, { wait, title, id }: WaitingRow): void {
  const state = tab.rowState(wait)
  if (state.busy !== undefined) return
  Object.assign(state, { busy: 'download', said: undefined })
  tab.update()
  const end = (words: string, ok: boolean) => {
    Object.assign(state, { busy: undefined, said: { text: words, ok } })
    tab.announce(words)
    tab.update()
  }
  $.ajax({ url: `eid/sidebar/file/${encodeURIComponent(wait)}`, xhrFields: { responseType: 'blob' } })
    .done((file: Blob) => {
      save(file, `${nameFor(title === '' ? id : title)}${endingOf(file.type)}`)
      end(text('done.download'), true)
    })
    .fail(() => end(text('failed'), false))
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), takenMs)
}

/** A name that every file system takes. */
const nameFor = (title: string) => title.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 100)

function endingOf(type: string): string {
  const endings: Readonly<Record<string, string>> = { 'application/pdf': '.pdf', 'text/plain': '.txt' }
  return endings[type.split(';')[0]?.trim() ?? ''] ?? (type.includes('xml') ? '.xml' : '')
}
