/** A field for the id of each approver. Each id is a credential of its own; stored ones never come back to the form. */
import type { FormParts } from '../../lib/editor/form-context'
import { credentialOf, maxApprovers } from './approve.fields'

/** Node-RED's placeholder for a stored secret. */
const stored = '__PWRD__'
/** Marks the field of an id that is stored on the server. */
const mark = 'eid-stored'

/** Shows the fields below the list of approvers, and again after every change of the list. */
export function prepareIds({ node, rows, input, context: { text } }: FormParts): void {
  const holder = $('#eid-approver-ids')
  const reason = $('#eid-approver-ids-reason')
  const known = (node.credentials ?? {}) as Readonly<Record<string, unknown>>
  /** The credentials of the rows that were there when the form was opened. A new row gets no id of an earlier one. */
  const before = rows('approvers').map(({ slot }) => String(slot))
  const explain = () => {
    const missing = fields().filter((_index, one) => !hasId($(one)))
    const isLive = RED.nodes.node(String(input('client').val()))?.environment === 'live'
    const isNeeded = isLive || missing.length < fields().length
    const isWrong = missing.length > 0 && isNeeded
    const isStored = missing.length === 0 && fields().filter(`.${mark}`).length > 0
    reason.text(text(`ids.${isWrong ? 'missing' : isStored ? 'stored' : 'hint'}`))
    fields().each((_index, one) => void $(one).toggleClass('input-error', isNeeded && !hasId($(one))))
  }
  const fieldOf = (slot: string) => {
    const name = credentialOf(slot)
    const id = `node-input-${name}`
    const isStored = before.includes(slot) && known[`has_${name}`] === true
    const field = $('<input type="password" autocomplete="off" spellcheck="false">')
      .attr({ id, 'data-slot': slot, placeholder: isStored ? '••••••••' : '' })
      .toggleClass(mark, isStored)
      .css('width', 'var(--eid-field)')
      .val(before.includes(slot) ? String(known[name] ?? '') : '')
    field.on('input', explain)
    return $('<div class="form-row">').append($('<label>').attr('for', id), field)
  }
  const refresh = () => {
    giveSlots()
    const people = rows('approvers').filter(({ slot }) => typeof slot === 'string' && slot !== '')
    const slots = people.map(({ slot }) => String(slot))
    fields().each((_index, one) => {
      if (!slots.includes(String($(one).attr('data-slot')))) $(one).parent().remove()
    })
    for (const { slot, name, by } of people) {
      const id = `node-input-${credentialOf(String(slot))}`
      // A field that exists stays as it is, because the person may be typing in it.
      if ($(`#${id}`).length === 0) holder.append(fieldOf(String(slot)))
      const label = text(by === 'providerId' ? 'ids.providerId' : 'ids.nin')
      holder.find(`label[for="${id}"]`).text(label.replace('__name__', String(name) || '…'))
    }
    explain()
  }
  /** Gives each new row a credential that no other row has. */
  const giveSlots = () => {
    // The ids of these rows are stored together.
    if (known.has_approverIds === true) return
    const cells = $('#eid-list-approvers input[data-field="slot"]')
    cells.each((_index, cell) => {
      // A row that is being built has no typed input yet; the list changes again when it is complete.
      if ($(cell).val() !== '' || !$(cell).data('noderedTypedInput')) return
      const used = cells.toArray().map((one) => String($(one).val()))
      const all = Array.from({ length: maxApprovers }, (_none, at) => String(at + 1))
      const fresh = all.filter((one) => !used.includes(one))
      const free = fresh.find((one) => !before.includes(one)) ?? fresh[0]
      if (free !== undefined) $(cell).typedInput('value', free)
    })
  }
  $('#eid-list-approvers').on('change', refresh)
  input('client').on('change', explain)
  refresh()
}

const fields = () => $('#eid-approver-ids input')

const hasId = (field: JQuery) => field.hasClass(mark) || String(field.val()) !== ''

/** Leaves unchanged ids as they are, and deletes those of removed rows. Node-RED reads the fields afterwards. */
export function saveIds({ credentials }: EditorNode): void {
  const holder = $('#eid-approver-ids')
  const known = (credentials ?? {}) as Readonly<Record<string, unknown>>
  fields().each((_index, one) => {
    if ($(one).hasClass(mark) && $(one).val() === '') $(one).val(stored)
  })
  for (let slot = 1; slot <= maxApprovers; slot++) {
    const name = credentialOf(slot)
    const isLeft = $(`#node-input-${name}`).length === 0 && (known[`has_${name}`] === true || known[name] !== undefined)
    if (isLeft) holder.append($('<input type="hidden">').attr('id', `node-input-${name}`))
  }
}
