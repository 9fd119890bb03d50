/** The section "Waiting" shows who has not signed yet, since when, until when, and the possible actions. */
import { askFirst, confirmation } from './confirmation.editor'
import { element } from '../../../lib/page/dom'
import { box, button, createList, icon, inline } from './dom.editor'
import { download, openOrCopy } from './links.editor'
import { clientName } from './places.editor'
import { createParts } from './parts.editor'
import { createSelection } from './selection.editor'
import { detailsButton, nodeLine, rowClass, saidIn, showButton, titleOf, type Part } from './row.editor'
import type { RowState, TabContext } from './tab-context.editor'
import { waitingPlaceBy, waitingSorts } from '../view'
import type { WaitingRow, WaitingSort } from '../view'
import type { ActionAnswer, PartQuery, Person, WaitingAction } from '../../../lib/page/view'
import { fullMoment, lastSeen, moment, span, text } from './words.editor'

/** Number of rows shown at first; a button shows more. */
export const waitingPage = 50
/** From this many rows on, there is a search field, and each row is short until the user opens it. */
const manyRows = 10

export interface WaitingQuery extends PartQuery {
  find: string
  sort: WaitingSort
}

/** `query` is sent with each request; `ask` sends a request now. */
export function createWaiting(tab: TabContext, query: WaitingQuery, ask: () => Promise<void>): Part {
  const only = element('p', { class: 'eid-meta eid-only' }, text('waiting.only'))
  const trouble = element('p', { class: 'eid-said', 'data-outcome': 'bad', role: 'status' })
  const search = element('input', { type: 'search', class: 'eid-search', 'aria-label': text('waiting.find') })
  search.placeholder = text('waiting.find')
  search.addEventListener('input', () => {
    query.find = search.value
    parts.reset()
    void ask()
  })
  const order = orderField((sort) => {
    query.sort = sort
    parts.reset()
    void ask()
  })
  const selection = createSelection(tab)
  let isLong = false
  const parts = createParts({ query, first: waitingPage, step: waitingPage * 2, ask })
  const { list, empty, update } = createList<WaitingRow>('', {
    keyOf: ({ wait }) => wait,
    stateOf: (row) => {
      const state = tab.rowState(row.wait)
      const { since, until } = row
      // A row is not rebuilt while the user types a reason for canceling, which the input already shows. Nor is it
      // rebuilt when the time of the next poll changes without being visible.
      const seen = { ...row, nextQuestion: state.isOpen && row.nextQuestion }
      return [
        seen,
        { ...state, reason: '' },
        selection.isOn(),
        isLong,
        span(since, tab.now()),
        until && span(until, tab.now()),
        clientName(row.client),
      ]
    },
    make: (row) => waitingRow(tab, row, selection, isLong),
  })
  return {
    body: element('div', {}, search, order, selection.bar, trouble, empty, parts.earlier, list, parts.more, only),
    show({ waiting: { rows, before, count, urgent, found, failures } }) {
      isLong = rows.length >= manyRows
      selection.show(rows)
      update(rows)
      search.hidden = count < manyRows && search.value === ''
      order.hidden = count < manyRows && query.sort === 'until'
      empty.hidden ||= failures.length > 0
      empty.textContent = text(count === 0 ? 'waiting.none' : 'waiting.noneFound')
      trouble.textContent = failures.join(' ')
      trouble.hidden = failures.length === 0
      parts.show(
        rows.map((row) => waitingPlaceBy(query.sort, row)),
        { before, found },
      )
      return [count, urgent > 0]
    },
  }
}

/** The field in which the user chooses the order of the rows. */
function orderField(choose: (sort: WaitingSort) => void): HTMLElement {
  const options = waitingSorts.map((sort) => element('option', { value: sort }, text(`waiting.sorts.${sort}`)))
  const select = element('select', { class: 'eid-sort' }, ...options)
  select.addEventListener('change', () => {
    const sort = waitingSorts.find((one) => one === select.value)
    if (sort) choose(sort)
  })
  return element('label', { class: 'eid-order' }, element('span', {}, text('waiting.sort')), select)
}

type Selection = ReturnType<typeof createSelection>

function waitingRow(tab: TabContext, row: WaitingRow, selection: Selection, isLong: boolean): HTMLElement {
  const state = tab.rowState(row.wait)
  const title = titleOf(row)
  const isShort = isLong && !state.isOpen
  return element(
    'li',
    rowClass(row.urgency !== undefined),
    box(
      'short',
      element(
        'div',
        {},
        selection.isOn() ? selection.field(row, title) : inline('title', title),
        row.urgency && [' ', inline('chip', text(`waiting.urgency.${row.urgency}`))],
      ),
      isShort && detailsButton(tab, state),
    ),
    people(tab, row, isShort),
    timesOf(row, tab.now(), isShort),
    !isShort && box('meta', nodeLine(row)),
    row.noClient && box('meta', text('waiting.noClient')),
    row.service !== undefined && box('meta', text('waiting.elsewhere', { service: row.service })),
    !isShort && buttons(tab, row, state),
    state.isOpen && opened(tab, row),
    state.confirm !== undefined && confirmationOf(tab, row, state.confirm as WaitingAction, title),
    saidIn(state),
  )
}

function people(tab: TabContext, row: WaitingRow, isShort: boolean): HTMLElement[] {
  const nobody = row.waitingFor.length === 0
  if (nobody) return [box('person', text(`waiting.kinds.${row.kind}`))]
  return row.waitingFor.map((person, index) => personLine(tab, row, person, index, isShort))
}

