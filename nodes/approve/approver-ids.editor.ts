/** A field for the id of each approver. Typed ids become a credential; stored ones never come back to the form. */
import type { FormParts } from '../../lib/editor/form-context'

/** Shows the fields below the list of approvers, and again after every change of the list. */
export function prepareIds({ node, rows, context: { text } }: FormParts): void {
  const holder = $('#eid-approver-ids')
  const reason = $('#eid-approver-ids-reason')
  const { has_approverIds: has } = (node.credentials ?? {}) as { has_approverIds?: unknown }
  const typed = typedIds(node)
  const explain = () => {
    const values = inputs()
      .toArray()
      .map((one) => String($(one).val()))
    const [some, all] = [values.some(Boolean), values.every(Boolean)]
    const key = some && !all ? 'incomplete' : !some && has === true ? 'stored' : 'hint'
    reason.text(text(`ids.${key}`))
    inputs().each((_index, one) => void $(one).toggleClass('input-error', some && $(one).val() === ''))
  }
  const fieldOf = (id: string) => {
    const field = $('<div class="form-row">').append($('<label>').attr('for', `eid-id-${id}`))
    const input = $('<input type="password" autocomplete="off" spellcheck="false">')
      .attr({ id: `eid-id-${id}`, 'data-approver': id, placeholder: has === true ? '••••••••' : '' })
      .css('width', 'var(--eid-field)')
      .val(typed[id] ?? '')
    input.on('input', explain)
    return field.append(input)
  }
  const refresh = () => {
    const people = rows('approvers')
    const ids = people.map(({ id }) => String(id))
    inputs().each((_index, one) => {
      if (!ids.includes(String($(one).attr('data-approver')))) $(one).parent().remove()
    })
    for (const { id, name, by } of people) {
      // A field that exists stays as it is, because the person may be typing in it.
      if ($(`#eid-id-${String(id)}`).length === 0) holder.append(fieldOf(String(id)))
      const label = text(by === 'providerId' ? 'ids.providerId' : 'ids.nin')
      holder.find(`label[for="eid-id-${String(id)}"]`).text(label.replace('__name__', String(name) || '…'))
    }
    explain()
  }
  $('#eid-list-approvers').on('change', refresh)
  refresh()
}

const inputs = () => $('#eid-approver-ids input')

function readIds(): Record<string, string> {
  const entries = inputs()
    .toArray()
    .map((one) => [String($(one).attr('data-approver')), String($(one).val())] as const)
  return Object.fromEntries(entries.filter(([, id]) => id !== ''))
}

/** What was typed since the last deploy. */
function typedIds({ credentials }: EditorNode): Record<string, string> {
  try {
    const { approverIds } = (credentials ?? {}) as { approverIds?: string }
    return JSON.parse(approverIds ?? '') as Record<string, string>
  } catch {
    return {} // Nothing was typed: only the server has the ids.
  }
}

/** Writes the typed ids to the input that Node-RED reads. Without any, the stored ones stay. */
export function saveIds(): void {
  const ids = readIds()
  if (Object.keys(ids).length > 0) $('#node-input-approverIds').val(JSON.stringify(ids))
}
