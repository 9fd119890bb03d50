/** The section "Errors": what went wrong, as sentences, with the node and whether anything was done. */
import { button, createList, element } from './dom.editor'
import { nodeName, showNode } from './places.editor'
import { saidIn } from './said.editor'
import type { TabContext } from './tab-context.editor'
import type { ErrorRow } from '../view'
import { figure, fullMoment, moment, text } from './words.editor'

const url = 'eid/sidebar/troubles'

export function createErrors(tab: TabContext) {
  const rows = element('ul', { class: 'eid-rows' })
  const empty = element('p', { class: 'eid-empty' }, text('troubles.none'))
  const all = button({ key: 'all', icon: 'check', text: text('troubles.all') }, () =>
    tab.press({ key: 'troubles', name: 'all', url, body: {}, done: text('done.dismiss') }),
  )
  const update = createList<ErrorRow>(rows, {
    keyOf: ({ id }) => id,
    stateOf: (row) => [row, tab.rowState(row.id), moment(row.at, tab.now()), nodeName(row.node.places, row.node)],
    make: (row) => errorRow(tab, row),
  })
  return {
    body: element('div', {}, empty, rows, element('div', { class: 'eid-buttons' }, all)),
    show(errors: readonly ErrorRow[]) {
      update(errors)
      empty.hidden = errors.length > 0
      // Errors of other Node-REDs can only be dismissed there.
      const own = errors.filter(({ replica }) => replica === undefined)
      all.hidden = !tab.mayWrite || own.length < 2
    },
  }
}

function errorRow(tab: TabContext, row: ErrorRow): HTMLElement {
  const { id, at, since, count, node, replica } = row
  const state = tab.rowState(id)
  const now = tab.now()
  const times = count === 1 ? '' : text('troubles.times', { count: figure(count), at: moment(since, now) })
  const place = [nodeName(node.places, node), replica].filter((part) => part !== undefined && part !== '')
  const effect = effectOf(row)
  const toggle = () => {
    state.isOpen = !state.isOpen
    tab.update()
  }
  const dismiss = () => tab.press({ key: id, name: 'dismiss', url, body: { id }, done: text('done.dismiss') })
  const isMine = tab.mayWrite && replica === undefined
  const ask = (action: 'look' | 'sendAgain') => () =>
    tab.press({ key: id, name: action, url, body: { id, action }, done: (answer) => answer.text ?? '' })
  const isDisabled = state.busy !== undefined
  const made = element(
    'li',
    { class: `eid-row${effect === 'unknown' ? ' eid-late' : ''}` },
    element(
      'div',
      { class: 'eid-meta' },
      element(
        'time',
        { class: 'eid-at', datetime: new Date(at).toISOString(), title: fullMoment(at) },
        moment(at, now),
      ),
      times === '' ? '' : ` ${times}`,
      ` · ${place.join(' · ')}`,
    ),
    element('p', { class: 'eid-sentence' }, row.text),
    row.rows && element('div', { class: 'eid-meta' }, text('troubles.rows', { rows: row.rows.join('; ') })),
    row.titles && element('div', { class: 'eid-meta' }, text('troubles.about', { titles: row.titles.join('; ') })),
    element('span', { class: 'eid-chip' }, text(`effects.${effect}`)),
    element(
      'div',
      { class: 'eid-buttons' },
      button({ key: 'show', icon: 'crosshairs', text: text('show') }, () => showNode(tab, node.places)),
      button({ key: 'toggle', text: text(state.isOpen ? 'less' : 'details'), isOpen: state.isOpen }, toggle),
      isMine &&
        row.canLook &&
        button({ key: 'look', icon: 'search', text: text('troubles.look'), isDisabled }, ask('look')),
      isMine &&
        row.canSend &&
        button(
          { key: 'sendAgain', icon: 'paper-plane-o', text: text('troubles.sendAgain'), isDisabled },
          ask('sendAgain'),
        ),
      isMine && button({ key: 'dismiss', icon: 'check', text: text('troubles.dismiss'), isDisabled }, dismiss),
    ),
  )
  made.append(...saidIn(state))
  if (state.isOpen) made.append(detailsOf(tab, row))
  return made
}

/** Where the outcome was unknown, a person may have looked since. */
function effectOf({ outcome, found }: ErrorRow): 'done' | 'notDone' | 'unknown' {
  if (outcome !== 'unknown') return 'notDone'
  return found === undefined ? 'unknown' : found === 'exists' ? 'done' : 'notDone'
}

/** The details that support asks for. */
function detailsOf(tab: TabContext, { code, call, status, requestId, outcome }: ErrorRow): HTMLElement {
  const lines = [code, outcome, call, status, requestId].filter((one) => one !== undefined).map(String)
  const copy = () => {
    RED.clipboard.copyText(lines.join('\n'))
    tab.announce(text('done.copied'))
  }
  return element(
    'div',
    { class: 'eid-details' },
    ...lines.map((line) => element('code', {}, line)),
    button({ key: 'copy', icon: 'clone', text: text('troubles.copy') }, copy),
  )
}
