/** The section "Waiting": who has not signed yet, since when, until when, and the possible actions. */
import { askFirst, confirmation } from './confirmation.editor'
import { button, createList, element } from './dom.editor'
import { download, openOrCopy } from './links.editor'
import { clientName, hasSeveralClients, nodeName, showNode } from './places.editor'
import { createParts, type PartQuery } from './parts.editor'
import { createSelection } from './selection.editor'
import { saidIn } from './said.editor'
import type { RowState, TabContext } from './tab-context.editor'
import { waitingPlaceBy, waitingSorts } from '../view'
import type { ActionAnswer, Person, WaitingAction, WaitingRow, WaitingSort, WaitingView } from '../view'
import { fullMoment, lastSeen, moment, span, text } from './words.editor'

/** Rows shown at first; people can ask for more. */
export const waitingPage = 50
/** From this many rows on, there is a search field. */
const manyRows = 10

export interface WaitingQuery extends PartQuery {
  find: string
  sort: WaitingSort
}

/** `query` is sent with the next request; `ask` sends one at once. */
export function createWaiting(tab: TabContext, query: WaitingQuery, ask: () => Promise<void>) {
  const rows = element('ul', { class: 'eid-rows' })
  const empty = element('p', { class: 'eid-empty' }, text('waiting.none'))
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
  const parts = createParts({ query, first: waitingPage, step: waitingPage * 2, ask })
  const update = createList<WaitingRow>(rows, {
    keyOf: ({ wait }) => wait,
    stateOf: (row) => {
      const state = tab.rowState(row.wait)
      const { since, until } = row
      // Typed text is in its own field, and an invisible change needs no new row.
      const seen = { ...row, nextQuestion: state.isOpen && row.nextQuestion }
      return [
        seen,
        { ...state, reason: '' },
        selection.isOn(),
        span(since, tab.now()),
        until && span(until, tab.now()),
        clientName(row.client),
      ]
    },
    make: (row) => waitingRow(tab, row, selection),
  })
  return {
    body: element('div', {}, search, order, selection.bar, trouble, empty, parts.earlier, rows, parts.more, only),
    show({ rows: shown, before, count, found, failures }: WaitingView) {
      selection.show(shown)
      update(shown)
      search.hidden = count < manyRows && search.value === ''
      order.hidden = count < manyRows && query.sort === 'until'
      empty.hidden = shown.length > 0 || failures.length > 0
      empty.textContent = text(count === 0 ? 'waiting.none' : 'waiting.noneFound')
      trouble.textContent = failures.join(' ')
      trouble.hidden = failures.length === 0
      parts.show(
        shown.map((row) => waitingPlaceBy(query.sort, row)),
        { before, found },
      )
    },
  }
}

/** The order of the rows, for people to choose. */
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

function waitingRow(tab: TabContext, row: WaitingRow, selection: Selection): HTMLElement {
  const state = tab.rowState(row.wait)
  const now = tab.now()
  const title = row.title === '' ? row.id : row.title
  const made = element(
    'li',
    { class: `eid-row${row.urgency ? ' eid-late' : ''}` },
    element(
      'div',
      {},
      selection.isOn() ? selection.field(row, title) : element('span', { class: 'eid-title' }, title),
      row.urgency && ' ',
      row.urgency && element('span', { class: 'eid-chip' }, text(`waiting.urgency.${row.urgency}`)),
    ),
    ...people(tab, row),
    ...timesOf(row, now),
    placeOf(row),
    row.service !== undefined &&
      element('div', { class: 'eid-meta' }, text('waiting.elsewhere', { service: row.service })),
    buttons(tab, row, state),
  )
  if (state.isOpen) made.append(...opened(tab, row, state))
  if (state.confirm !== undefined) made.append(confirmationOf(tab, row, state.confirm as WaitingAction, title))
  made.append(...saidIn(state))
  return made
}

function people(tab: TabContext, row: WaitingRow): HTMLElement[] {
  const nobody = row.waitingFor.length === 0
  if (nobody) return [element('div', { class: 'eid-person' }, text(`waiting.kinds.${row.kind}`))]
  return row.waitingFor.map((person, index) => personLine(tab, row, person, index))
}

function personLine(tab: TabContext, row: WaitingRow, person: Person, index: number): HTMLElement {
  const { name, hasLink, since, last } = person
  const isBusy = tab.rowState(row.wait).busy !== undefined
  const act = (what: 'open' | 'copy') => () => openOrCopy(tab, row.wait, { name, position: index }, what)
  const look = (what: 'open' | 'copy', icon: string) => ({
    ...{ key: `${what}-${index}`, icon, text: text(`links.${what}`), isDisabled: isBusy },
    name: `${text(`links.${what}`)}: ${name}`,
  })
  const links = hasLink && tab.mayWrite
  return element(
    'div',
    { class: 'eid-person' },
    element('i', { class: 'fa fa-user-o', 'aria-hidden': 'true' }),
    element('span', { class: 'eid-name' }, name === '' ? text('waiting.unnamed') : name),
    since !== undefined && element('span', { class: 'eid-meta' }, span(since, tab.now())),
    last && element('span', { class: 'eid-chip' }, lastSeen(last, tab.now())),
    links &&
      element(
        'div',
        { class: 'eid-buttons' },
        button(look('open', 'external-link'), act('open')),
        button(look('copy', 'clone'), act('copy')),
      ),
  )
}

