/** The section "Batches": the progress of each one. */
import { askFirst, confirmation } from './confirmation.editor'
import { button, createList, element } from './dom.editor'
import { nodeName, showNode } from './places.editor'
import { saidIn } from './said.editor'
import type { TabContext } from './tab-context.editor'
import type { BatchRow } from '../view'
import { figure, moment, text } from './words.editor'

export function createBatches(tab: TabContext) {
  const rows = element('ul', { class: 'eid-rows' })
  const empty = element('p', { class: 'eid-empty' }, text('batches.none'))
  const update = createList<BatchRow>(rows, {
    keyOf: keyOf,
    stateOf: (row) => [
      row,
      tab.rowState(keyOf(row)),
      (row.ended ?? row.expectedEnd) && moment(row.ended ?? row.expectedEnd ?? 0, tab.now()),
      nodeName([row.node]),
    ],
    make: (row) => batchRow(tab, row),
  })
  return {
    body: element('div', {}, empty, rows),
    show(batches: readonly BatchRow[]) {
      update(batches)
      empty.hidden = batches.length > 0
    },
  }
}

/** A list that is sent once more is another row: what was said about the earlier one does not apply to it. */
const keyOf = ({ node, id, started }: BatchRow) => `${node} ${id} ${started}`

function batchRow(tab: TabContext, row: BatchRow): HTMLElement {
  const { id, node, name, total, done, failed, replica, changed = 0 } = row
  const state = tab.rowState(keyOf(row))
  const ended = done + failed
  const words = wordsOf(row, tab.now())
  const title = nodeName([node], { type: 'eid-batch', name })
  const bar = element('div', {
    ...{
      class: 'eid-bar',
      role: 'progressbar',
      'aria-label': title,
      'aria-valuetext': words,
    },
    ...{ 'aria-valuemin': 0, 'aria-valuemax': total, 'aria-valuenow': ended },
  })
  const part = (className: string, count: number) => {
    const made = element('span', { class: className })
    made.style.width = `${total > 0 ? (100 * count) / total : 0}%`
    return made
  }
  bar.append(part('eid-bar-done', done), part('eid-bar-failed', failed))
  const about = [id, replica].filter((one) => one !== undefined)
  const press = (action: 'pause' | 'resume' | 'sendChanged') =>
    tab.press({
      key: keyOf(row),
      name: action,
      url: 'eid/sidebar/batches',
      body: { node, id, action },
      done: text(`done.${action}`),
    })
  const made = element(
    'li',
    { class: 'eid-row' },
    element('div', { class: 'eid-title' }, title),
    bar,
    element('div', {}, words),
    changed > 0 && element('div', {}, text('batches.changed', { count: figure(changed) })),
    element('div', { class: 'eid-meta' }, about.join(' · ')),
    element(
      'div',
      { class: 'eid-buttons' },
      tab.mayWrite && mainButton(tab, row, press),
      button({ key: 'show', icon: 'crosshairs', text: text('show') }, () => showNode(tab, [node])),
    ),
  )
  if (state.confirm !== undefined && changed > 0) made.append(confirmationOf(tab, row, title, press))
  made.append(...saidIn(state))
  return made
}

type Press = (action: 'pause' | 'resume' | 'sendChanged') => void

/** The most frequent action for a batch in its state; none for one that ended well. */
function mainButton(tab: TabContext, row: BatchRow, press: Press): HTMLElement | false {
  const state = tab.rowState(keyOf(row))
  const isDisabled = state.busy !== undefined
  if (row.ended === undefined) {
    const action = row.paused ? 'resume' : 'pause'
    const look = { key: action, icon: row.paused ? 'play' : 'pause', text: text(`batches.${action}`), isDisabled }
    return button(look, () => press(action))
  }
  if (!row.changed) return false
  return button({ key: 'sendChanged', icon: 'paper-plane-o', text: text('batches.sendChanged'), isDisabled }, () =>
    askFirst(tab, keyOf(row), 'sendChanged'),
  )
}

/** Asks first, because the existing contracts remain when new ones are created. */
function confirmationOf(tab: TabContext, row: BatchRow, title: string, press: Press): HTMLElement {
  const question = {
    ...{ key: keyOf(row), title, label: text('batches.sendChanged'), text: text('batches.confirm') },
    sure: { icon: 'paper-plane-o', text: text('batches.sure') },
  }
  return confirmation(tab, question, () => press('sendChanged'))
}

function wordsOf({ total, done, failed, paused, expectedEnd, ended: endedAt }: BatchRow, now: number): string {
  const parts = [text('batches.progress', { count: figure(done + failed), total: figure(total) })]
  if (failed > 0) parts.push(text('batches.failed', { count: figure(failed) }))
  if (endedAt !== undefined) parts.push(text('batches.ended', { at: moment(endedAt, now) }))
  else if (paused) parts.push(text('batches.paused'))
  else if (expectedEnd !== undefined) parts.push(text('batches.end', { at: moment(expectedEnd, now) }))
  return parts.join(', ')
}
