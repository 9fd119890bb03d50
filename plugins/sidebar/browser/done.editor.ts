/** The section "Done": waits that ended in the last thirty days, and their signed files. */
import { button, createList, element } from './dom.editor'
import { fetchFile } from './links.editor'
import { clientName, hasSeveralClients, nodeName, showNode } from './places.editor'
import { saidIn } from './said.editor'
import type { TabContext } from './tab-context.editor'
import { createParts, type PartQuery } from './parts.editor'
import { donePlace, type DoneRow, type DoneView } from '../view'
import { fullMoment, lastSeen, moment, text, textOr } from './words.editor'

/** Rows shown at first; a button shows more. */
export const donePage = 10

export function createDone(tab: TabContext, query: PartQuery, ask: () => Promise<void>) {
  const rows = element('ul', { class: 'eid-rows' })
  const empty = element('p', { class: 'eid-empty' }, text('ended.none'))
  const parts = createParts({ query, first: donePage, step: donePage * 5, ask })
  const update = createList<DoneRow>(rows, {
    keyOf: ({ wait }) => wait,
    stateOf: (row) => [row, tab.rowState(stateKey(row)), moment(row.when, tab.now()), clientName(row.client)],
    make: (row) => doneRow(tab, row),
  })
  return {
    body: element('div', {}, empty, parts.earlier, rows, parts.more),
    show({ rows: shown, before, count }: DoneView) {
      update(shown)
      empty.hidden = shown.length > 0
      parts.show(shown.map(donePlace), { before, found: count })
    },
  }
}

/** Different from the row under *Waiting*, so that messages of its buttons don't carry over. */
const stateKey = ({ wait }: DoneRow) => `done ${wait}`

/** Outcomes that need no attention. */
const good = ['signed', 'partialsigned', 'success', 'received', 'terminated', 'paid', 'paid_partial']

function doneRow(tab: TabContext, row: DoneRow): HTMLElement {
  const { title, id, outcome, when, node, client, replica } = row
  const state = tab.rowState(stateKey(row))
  const place = [nodeName([node]), hasSeveralClients() && clientName(client), replica].filter(Boolean)
  const made = element(
    'li',
    { class: `eid-row${good.includes(outcome) ? '' : ' eid-late'}` },
    element(
      'div',
      {},
      element('span', { class: 'eid-title' }, title === '' ? id : title),
      ' ',
      element('span', { class: 'eid-chip' }, outcomeOf(row)),
    ),
    ...people(tab, row),
    element(
      'div',
      { class: 'eid-meta' },
      element('time', { datetime: new Date(when).toISOString(), title: fullMoment(when) }, moment(when, tab.now())),
      ` · ${place.join(' · ')}`,
    ),
    buttons(tab, row, state.busy !== undefined),
  )
  made.append(...saidIn(state))
  return made
}

/** In words, as far as the service's status is known. */
function outcomeOf({ what, outcome }: DoneRow): string {
  const reached = good.includes(outcome) ? textOr(`reached.${what}`) : undefined
  return reached ?? textOr(`outcomes.${outcome}`) ?? outcome
}

function people(tab: TabContext, { who, outcome }: DoneRow): HTMLElement[] {
  // If everyone is done, the names are enough.
  const isAll = good.includes(outcome) && who.every(({ done }) => done)
  return who.map(({ name, done, last }) =>
    element(
      'div',
      { class: 'eid-person' },
      element('i', { class: `fa fa-${done ? 'check' : 'user-o'}`, 'aria-hidden': 'true' }),
      element('span', { class: 'eid-name' }, name),
      !isAll && element('span', { class: 'eid-meta' }, personState(tab, done, last)),
    ),
  )
}

function personState(tab: TabContext, done: boolean, last: DoneRow['who'][number]['last']): string {
  if (done) return text('ended.person')
  return last ? lastSeen(last, tab.now()) : text('ended.notPerson')
}

function buttons(tab: TabContext, row: DoneRow, isDisabled: boolean): HTMLElement {
  const { wait, title, id, hasFile, node } = row
  const fetch = (what: 'open' | 'download') => () =>
    fetchFile(
      tab,
      { key: stateKey(row), name: title === '' ? id : title, url: `done/${encodeURIComponent(wait)}` },
      what,
    )
  const about = title === '' ? id : title
  const look = (what: 'open' | 'download', icon: string, words: string) => ({
    ...{ key: what, icon, text: words, name: `${words}: ${about}`, isDisabled },
  })
  const files = hasFile && tab.mayWrite
  return element(
    'div',
    { class: 'eid-buttons' },
    files && button(look('open', 'external-link', text('ended.open')), fetch('open')),
    files && button(look('download', 'download', text('actions.download')), fetch('download')),
    button({ key: 'show', icon: 'crosshairs', text: text('show') }, () => showNode(tab, [node])),
  )
}