function personLine(tab: TabContext, { wait }: WaitingRow, person: Person, index: number, isShort: boolean) {
  const { name, hasLink, since, last } = person
  const isDisabled = tab.rowState(wait).isBusy
  const link = (what: 'open' | 'copy', icon: string) => {
    const words = text(`links.${what}`)
    return button({ key: `${what}-${index}`, icon, text: words, name: `${words}: ${name}`, isDisabled }, () =>
      openOrCopy(tab, wait, { name, position: index }, what),
    )
  }
  return box(
    'person',
    icon('user-o'),
    inline('name', name === '' ? text('waiting.unnamed') : name),
    since !== undefined && inline('meta', span(since, tab.now())),
    last && inline('chip', lastSeen(last, tab.now())),
    hasLink && tab.mayWrite && !isShort && box('buttons', link('open', 'external-link'), link('copy', 'clone')),
  )
}

/** The times of a wait. A short row shows only the end and the last reminder. */
function timesOf({ since, until, nextReminder, reminded }: WaitingRow, now: number, isShort: boolean) {
  const line = (at: number | undefined | false, key: string, name = '', more = '') =>
    typeof at === 'number' &&
    element(
      'div',
      { class: `eid-meta${more}`, title: fullMoment(at) },
      text(`waiting.${key}`, { at: moment(at, now), span: span(at, now), name }),
    )
  return [
    line(!isShort && since, 'since'),
    line(reminded?.at, reminded?.by ? 'remindedBy' : 'reminded', reminded?.by),
    line(!isShort && nextReminder, 'reminder'),
    line(until, 'until', '', ' eid-until'),
  ]
}

/** An approval has none: it waits for people only, so there is nothing to check. */
const mainAction = ({ actions }: WaitingRow) => (['remind', 'askNow'] as const).find((one) => actions.includes(one))

/** The most frequent buttons. The others appear only in the opened row, where users rarely press them by mistake. */
function buttons(tab: TabContext, row: WaitingRow, state: RowState): HTMLElement {
  const main = mainAction(row)
  return box('buttons', main && actionButton(tab, row, main), showButton(tab, [row.node]), detailsButton(tab, state))
}

function opened(tab: TabContext, row: WaitingRow): HTMLElement[] {
  const { id, kind, nextQuestion } = row
  const others = row.actions.filter((one) => one !== mainAction(row) && one !== 'link')
  const next = nextQuestion !== undefined && text('waiting.next', { at: moment(nextQuestion, tab.now()) })
  return [
    box('meta', `${text(`kinds.${kind}`)} `, element('code', {}, id)),
    ...(next === false ? [] : [box('meta', next)]),
    box(
      'buttons',
      others.map((one) => actionButton(tab, row, one)),
    ),
  ]
}

const icons: Partial<Readonly<Record<WaitingAction, string>>> = {
  remind: 'bell-o',
  download: 'download',
  askNow: 'refresh',
  stopWaiting: 'hand-paper-o',
  withdraw: 'ban',
  cancel: 'ban',
}

/** The button of an action; false for users who may only read. */
function actionButton(tab: TabContext, row: WaitingRow, action: WaitingAction): HTMLElement | false {
  const isDisabled = tab.rowState(row.wait).isBusy
  const look = { key: action, icon: icons[action], text: text(`actions.${action}`), isDisabled }
  return (
    tab.mayWrite &&
    button(look, () => {
      if (action === 'download') return download(tab, row)
      if (action !== 'cancel' && action !== 'stopWaiting' && action !== 'withdraw') return act(tab, row.wait, action)
      askFirst(tab, row.wait, action)
    })
  )
}

/** Performs an action. `again` means that the user knows about today's reminder, and wants another one. */
function act(tab: TabContext, wait: string, action: WaitingAction, { reason = '', again = false } = {}): void {
  const body = { wait, action, reason, again }
  const done = ({ channel, earlier }: ActionAnswer) => {
    if (earlier) return ''
    return text(action === 'remind' ? `reminded.${String(channel)}` : `done.${action}`)
  }
  const ended = (answer?: ActionAnswer) => {
    const state = tab.rowState(wait)
    state.earlier = answer?.earlier
    if (answer?.earlier) askFirst(tab, wait, action)
  }
  tab.press({ key: wait, url: 'waiting', body, done, ended })
}

/** Asks for confirmation before a second reminder on the same day. */
function confirmationOfReminder(tab: TabContext, { wait }: WaitingRow, title: string): HTMLElement {
  const { at = 0, by = '', isSure = false } = tab.rowState(wait).earlier ?? {}
  const key = isSure ? (by === '' ? 'reminded' : 'remindedBy') : 'maybeReminded'
  const words = text(`confirm.${key}`, { at: moment(at, tab.now()), name: by })
  const question = {
    key: wait,
    title,
    label: `${title} ${words}`,
    text: words,
    keep: text('keepReminder'),
    sure: { icon: icons.remind, text: text('sure.remind') },
  }
  return confirmation(tab, question, () => act(tab, wait, 'remind', { again: true }))
}

/** Asks for confirmation before an action that can't be undone; the button that changes nothing has the focus. */
function confirmationOf(tab: TabContext, row: WaitingRow, action: WaitingAction, title: string): HTMLElement {
  if (action === 'remind') return confirmationOfReminder(tab, row, title)
  const { wait } = row
  const state = tab.rowState(wait)
  const reason = element('input', { type: 'text', 'data-key': 'reason', 'aria-label': text('waiting.reason') })
  Object.assign(reason, { placeholder: text('waiting.reason'), value: state.reason ?? '' })
  reason.addEventListener('input', () => (state.reason = reason.value))
  const question = {
    key: wait,
    title,
    label: text(`actions.${action}`),
    text: text(`confirm.${action}`),
    sure: { icon: icons[action], text: text(`sure.${action}`) },
    input: action === 'cancel' && reason,
  }
  return confirmation(tab, question, () => act(tab, wait, action, { reason: reason.value }))
}
