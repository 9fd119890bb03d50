/** The state shared by the sections of the tab: the server, what the person has opened, and what they have pressed. */
import type { ActionAnswer } from '../view'
import { text } from './words.editor'

/** The actions of a person in one row since the page was opened. */
export interface RowState {
  isOpen: boolean
  /** Its checkbox is ticked. */
  isSelected?: boolean
  /** An action that the person has to confirm. */
  confirm?: string
  /** Today's earlier reminder, before another one is sent. */
  earlier?: ActionAnswer['earlier']
  /** The reason being typed. */
  reason?: string
  /** The response to a button is outstanding. */
  isBusy?: boolean
  /** The result of the last button, and whether it succeeded. */
  said?: { readonly text: string; readonly ok: boolean }
}

export interface TabContext {
  /** Whether this person may perform actions here. */
  readonly mayWrite: boolean
  /** The server's clock. */
  now(): number
  rowState(key: string): RowState
  /** Shows local changes. */
  update(): void
  /** Asks the server again. */
  refresh(): void
  /** Announces it to a screen reader. */
  announce(words: string): void
  /**
   * Posts to the server once; further presses are ignored until the response. `key` is the row, which shows the result
   * with the texts of `done`.
   */
  press(press: Press): void
}

interface Press {
  readonly key: string
  /** Below the address of the tab's data. */
  readonly url: string
  readonly body: object
  readonly done?: string | ((answer: ActionAnswer) => string)
  /** Called at the end, with the response if it succeeded. */
  readonly ended?: (answer?: ActionAnswer) => void
}

/** Posts to the server, which answers in the language of the editor. */
export function post(url: string, body: object) {
  return $.ajax({
    // Relative, because the editor may be served below a path.
    url: `eid/sidebar/${url}`,
    method: 'POST',
    contentType: 'application/json',
    data: JSON.stringify({ ...body, lang: text('language') }),
  })
}

/** `refresh` asks the server again; `render` redraws known data; `status` is announced. */
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
          said(state, answer.ok ? wordsOf(answer) : (answer.text ?? text('failed')), answer.ok)
        })
        .fail(() => {
          ended?.()
          said(state, text('failed'), false)
        })
    },
  }
}
