/** The section "Errors" shows each error as a sentence, with its node and whether the call took effect. */
import { element } from '../../../lib/page/dom'
import { box, button, createList, inline } from './dom.editor'
import { nodeName } from './places.editor'
import { detailsButton, inOneLine, rowClass, saidIn, showButton, timeOf, type Part } from './row.editor'
import type { TabContext } from './tab-context.editor'
import type { ErrorRow } from '../view'
import { figure, moment, text } from './words.editor'

const url = 'troubles'

export function createErrors(tab: TabContext): Part {
  const all = button({ key: 'all', icon: 'check', text: text('troubles.all') }, () =>
    tab.press({ key: 'troubles', url, body: {}, done: text('done.dismiss') }),
  )
  const saveAll = button({ key: 'saveAll', icon: 'save', text: text('troubles.saveAll') }, () =>
    tab.press({ key: 'troubles', url, body: { action: 'saveAgain' }, done: (answer) => answer.text ?? '' }),
  )
  const { list, empty, update } = createList<ErrorRow>(text('troubles.none'), {
    keyOf: ({ id }) => id,
    stateOf: (row) => [row, tab.rowState(row.id), moment(row.at, tab.now()), nodeName(row.node.places, row.node)],
    make: (row) => errorRow(tab, row),
  })
  return {
    body: element('div', {}, empty, list, box('buttons', saveAll, all), box('meta', text('troubles.rule'))),
    show({ troubles }) {
      update(troubles)
      // Errors of other Node-REDs can only be dismissed in their own editors, so this button ignores them.
      const own = troubles.filter(({ replica }) => replica === undefined)
      saveAll.hidden = !tab.mayWrite || own.filter(({ canSave }) => canSave).length < 2
      all.hidden = !tab.mayWrite || own.length < 2
      return [troubles.length, troubles.length > 0]
    },
  }
}

function errorRow(tab: TabContext, row: ErrorRow): HTMLElement {
  const { id, at, since, count, node, replica } = row
  const state = tab.rowState(id)
  const times = count === 1 ? '' : text('troubles.times', { count: figure(count), at: moment(since, tab.now()) })
  const effect = effectOf(row)
  const isMine = tab.mayWrite && replica === undefined
  const act = (action: 'look' | 'sendAgain' | 'saveAgain' | 'dismiss', icon: string) =>
    button({ key: action, icon, text: text(`troubles.${action}`), isDisabled: state.isBusy }, () =>
      tab.press({
        key: id,
        url,
        body: { id, action },
        done: (answer) => (action === 'dismiss' ? text('done.dismiss') : (answer.text ?? '')),
      }),
    )
  return element(
    'li',
    rowClass(effect === 'unknown'),
    box(
      'meta',
      timeOf(tab, at, 'eid-at'),
      times === '' ? '' : ` ${times}`,
      ` · ${inOneLine(nodeName(node.places, node), replica)}`,
    ),
    element('p', { class: 'eid-sentence' }, row.text),
    row.titles && box('meta', text('troubles.about', { titles: row.titles.join('; ') })),
    inline('chip', text(`effects.${effect}`)),
    box(
      'buttons',
      showButton(tab, node.places),
      detailsButton(tab, state),
      isMine && row.canLook && act('look', 'search'),
      isMine && row.canSend && act('sendAgain', 'paper-plane-o'),
      isMine && row.canSave && act('saveAgain', 'save'),
      isMine && act('dismiss', 'check'),
    ),
    saidIn(state),
    state.isOpen && detailsOf(tab, row),
  )
}

/** Whether the call took effect. */
const effectOf = ({ outcome }: ErrorRow) => (outcome === 'unknown' ? 'unknown' : 'notDone')

/** The details that support asks for. */
function detailsOf(tab: TabContext, { code, call, status, requestId, outcome }: ErrorRow): HTMLElement {
  const lines = [code, outcome, call, status, requestId].filter((one) => one !== undefined).map(String)
  const copy = () => {
    RED.clipboard.copyText(lines.join('\n'))
    tab.announce(text('done.copied'))
  }
  return box(
    'details',
    lines.map((line) => element('code', {}, line)),
    button({ key: 'copy', icon: 'clone', text: text('troubles.copy') }, copy),
  )
}
