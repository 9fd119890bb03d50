/** The section "Clients" shows whether each client reaches its service. */
import { element } from '../../../lib/page/dom'
import { box, button, createList } from './dom.editor'
import { clientName } from './places.editor'
import { inOneLine, rowClass, type Part } from './row.editor'
import type { TabContext } from './tab-context.editor'
import type { ClientRow } from '../view'
import { figure, moment, span, text } from './words.editor'

export function createClients(tab: TabContext): Part {
  const { list, empty, update } = createList<ClientRow>(text('clients.none'), {
    keyOf: ({ id, replica = '' }) => `${replica} ${id}`,
    stateOf: (row) => [row, clientTitle(row), ...linesOf(row, tab.now())],
    make: (row) => clientRow(tab, row),
  })
  return {
    body: element('div', {}, empty, list),
    show({ clients }) {
      update(clients)
      return [clients.length]
    },
  }
}

function clientTitle({ id, name, environment }: ClientRow): string {
  const known = name === '' ? clientName(id) : name
  return known === '' ? text(environment === 'sandbox' ? 'clients.sandbox' : 'clients.live') : known
}

function clientRow(tab: TabContext, row: ClientRow): HTMLElement {
  const { environment, address, replica, calls, failures, id } = row
  const host = address !== undefined && URL.canParse(address) && new URL(address).host
  const isSandbox = environment === 'sandbox'
  return element(
    'li',
    rowClass(failures > 0 && failures === calls),
    box('title', clientTitle(row)),
    box('meta', inOneLine(text(`environments.${environment}`), host, replica)),
    linesOf(row, tab.now()).map((line) => element('div', {}, line)),
    box(
      'buttons',
      isSandbox && replica === undefined && controlRoom(tab, address),
      button({ key: 'edit', icon: 'pencil', text: text('clients.edit') }, () =>
        RED.editor.editConfig('', 'eid-client', id),
      ),
    ),
  )
}

function linesOf({ tokenUntil, lastSuccess, calls, failures }: ClientRow, now: number): string[] {
  const success =
    lastSuccess === undefined
      ? text('clients.noSuccess')
      : text('clients.success', { at: moment(lastSuccess, now), span: span(lastSuccess, now) })
  return [
    tokenUntil === undefined ? text('clients.noToken') : text('clients.token', { at: moment(tokenUntil, now) }),
    success,
    text('clients.calls', { calls: figure(calls), failures: figure(failures) }),
  ]
}

/**
 * A button that opens the control room of the sandbox. If no client has used the sandbox yet, the press starts the
 * sandbox.
 */
function controlRoom(tab: TabContext, address: string | undefined): HTMLElement {
  const show = (url: string) => void window.open(url, '_blank', 'noopener')
  return button({ key: 'room', icon: 'external-link', text: text('clients.room') }, () => {
    if (address !== undefined) return show(`${address}/`)
    $.getJSON('eid/client/sandbox')
      .done(({ url }: { url: string }) => show(url))
      .fail(() => tab.announce(text('failed')))
  })
}