function timesOf({ since, until, nextReminder, reminded }: WaitingRow, now: number): HTMLElement[] {
  const from = text('waiting.since', { at: moment(since, now), span: span(since, now) })
  const lines = [element('div', { class: 'eid-meta', title: fullMoment(since) }, from)]
  if (reminded) {
    const { at, by } = reminded
    const words = text(by === '' ? 'waiting.reminded' : 'waiting.remindedBy', { at: moment(at, now), name: by })
    lines.push(element('div', { class: 'eid-meta', title: fullMoment(at) }, words))
  }
  if (nextReminder !== undefined) {
    const words = text('waiting.reminder', { at: moment(nextReminder, now) })
    lines.push(element('div', { class: 'eid-meta', title: fullMoment(nextReminder) }, words))
  }
  if (until === undefined) return lines
  const to = text('waiting.until', { at: moment(until, now), span: span(until, now) })
  return [...lines, element('div', { class: 'eid-meta eid-until', title: fullMoment(until) }, to)]
}

function placeOf({ node, client, replica }: WaitingRow): HTMLElement {
  const parts = [nodeName([node]), hasSeveralClients() && clientName(client), replica].filter(Boolean)
  return element('div', { class: 'eid-meta' }, parts.join(' · '))
}

/** The most frequent buttons; the others take one more step, away from wrong clicks. */
function buttons(tab: TabContext, row: WaitingRow, state: RowState): HTMLElement {
  const isBusy = state.busy !== undefined
  const main = row.actions.includes('remind') ? 'remind' : 'askNow'
  const toggle = () => {
    state.isOpen = !state.isOpen
    tab.update()
  }
  return element(
    'div',
    { class: 'eid-buttons' },
    tab.mayWrite && actionButton(tab, row, main, isBusy),
    button({ key: 'show', icon: 'crosshairs', text: text('show') }, () => showNode(tab, [row.node])),
    button({ key: 'toggle', text: text(state.isOpen ? 'less' : 'details'), isOpen: state.isOpen }, toggle),
  )
}

function opened(tab: TabContext, row: WaitingRow, state: RowState): HTMLElement[] {
  const { id, kind, nextQuestion } = row
  const main = row.actions.includes('remind') ? 'remind' : 'askNow'
  const others = row.actions.filter((one) => one !== main && one !== 'link')
  const next = nextQuestion === undefined ? undefined : moment(nextQuestion, tab.now())
  return [
    element('div', { class: 'eid-meta' }, `${text(`kinds.${kind}`)} `, element('code', {}, id)),
    ...(next === undefined ? [] : [element('div', { class: 'eid-meta' }, text('waiting.next', { at: next }))]),
    element(
      'div',
      { class: 'eid-buttons' },
      ...(tab.mayWrite ? others.map((one) => actionButton(tab, row, one, state.busy !== undefined)) : []),
    ),
  ]
}

const icons: Partial<Readonly<Record<WaitingAction, string>>> = {
  remind: 'bell-o',
  download: 'download',
  askNow: 'refresh',
  stopWaiting: 'hand-paper-o',
  cancel: 'ban',
}

function actionButton(tab: TabContext, row: WaitingRow, action: WaitingAction, isDisabled: boolean): HTMLElement {
  const look = { key: action, icon: icons[action], text: text(`actions.${action}`), isDisabled }
  return button(look, () => {
    if (action === 'download') return download(tab, row)
    if (action !== 'cancel' && action !== 'stopWaiting') return act(tab, row.wait, action)
    askFirst(tab, row.wait, action)
  })
}

/** `again`: the person knows that its signers were reminded today, and wants another reminder. */
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
  tab.press({ key: wait, name: action, url: 'eid/sidebar/waiting', body, done, ended })
}

/** A second reminder on the same day needs a confirmation. */
function confirmationOfReminder(tab: TabContext, { wait }: WaitingRow, title: string): HTMLElement {
  const { at = 0, by = '', isSure = false } = tab.rowState(wait).earlier ?? {}
  const key = isSure ? (by === '' ? 'reminded' : 'remindedBy') : 'maybeReminded'
  const words = text(`confirm.${key}`, { at: moment(at, tab.now()), name: by })
  const question = {
    ...{ key: wait, title, label: `${title} ${words}`, text: words, keep: text('keepReminder') },
    sure: { icon: icons.remind, text: text('sure.remind') },
  }
  return confirmation(tab, question, () => act(tab, wait, 'remind', { again: true }))
}

/** An action that can't be undone must be confirmed, and the harmless button has the focus. */
function confirmationOf(tab: TabContext, row: WaitingRow, action: WaitingAction, title: string): HTMLElement {
  if (action === 'remind') return confirmationOfReminder(tab, row, title)
  const { wait } = row
  const state = tab.rowState(wait)
  const reason = element('input', { type: 'text', 'data-key': 'reason', 'aria-label': text('waiting.reason') })
  Object.assign(reason, { placeholder: text('waiting.reason'), value: state.reason ?? '' })
  reason.addEventListener('input', () => (state.reason = reason.value))
  const question = {
    ...{ key: wait, title, label: text(`actions.${action}`), text: text(`confirm.${action}`) },
    sure: { icon: icons[action], text: text(`sure.${action}`) },
    input: action === 'cancel' && reason,
  }
  return confirmation(tab, question, () => act(tab, wait, action, { reason: reason.value }))
}
