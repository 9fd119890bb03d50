/** Links of signers and files of documents. They are requested when a user presses a button, and are not stored. */
import { titleOf } from './row.editor'
import { sentenceOf, type TabContext } from './tab-context.editor'
import type { WaitingRow } from '../view'
import type { ActionAnswer } from '../../../lib/page/view'
import { text } from './words.editor'

/** Milliseconds after which an object URL is revoked; by then, the browser has certainly read it. */
const takenMs = 60_000

/**
 * Opens a signer's link in a new window, or copies it to the clipboard. `position` is the signer's index in the shown
 * list. The name decides, because another signer may have this index by now.
 */
export function openOrCopy(
  tab: TabContext,
  wait: string,
  { name, position }: { readonly name: string; readonly position: number },
  what: 'open' | 'copy',
): void {
  if (tab.rowState(wait).isBusy) return
  const page = what === 'open' ? newWindow() : null
  tab.press({
    key: wait,
    url: 'waiting',
    body: { wait, action: 'link' },
    done: (answer) => (linkOf(answer, name, position) === undefined ? text('gone') : text(`done.${what}`)),
    ended(answer) {
      const link = linkOf(answer, name, position)
      if (link === undefined) return page?.close()
      if (what === 'copy') RED.clipboard.copyText(link)
      else page?.location.replace(link)
    },
  })
}

/** The link of the signer with this name; if several signers have this name, the link of the one at this position. */
function linkOf(answer: ActionAnswer | undefined, name: string, position: number): string | undefined {
  const links = answer?.links ?? []
  const link = (links[position]?.name === name ? links[position] : links.find((one) => one.name === name))?.url
  // Only web addresses are accepted, because any other link, such as `javascript:`, could run as a script of the
  // editor.
  return link !== undefined && /^https?:/.test(link) ? link : undefined
}

/** Downloads the document as the signers got it. */
export function download(tab: TabContext, row: WaitingRow): void {
  const { wait } = row
  fetchFile(tab, { key: wait, name: titleOf(row), url: `file/${encodeURIComponent(wait)}` }, 'download')
}

interface WantedFile {
  /** The key of the row that shows the result. */
  readonly key: string
  readonly name: string
  /** The address of the file, relative to the tab's routes. */
  readonly url: string
}

/**
 * Saves a file, or opens it in a new window. A script requests the file, because a plain link would not send the
 * editor's login.
 */
export function fetchFile(tab: TabContext, { key, name, url }: WantedFile, what: 'open' | 'download'): void {
  const state = tab.rowState(key)
  if (state.isBusy) return
  Object.assign(state, { isBusy: true, said: undefined })
  tab.update()
  const page = what === 'open' ? newWindow() : null
  const end = (words: string, ok: boolean) => {
    Object.assign(state, { isBusy: false, said: { text: words, ok } })
    tab.announce(words)
    tab.update()
  }
  // The request is kept, because jQuery does not pass the bytes of a failed response on.
  const request = new XMLHttpRequest()
  $.ajax({
    url: `eid/sidebar/${url}`,
    data: { lang: text('language') },
    xhr: () => request,
    xhrFields: { responseType: 'blob' },
  })
    .done((file: Blob) => {
      if (page && isShown(file)) {
        page.location.replace(addressOf(file))
        return end(text('done.opened'), true)
      }
      page?.close()
      save(file, `${nameFor(name)}${endingOf(file.type)}`)
      end(text(what === 'open' ? 'done.savedInstead' : 'done.download'), true)
    })
    .fail(() => {
      page?.close()
      void failureIn(request.response as Blob | null).then((words) => end(words, false))
    })
}

/** The sentence in the JSON that came instead of the file. */
const failureIn = (response: Blob | null) =>
  new Response(response)
    .json()
    .catch(() => undefined)
    .then(sentenceOf)

/** Opens a window during the click, because a browser blocks a window that is opened long after the click. */
function newWindow(): Window | null {
  const page = window.open('about:blank', '_blank')
  if (page) page.opener = null
  return page
}

/**
 * Whether a browser shows this file without running any part of it. An HTML page, in contrast, would run as a page of
 * the editor.
 */
const isShown = ({ type }: Blob) => /^application\/pdf\b/.test(type)

function addressOf(file: Blob): string {
  const url = URL.createObjectURL(file)
  setTimeout(() => URL.revokeObjectURL(url), takenMs)
  return url
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  Object.assign(link, { href: addressOf(file), download: name })
  link.click()
}

/** A name that every file system accepts. */
const nameFor = (title: string) => title.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 100)

function endingOf(type: string): string {
  const endings: Readonly<Record<string, string>> = {
    'application/pdf': '.pdf',
    'text/plain': '.txt',
    'text/csv': '.csv',
  }
  return endings[type.split(';')[0]?.trim() ?? ''] ?? (type.includes('xml') ? '.xml' : '')
}
