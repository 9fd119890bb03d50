/** The section "Batches" shows the progress of each batch. */
import { askFirst, confirmation } from './confirmation.editor'
import { element } from '../../../lib/page/dom'
import { box, button, createList, inline } from './dom.editor'
import { fetchFile } from './links.editor'
import { nodeName } from './places.editor'
import { inOneLine, rowClass, saidIn, showButton, type Part } from './row.editor'
import type { TabContext } from './tab-context.editor'
import type { BatchRow, FailedRow } from '../view'
import { figure, moment, text } from './words.editor'

export function createBatches(tab: TabContext): Part {
  const { list, empty, update } = createList<BatchRow>(text('batches.none'), {
    keyOf: batchKey,
    stateOf: (row) => [
      row,
      tab.rowState(batchKey(row)),
      (row.ended ?? row.expectedEnd) && moment(row.ended ?? row.expectedEnd ?? 0, tab.now()),
      nodeName([row.node]),
    ],
    make: (row) => batchRow(tab, row),
  })
  return {
    body: element('div', {}, empty, list),
    show({ batches }) {
      update(batches)
      return [batches.length]
    },
  }
}

/**
 * Identifies a row. A list that is sent again gets a new row, because messages about its earlier run do not apply to
 * the new one.
 */
const batchKey = ({ node, id, started, refused }: BatchRow) => `${node} ${id} ${started} ${refused ?? ''}`

function batchRow(tab: TabContext, row: BatchRow): HTMLElement {
  const { id, node, name, total, done, failed, changed, replica } = row
  const state = tab.rowState(batchKey(row))
  const words = wordsOf(row, tab.now())
  const title = nodeName([node], { type: 'eid-batch', name })
  const part = (what: string, count: number) => {
    const made = inline(`bar-${what}`)
    made.style.width = `${total > 0 ? (100 * count) / total : 0}%`
    return made
  }
  const bar = {
    class: 'eid-bar',
    role: 'progressbar',
    'aria-label': title,
    'aria-valuetext': words,
    'aria-valuemin': 0,
    'aria-valuemax': total,
    'aria-valuenow': done + failed + changed,
  }
  const press: Press = (action) =>
    tab.press({
      key: batchKey(row),
      url: 'batches',
      body: { node, id, action },
      done: text(`done.${action}`),
    })
  return element(
    'li',
    rowClass(false),
    box('title', title),
    !row.refused && element('div', bar, part('done', done + changed), part('failed', failed)),
    element('div', {}, words),
    changed > 0 && element('div', {}, text('batches.changed', { count: figure(changed) })),
    row.refused && element('div', {}, text(`batches.${row.refused}`)),
    failedRows(row),
    box('meta', inOneLine(id, replica)),
    box(
      'buttons',
      tab.mayWrite && mainButton(tab, row, press),
      tab.mayWrite && reportButton(tab, row),
      tab.mayWrite && row.canSave && saveButton(tab, row),
      tab.mayWrite && dismissButton(tab, row, press),
      showButton(tab, [node]),
    ),
    state.confirm !== undefined && confirmationOf(tab, row, title, press),
    saidIn(state),
  )
}

/** The rows that have an error, each with the name by which people find it, and the reason. */
function failedRows({ failures = [], failed }: BatchRow): HTMLElement | false {
  if (failures.length === 0) return false
  const more = failed - failures.length
  return element(
    'ul',
    { class: 'eid-failures' },
    failures.map(({ row, key, title, state, text: reason }) => {
      const name = [key === String(row) ? '' : key, title].filter(Boolean).join(', ')
      const params = { row: figure(row), name, reason }
      return element('li', {}, text(`batches.rows.${name === '' ? 'number' : 'named'}`, params), ' ', stateOf(state))
    }),
    more > 0 && element('li', {}, text('batches.rows.more', { count: figure(more) })),
  )
}

function stateOf(state: FailedRow['state']): HTMLElement | false {
  return state !== 'failed' && inline('chip', text(`batches.states.${stateKeys[state]}`))
}

const stateKeys = { 'look first': 'lookFirst', out: 'out', done: 'done' } as const

