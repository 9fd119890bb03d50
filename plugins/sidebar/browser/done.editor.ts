/** The section "Done" shows the waits that ended in the last thirty days, and their signed files. */
import { element } from '../../../lib/page/dom'
import { box, button, createList, icon, inline } from './dom.editor'
import { fetchFile } from './links.editor'
import { clientName } from './places.editor'
import { nodeLine, rowClass, saidIn, showButton, timeOf, titleOf, type Part } from './row.editor'
import type { TabContext } from './tab-context.editor'
import { createParts } from './parts.editor'
import { donePlace, type DoneRow } from '../view'
import { type PartQuery } from '../../../lib/page/view'
import { lastSeen, moment, text, textOr } from './words.editor'

/** Number of rows shown at first; a button shows more. */
export const donePage = 10

export function createDone(tab: TabContext, query: PartQuery, ask: () => Promise<void>): Part {
  const parts = createParts({ query, first: donePage, step: donePage * 5, ask })
  const { list, empty, update } = createList<DoneRow>(text('ended.none'), {
    keyOf: ({ wait }) => wait,
    stateOf: (row) => [row, tab.rowState(stateKey(row)), moment(row.when, tab.now()), clientName(row.client)],
    make: (row) => doneRow(tab, row),
  })
  return {
    body: element('div', {}, empty, parts.earlier, list, parts.more),
    show({ done: { rows, before, count } }) {
      update(rows)
      parts.show(rows.map(donePlace), { before, found: count })
      return [count]
    },
  }
}

/**
 * The key of a row's state. The section *Waiting* uses another key for the same wait, so that the results of its
 * buttons don't appear in this section.
 */
const stateKey = ({ wait }: DoneRow) => `done ${wait}`

/** Outcomes that need no attention. */
const good = ['signed', 'partialsigned', 'success', 'received', 'terminated', 'paid', 'paid_partial', 'approved']

function doneRow(tab: TabContext, row: DoneRow): HTMLElement {
  const { outcome, when } = row
  const state = tab.rowState(stateKey(row))
  return element(
    'li',
    rowClass(!good.includes(outcome)),
    element('div', {}, inline('title', titleOf(row)), ' ', inline('chip', outcomeOf(row))),
    row.reason && box('meta', row.reason),
    people(tab, row),
    box('meta', timeOf(tab, when), ` · ${nodeLine(row)}`),
    buttons(tab, row, state.isBusy),
    saidIn(state),
  )
}

/** The outcome in words, or the service's own status if there are no words for it. */
function outcomeOf({ what, outcome }: DoneRow): string {
  const reached = good.includes(outcome) ? textOr(`reached.${what}`) : undefined
  return reached ?? textOr(`outcomes.${outcome}`) ?? outcome
}

function people(tab: TabContext, { who, outcome }: DoneRow): HTMLElement[] {
  // If everyone is done, only the names are shown, without a state for each.
  const isAll = good.includes(outcome) && who.every(({ done }) => done)
  return who.map(({ name, done, last }) =>
    box(
      'person',
      icon(done ? 'check' : 'user-o'),
      inline('name', name),
      !isAll && inline('meta', personState(tab, done, last)),
    ),
  )
}

function personState(tab: TabContext, done: boolean, last: DoneRow['who'][number]['last']): string {
  if (done) return text('ended.person')
  return last ? lastSeen(last, tab.now()) : text('ended.notPerson')
}

function buttons(tab: TabContext, row: DoneRow, isDisabled: boolean | undefined): HTMLElement {
  const { wait, hasFile, node } = row
  const name = titleOf(row)
  const file = (what: 'open' | 'download', icon: string, words: string) =>
    hasFile &&
    tab.mayWrite &&
    button({ key: what, icon, text: words, name: `${words}: ${name}`, isDisabled }, () =>
      fetchFile(tab, { key: stateKey(row), name, url: `done/${encodeURIComponent(wait)}` }, what),
    )
  return box(
    'buttons',
    file('open', 'external-link', text('ended.open')),
    file('download', 'download', text('actions.download')),
    showButton(tab, [node]),
  )
}
