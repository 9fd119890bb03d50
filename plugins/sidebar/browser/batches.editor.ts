/** The section "Batches": how far each one is. */
import { button, createList, element } from './dom.editor'
import { nodeName, showNode } from './places.editor'
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
      row.expectedEnd && moment(row.expectedEnd, tab.now()),
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

const keyOf = ({ node, id }: BatchRow) => `${node} ${id}`

function batchRow(tab: TabContext, row: BatchRow): HTMLElement {
  const { id, node, name, total, done, failed, paused, replica } = row
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
  const action = paused ? 'resume' : 'pause'
  const press = () =>
    tab.press({
      key: keyOf(row),
      name: action,
      url: 'eid/sidebar/batches',
      body: { node, id, action },
      done: text(`done.${action}`),
    })
  return element(
    'li',
    { class: 'eid-row' },
    element('div', { class: 'eid-title' }, title),
    bar,
    element('div', {}, words),
    element('div', { class: 'eid-meta' }, about.join(' · ')),
    element(
      'div',
      { class: 'eid-buttons' },
      tab.mayWrite &&
        button(
          {
            key: action,
            icon: paused ? 'play' : 'pause',
            text: text(`batches.${action}`),
            isDisabled: state.busy !== undefined,
          },
          press,
        ),
      button({ key: 'show', icon: 'crosshairs', text: text('show') }, () => showNode(tab, [node])),
    ),
  )
}

function wordsOf({ total, done, failed, paused, expectedEnd }: BatchRow, now: number): string {
  const parts = [text('batches.progress', { count: figure(done + failed), total: figure(total) })]
  if (failed > 0) parts.push(text('batches.failed', { count: figure(failed) }))
  if (paused) parts.push(text('batches.paused'))
  else if (expectedEnd !== undefined) parts.push(text('batches.end', { at: moment(expectedEnd, now) }))
  return parts.join(', ')
}
