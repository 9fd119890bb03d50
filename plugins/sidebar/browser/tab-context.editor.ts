/** What the sections of the tab share: the requests to the server, and what the user has opened and pressed. */
import type { ActionAnswer } from '../../../lib/page/view'
import { text } from './words.editor'

/** What the user has done in one row since the page was opened. */
export interface RowState {
  isOpen: boolean
  /** Whether the row's checkbox is ticked. */
  isSelected?: boolean
  /** An action that the user still has to confirm. */
  confirm?: string
  /** The reminder that was already sent today; the user has to confirm another one. */
  earlier?: ActionAnswer['earlier']
  /** The reason for canceling, as typed so far. */
  reason?: string
  /** Whether a button was pressed and its response has not arrived yet. */
  isBusy?: boolean
  /** The result of the last button, and whether it succeeded. */
  said?: { readonly text: string; readonly ok: boolean }
}

export interface TabContext {
  /** Whether the user may perform actions here. */
  readonly mayWrite: boolean
  /** The server's clock. */
  now(): number
  rowState(key: string): RowState
  /** Redraws the tab after a change of local state. */
  update(): void
  /** Requests the data from the server again. */
  refresh(): void
  /** Announces the words to a screen reader. */
  announce(words: string): void
  /**
   * Posts to the server once, and ignores further presses in the same row until the response arrives. The row with this
   * `key` shows the result: after a success, the text `done`.
   */
  press(press: Press): void
}

interface Press {
  readonly key: string
  /** The address, relative to the address of the tab's data. */
  readonly url: string
  readonly body: object
  readonly done?: string | ((answer: ActionAnswer) => string)
  /** Called at the end; with the response if the action succeeded. */
  readonly ended?: (answer?: ActionAnswer) => void
}

/** Posts to the server, which answers in the language of the editor. */
export function post(url: string, body: object) {
  return $.ajax({
    // The address is relative, because the editor may be served below a path.
    url: `eid/sidebar/${url}`,
    method: 'POST',
    contentType: 'application/json',
    data: JSON.stringify({ ...body, lang: text('language') }),
  })
}

/**
 * The sentence of a response that reports a failure. If it has no sentence, Node-RED could not be reached, or the
 * user is no longer logged in.
 */
export function sentenceOf(answer: unknown): string {
  const { text: words } = (answer ?? {}) as Partial<ActionAnswer>
  return words ?? text('failed')
}

/**
 * `refresh` requests the data from the server again; `render` redraws known data; `status` is the element whose text
 * screen readers announce.
 */
export function createContext(
  status: HTMLElement,
  now: () => number,
  { refresh, render }: { refresh: () => void; render: () => void },
): TabContext {
  const states = new Map<string, RowState>()
  const rowState = (key: string): RowState => {
    const known = states.get(key) ?? { isOpen: false }
    states.set(key, known)
    return known
  }
  const announce = (words: string) => void (status.textContent = words)
  const said = (state: RowState, words: string, ok: boolean) => {
    Object.assign(state, { isBusy: false, said: words === '' ? undefined : { text: words, ok } })
    announce(words)
    render()
    refresh()
  }
  return {
    mayWrite: RED.user.hasPermission('eid.write'),
    now,
    rowState,
    announce,
    update: render,
    refresh,
    press({ key, url, body, done = '', ended }) {
      const state = rowState(key)
      if (state.isBusy) return
      const wordsOf = (answer: ActionAnswer) => (typeof done === 'string' ? done : done(answer))
      Object.assign(state, { isBusy: true, said: undefined, confirm: undefined })
      render()
      post(url, body)
        .done((answer: ActionAnswer) => {
          ended?.(answer.ok ? answer : undefined)
          said(state, answer.ok ? wordsOf(answer) : sentenceOf(answer), answer.ok)
        })
        .fail(({ responseJSON }) => {
          ended?.()
          said(state, sentenceOf(responseJSON), false)
        })
    },
  }
}
