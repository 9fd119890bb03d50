/**
 * Draws the rows of the page. If a row has changed, all rows are redrawn, but a row whose buttons a person is using
 * keeps its state.
 */
import { isReadable } from '../../../lib/common/readable'
import type { Person } from '../../../lib/page/view'
import type { OverviewRow, OverviewView, PageAction, PressAnswer } from '../view'
import { element } from '../../../lib/page/dom'
import { button } from './dom.page'
import type { Words } from './words.page'

export type PressButton = (order: {
  readonly id: string
  readonly action: PageAction
  readonly reason: string
  readonly again: boolean
}) => Promise<PressAnswer>

/** The state of a row whose buttons a person is using. */
interface RowState {
  /** The action that the person has to confirm first. */
  asked?: PageAction | undefined
  isBusy: boolean
  reason: string
  /** The reminder of earlier today. */
  earlier?: PressAnswer['earlier']
  said?: { readonly isGood: boolean; readonly text: string }
}

interface RowList {
  readonly list: HTMLElement
  show(view: OverviewView): void
}

export function createRowList(words: Words, press: PressButton): RowList {
  const { text } = words
  const list = element('ul', { class: 'rows' })
  const states = new Map<string, RowState>()
  let view: OverviewView | undefined
  let drawn = ''

  const stateOf = (id: string): RowState => {
    const known = states.get(id) ?? { isBusy: false, reason: '' }
    states.set(id, known)
    return known
  }
  const focus = (key: string) => list.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus()
  const draw = () => {
    if (!view) return
    const { rows, now } = view
    const focused = (document.activeElement as HTMLElement | null)?.dataset.key
    list.replaceChildren(...rows.map((row) => item(row, now)))
    // The redrawn button gets the focus back, if its row still exists.
    if (focused !== undefined) focus(focused)
  }
  const ask = (row: OverviewRow, action: PageAction) => {
    Object.assign(stateOf(row.id), { asked: action, said: undefined })
    draw()
    // The focus is on the button that changes nothing.
    focus(`${row.id} keep`)
  }
  const act = async (row: OverviewRow, action: PageAction) => {
    const state = stateOf(row.id)
    // A reminder that had to be confirmed is another one on the same day.
    const again = action === 'remind' && state.asked === action
    Object.assign(state, { isBusy: true, said: undefined })
    draw()
    const answer = await press({ id: row.id, action, reason: state.reason, again })
    Object.assign(state, { isBusy: false, asked: undefined, earlier: answer.earlier })
    if (answer.earlier) return ask(row, action)
    state.said = saidOf(words, action, answer)
    draw()
  }
  const item = (row: OverviewRow, now: number) => {
    const state = stateOf(row.id)
    return element(
      'li',
      {},
      element('div', { class: 'row' }, content(words, row, now), state.asked ? undefined : buttons(row, state)),
      state.asked && confirmation(row, state, state.asked, now),
      state.said && element('p', { role: 'status', class: state.said.isGood ? 'soft' : 'problem' }, state.said.text),
    )
  }
  const buttons = (row: OverviewRow, state: RowState) => {
    const made = row.actions.map((action) => {
      const key = `${row.id} ${action}`
      const one = button(
        text(`actions.${action}`),
        () => (action === 'remind' ? void act(row, action) : ask(row, action)),
        { key, name: `${text(`actions.${action}`)}: ${row.title}` },
      )
      one.disabled = state.isBusy
      return one
    })
    return element('div', { class: 'buttons' }, ...made)
  }
  const confirmation = (row: OverviewRow, state: RowState, action: PageAction, now: number) =>
    confirmationOf(words, row, state, questionOf(words, row, action, { ...state, now }), {
      sure: () => void act(row, action),
      keep: () => {
        state.asked = undefined
        draw()
        focus(`${row.id} ${action}`)
      },
    })
  return {
    list,
    show(next) {
      view = Object.assign({}, next, { rows: next.rows.map((row) => named(words, row)) })
      const there = new Set(next.rows.map(({ id }) => id))
      for (const id of states.keys()) if (!there.has(id)) states.delete(id)
      // Rows are also redrawn every minute, because they contain relative times.
      const seen = JSON.stringify([next.rows, Math.floor(next.now / 60_000)])
      if (seen === drawn) return
      drawn = seen
      draw()
    },
  }
}

/** What the row says after a press. */
function saidOf({ text }: Words, action: PageAction, { ok, channel, text: said }: PressAnswer): RowState['said'] {
  const done = text(action === 'remind' ? `reminded.${String(channel)}` : `done.${action}`)
  return { isGood: ok, text: said ?? (ok ? done : text('failed')) }
}

