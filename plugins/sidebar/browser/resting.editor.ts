/** The section "Resting": what belongs to a node that is disabled or no longer in the flows. */
import { askFirst, confirmation } from './confirmation.editor'
import { element } from '../../../lib/page/dom'
import { box, button, createList } from './dom.editor'
import { nodeName } from './places.editor'
import { inOneLine, rowClass, saidIn, showButton, type Part } from './row.editor'
import type { TabContext } from './tab-context.editor'
import type { RestingRow } from '../view'
import { figure, moment, text } from './words.editor'

export function createResting(tab: TabContext): Part {
  const { list, empty, update } = createList<RestingRow>(text('resting.none'), {
    keyOf: restingKey,
    stateOf: (row) => [row, tab.rowState(restingKey(row))],
    make: (row) => restingRow(tab, row),
  })
  return {
    body: element('div', {}, empty, list),
    show({ resting }) {
      update(resting)
      return [resting.length, resting.some(({ state }) => state === 'gone')]
    },
  }
}

const restingKey = ({ shared, id }: RestingRow) => `resting ${shared} ${id}`

type Counts = Pick<RestingRow, 'waits' | 'lists' | 'pages'>

/** What rests, in words: "3 waits, 1 list". */
export function countsIn(counts: Counts): string {
  const kinds = ['waits', 'lists', 'pages'] as const
  const parts = kinds.filter((kind) => counts[kind] > 0)
  const wordsOf = (kind: (typeof kinds)[number]) =>
    counts[kind] === 1 ? text(`resting.one.${kind}`) : text(`resting.many.${kind}`, { count: figure(counts[kind]) })
  return parts.map(wordsOf).join(', ')
}

const totalOf = ({ waits, lists, pages }: Counts) => waits + lists + pages

function restingRow(tab: TabContext, row: RestingRow): HTMLElement {
  const { id, shared, type, name, flow, state, removedAt, targets, titles } = row
  const key = restingKey(row)
  const { confirm, isBusy } = tab.rowState(key)
  const isGone = state === 'gone'
  const title = isGone ? inOneLine(flow, nodeName([], { type, name })) : nodeName([id], { type, name })
  const number = totalOf(row) === 1 ? 'one' : 'many'
  const what = countsIn(row)
  // Pages have no titles.
  const others = row.waits + row.lists - titles.length
  const words = isGone ? text(`resting.gone.${number}`, { what }) : text(`resting.disabled.${number}`, { what })
  const press = (action: 'continue' | 'delete', to?: string) =>
    tab.press({ key, url: 'resting', body: { id, shared, action, to }, done: text(`resting.done.${action}`) })
  const ask = (action: 'continue' | 'delete', icon: string, isDisabled = false) =>
    button({ key: action, icon, text: text(`resting.${action}`), isDisabled: isDisabled || isBusy }, () =>
      askFirst(tab, key, action),
    )
  const asks = isGone && tab.mayWrite
  return element(
    'li',
    rowClass(isGone),
    box('title', title),
    element('div', {}, words),
    titles.length > 0 &&
      box('meta', inOneLine(...titles, others > 0 && text('resting.others', { count: figure(others) }))),
    removedAt !== undefined && box('meta', text('resting.removed', { at: moment(removedAt, tab.now()) })),
    asks && targets.length === 0 && box('meta', text('resting.noTarget')),
    box(
      'buttons',
      asks && ask('continue', 'play', targets.length === 0),
      asks && ask('delete', 'trash-o'),
      !isGone && showButton(tab, [id]),
    ),
    confirm === 'continue' && asks && continueQuestion(tab, row, title, (to) => press('continue', to)),
    confirm === 'delete' && asks && deleteQuestion(tab, row, title, () => press('delete')),
    saidIn(tab.rowState(key)),
  )
}

function continueQuestion(tab: TabContext, row: RestingRow, title: string, act: (to: string) => void): HTMLElement {
  const key = restingKey(row)
  const choice = element(
    'select',
    { 'aria-label': text('resting.continue'), 'data-key': 'target' },
    // No node is chosen beforehand: the messages of a contract must not continue in a flow that is about something else.
    element('option', { value: '' }, text('resting.choose')),
    ...row.targets.map(({ id, name, flow, inside }) =>
      element('option', { value: id }, inOneLine(flow, inside, nodeName([], { type: row.type, name }))),
    ),
  )
  const question = {
    key,
    title,
    label: text('resting.continue'),
    text: text('resting.continueText'),
    keep: text('resting.leave'),
    sure: { icon: 'play', text: text('resting.sure.continue') },
    input: choice,
  }
  return confirmation(tab, question, () => (choice.value === '' ? choice.focus() : act(choice.value)))
}

function deleteQuestion(tab: TabContext, row: RestingRow, title: string, act: () => void): HTMLElement {
  const question = {
    key: restingKey(row),
    title,
    label: text('resting.delete'),
    text: text('resting.deleteText', { what: countsIn(row) }),
    keep: text('keep'),
    sure: { icon: 'trash-o', text: text('resting.sure.delete') },
  }
  return confirmation(tab, question, act)
}