/** The button that downloads the report of an ended list. */
function reportButton(tab: TabContext, row: BatchRow): HTMLElement | false {
  if (row.ended === undefined || row.refused) return false
  const key = batchKey(row)
  const url = `report?${new URLSearchParams({ node: row.node, id: row.id }).toString()}`
  const look = { key: 'report', icon: 'download', text: text('batches.report'), isDisabled: tab.rowState(key).isBusy }
  return button(look, () => fetchFile(tab, { key, name: row.id, url }, 'download'))
}

/** The button that gives the messages whose files are not saved to their nodes again. */
function saveButton(tab: TabContext, row: BatchRow): HTMLElement {
  const key = batchKey(row)
  const look = {
    key: 'saveAgain',
    icon: 'save',
    text: text('troubles.saveAgain'),
    isDisabled: tab.rowState(key).isBusy,
  }
  const body = { node: row.node, id: row.id, action: 'saveAgain' }
  return button(look, () => tab.press({ key, url: 'batches', body, done: (answer) => answer.text ?? '' }))
}

/** The button that takes the errors of an ended list off it. */
function dismissButton(tab: TabContext, row: BatchRow, press: Press): HTMLElement | false {
  const { ended, failures = [] } = row
  if (ended === undefined || failures.length === 0) return false
  const isDisabled = tab.rowState(batchKey(row)).isBusy
  return button({ key: 'dismiss', icon: 'check', text: text('troubles.dismiss'), isDisabled }, () => press('dismiss'))
}

/** The actions that a person has to confirm, because rows are sent that were sent before. */
type Confirmed = 'sendChanged' | 'sendAnyway' | 'forget'
type Press = (action: 'pause' | 'resume' | 'dismiss' | Confirmed) => void

/**
 * The button for the likely next action: pause or resume a running batch, send the changed rows of an ended one, or let
 * a refused list pass. False if an ended batch has no changed rows.
 */
function mainButton(tab: TabContext, row: BatchRow, press: Press): HTMLElement | false {
  const state = tab.rowState(batchKey(row))
  const isDisabled = state.isBusy
  if (row.ended === undefined) {
    const action = row.paused ? 'resume' : 'pause'
    const look = { key: action, icon: row.paused ? 'play' : 'pause', text: text(`batches.${action}`), isDisabled }
    return button(look, () => press(action))
  }
  const action = confirmedOf(row)
  if (!action) return false
  return button({ key: action, icon: icons[action], text: text(`batches.${action}`), isDisabled }, () =>
    askFirst(tab, batchKey(row), action),
  )
}

const icons = { sendChanged: 'paper-plane-o', sendAnyway: 'paper-plane-o', forget: 'eraser' } as const

/** The action that an ended or refused list offers. */
function confirmedOf({ refused, offersChanged }: BatchRow): Confirmed | undefined {
  if (refused) return refused === 'sentBefore' ? 'sendAnyway' : 'forget'
  return offersChanged ? 'sendChanged' : undefined
}

/** Asks before rows are sent once more, because this creates new contracts and leaves the existing ones in place. */
function confirmationOf(tab: TabContext, row: BatchRow, title: string, press: Press): HTMLElement | false {
  const action = confirmedOf(row)
  if (!action) return false
  const question = {
    key: batchKey(row),
    title,
    label: text(`batches.${action}`),
    text: text(`batches.confirm.${action}`),
    sure: { icon: icons[action], text: text(`batches.sure.${action}`) },
    keep: text(action === 'forget' ? 'keep' : 'keepReminder'),
  }
  return confirmation(tab, question, () => press(action))
}

function wordsOf(row: BatchRow, now: number): string {
  const { total, done, failed, changed, paused, expectedEnd, ended: endedAt, refused } = row
  if (refused) return text('batches.refused', { count: figure(total), at: moment(row.started, now) })
  const parts = [text('batches.progress', { count: figure(done + failed + changed), total: figure(total) })]
  if (failed > 0) parts.push(text('batches.failed', { count: figure(failed) }))
  if (endedAt !== undefined) parts.push(text('batches.ended', { at: moment(endedAt, now) }))
  else if (paused) parts.push(text('batches.paused'))
  else if (expectedEnd !== undefined) parts.push(text('batches.end', { at: moment(expectedEnd, now) }))
  return parts.join(', ')
}