/** A row without a title that a person can read is called by its kind. */
function named({ text }: Words, row: OverviewRow): OverviewRow {
  if (row.kind === undefined || isReadable(row.title)) return row
  return Object.assign({}, row, { title: text(`kinds.${row.kind}`) })
}

interface Question {
  readonly action: PageAction
  readonly text: string
  readonly keep: string
  readonly sure: string
}

function questionOf(
  { text, moment }: Words,
  { title }: OverviewRow,
  action: PageAction,
  { earlier, now }: Pick<RowState, 'earlier'> & { readonly now: number },
): Question {
  if (action !== 'remind') {
    const end = { keep: text('keep'), sure: text(`sure.${action}`) }
    return { action, text: text(`confirm.${action}`, { title }), ...end }
  }
  const { at = now, by = '', isSure = false } = earlier ?? {}
  const key = isSure ? (by === '' ? 'earlier' : 'earlierBy') : 'maybe'
  const asked = text(`reminded.${key}`, { title, at: moment(at, now), name: by })
  return { action, text: asked, keep: text('keepReminder'), sure: text('sureReminder') }
}

/** Draws the confirmation for an action that can't be undone. */
function confirmationOf(
  { text }: Words,
  row: OverviewRow,
  state: RowState,
  question: Question,
  act: { readonly keep: () => void; readonly sure: () => void },
): HTMLElement {
  const reason = element('input', { type: 'text', maxlength: '200', 'data-key': `${row.id} reason` })
  reason.value = state.reason
  reason.addEventListener('input', () => (state.reason = reason.value))
  const keep = button(question.keep, act.keep, { key: `${row.id} keep` })
  const sure = button(question.sure, act.sure, { key: `${row.id} sure`, className: 'danger' })
  keep.disabled = sure.disabled = state.isBusy
  return element(
    'div',
    { class: 'confirm', role: 'group', 'aria-label': text(`actions.${question.action}`) },
    element('p', {}, question.text),
    element(
      'div',
      { class: 'buttons' },
      question.action === 'cancel' && element('label', {}, text('reason'), reason),
      keep,
      sure,
    ),
  )
}

function content(words: Words, row: OverviewRow, now: number): HTMLElement {
  const { text } = words
  const { title, kind, people, since, until, ended, reminded, urgency, flow, progress, elsewhere } = row
  const at = (key: string, moment: number) =>
    text(key, { at: words.moment(moment, now), span: words.span(moment, now) })
  const about = [
    kind !== undefined && text(`kinds.${kind}`),
    since !== undefined && at('since', since),
    until !== undefined && at(progress ? 'doneAt' : 'until', until),
    // An error happens at one moment, so it has no "since".
    ended !== undefined && at(since === undefined ? 'at' : 'ended', ended),
    reminded &&
      text(reminded.by === '' ? 'lastReminder' : 'lastReminderBy', {
        at: words.moment(reminded.at, now),
        name: reminded.by,
      }),
    flow,
  ].filter((one) => typeof one === 'string' && one !== '')
  return element(
    'div',
    {},
    element('h2', {}, title, urgency && ' ', urgency && element('span', { class: 'chip' }, text(`urgency.${urgency}`))),
    elsewhere !== undefined && element('p', {}, text('elsewhere', { service: elsewhere })),
    row.text !== undefined && element('p', {}, row.text),
    progress && progressOf(words, title, progress),
    people.length > 0 && element('ul', { class: 'people' }, ...people.map((one) => person(words, one, now))),
    element('p', { class: 'soft' }, about.join(' · ')),
  )
}

function person(words: Words, { name, since, done, last }: Person, now: number): HTMLElement {
  const { text } = words
  const parts = [
    since !== undefined && words.span(since, now),
    done && text('personDone'),
    last && text(`last.${last.what}`),
  ]
  const known = parts.filter(Boolean).join(', ')
  return element('li', {}, name === '' ? text('unnamed') : name, known !== '' && ` (${known})`)
}

function progressOf(
  words: Words,
  title: string,
  { done, failed, changed, total, paused }: NonNullable<OverviewRow['progress']>,
): HTMLElement {
  const { text, figure } = words
  const bar = element('progress', {
    'aria-label': title,
    max: String(Math.max(1, total)),
    value: String(done + failed + changed),
  })
  const parts = [
    text('progress', { count: figure(done), total: figure(total) }),
    failed > 0 && text('failedRows', { count: figure(failed) }),
    changed > 0 && text('changedRows', { count: figure(changed) }),
    paused && text('paused'),
  ]
  return element('div', {}, bar, element('p', {}, parts.filter(Boolean).join(', ')))
}
