/**
 * Shows the scopes of the client as tick boxes and a free field. Also shows which scopes are needed by the nodes that
 * use this client.
 */
import { scopes as known } from '../../lib/api/operations/operations'
import { openNode } from '../../lib/editor/clients'
import { neededScopes } from './needs'

/**
 * Builds the tick boxes inside the form. `stored` is the hidden input that contains the scopes as words; `text` looks
 * up texts of the catalog.
 */
export function prepareScopes(node: EditorNode, stored: JQuery, text: (key: string) => string): void {
  const place = $('#eid-scopes')
  const free = $('#eid-more-scopes')
  const words = String(stored.val() ?? '')
    .split(/\s+/)
    .filter(Boolean)
  for (const scope of known) {
    const box = $('<input type="checkbox">').val(scope).prop('checked', words.includes(scope))
    $('<label class="eid-tick">')
      .append(box, ` ${text(`scopeNames.${scope}`)} `, $('<code>').text(scope))
      .appendTo(place)
  }
  free.val(words.filter((word) => !known.some((scope) => scope === word)).join(' '))
  const needed = neededScopes(usersOf(node.id))
  const update = () => {
    const ticked = place
      .find('input:checked')
      .toArray()
      .map((box) => (box as HTMLInputElement).value)
    const all = [...ticked, ...String(free.val()).split(/\s+/).filter(Boolean)]
    stored.val(all.join(' '))
    const missing = needed.filter((scope) => !all.includes(scope))
    const worded = (scope: string) =>
      known.some((one) => one === scope) ? `${text(`scopeNames.${scope}`)} (${scope})` : scope
    const sentence = (key: string, scopes: string[]) =>
      text(`needs.${key}`).replace('__scopes__', scopes.map(worded).join(', '))
    const line =
      needed.length === 0
        ? sentence('nothing', [])
        : missing.length === 0
          ? sentence('met', needed)
          : sentence('missing', missing)
    $('#eid-needs')
      .text(line)
      .toggleClass('eid-missing', missing.length > 0)
    tickNeeded.toggle(missing.length > 0)
  }
  const tickNeeded = $('#eid-tick-needed').on('click', () => {
    const boxes = place.find('input').toArray() as HTMLInputElement[]
    for (const box of boxes) if (needed.includes(box.value)) box.checked = true
    place.trigger('change')
  })
  place.add(free).on('change input', update)
  update()
}

/**
 * Returns the nodes that use this client; of the node whose form is open, what is typed there counts. If no node uses
 * the client yet, returns the nodes that will probably use it: all nodes with a client in the open flow or, if that flow
 * contains no such node, in all flows.
 */
function usersOf(client: string): EditorNode[] {
  const all: EditorNode[] = []
  const open = openNode()
  RED.nodes.eachNode((node) => {
    const as = node.id === open?.id ? open : node
    if (as.client) all.push(as)
  })
  const users = all.filter((node) => node.client === client)
  if (users.length > 0) return users
  // A new client is meant for the open flow: with nodes of other flows, the client would request more scopes than it
  // needs.
  const here = all.filter((node) => node.z === RED.workspaces.active())
  return here.length > 0 ? here : all
}
