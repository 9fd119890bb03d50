/** Lists that are edited in the form: one block per signer, recipient or file, each setting of it a typed input. */
import { isTyped, type Field, type Fields, type TypedField } from '../fields'
import type { Room } from './form'
import { addPicker } from './pickers'
import { explain, nameParts } from './reasons'
import { addRowTools, nameRows } from './row-tools'
import { typesOf } from './types'
import { checkValue, isMeant } from './validate'

interface RowList {
  readonly name: string
  readonly fields: Fields
  readonly node: EditorNode
  readonly input: JQuery
  readonly room: Room
}

const listId = (name: string) => `eid-list-${name}`
const inputIn = (row: JQuery, field: string) => row.find(`input[data-field="${field}"]`)

/** Puts the list below its typed input; it is shown while the type is `form`. */
export function prepareRows(list: RowList): void {
  const { name, node, input, room } = list
  const holder = $('<div class="form-row eid-list">').insertAfter(input.closest('.form-row'))
  const element = $('<ol>')
    .attr({ id: listId(name), 'aria-label': room.text(`fields.${name}`) })
    .appendTo(holder)
  element.editableList({
    addButton: room.text(`add.${name}`),
    sortable: true,
    removable: true,
    height: 'auto',
    addItem(row, index, data) {
      buildRow(list, row, index, data)
      // The list puts its own parts around the row afterwards.
      setTimeout(() => nameRows(element, room))
    },
    removeItem() {
      nameRows(element, room)
      element.trigger('change')
      // The focus was on the button that is gone.
      if (document.activeElement === document.body) holder.find('.red-ui-editableList-addButton').trigger('focus')
    },
    sortItems: () => nameRows(element, room),
  })
  const stored = node[`${name}Rows`]
  for (const row of Array.isArray(stored) ? (stored as RowData[]) : []) element.editableList('addItem', { ...row })
  const toggle = () =>
    holder.toggle(input.typedInput('type') === 'form' && input.closest('.form-row').css('display') !== 'none')
  input.on('change', toggle)
  toggle()
}

function buildRow({ name, fields, room }: RowList, row: JQuery, index: number, data: RowData): void {
  row.addClass('eid-block')
  addRowTools(row, room)
  const isNew = Object.keys(data).length === 0
  for (const [field, spec] of Object.entries(fields)) {
    const label = room.text(`${name}Row.${field}`)
    const input = $('<input type="text">').attr({ 'data-field': field, 'aria-label': label })
    const cell = $('<div class="eid-cell">').attr('data-cell', field).appendTo(row)
    const caption = $('<label>').text(label).appendTo(cell)
    caption.on('click', () => cell.find('input:visible').first().trigger('focus'))
    const fresh = isNew ? spec.fresh?.replace('__n__', String(index + 1)) : undefined
    input.appendTo(cell).val(String(data[field] ?? fresh ?? spec.initial))
    if (isTyped(spec)) prepareCell(spec, input, cell, label, String(data[`${field}Type`] ?? spec.type), room)
  }
  const read = (field: string) => readCell(inputIn(row, field))
  const refresh = () => {
    for (const [field, spec] of Object.entries(fields)) {
      const cell = row.find(`[data-cell="${field}"]`).toggle(isMeant(spec, fields, read))
      explain(cell, cellVerdict(name, spec, field, read(field), room))
    }
  }
  row.on('change input', refresh)
  refresh()
}

function prepareCell(spec: TypedField, input: JQuery, cell: JQuery, label: string, type: string, room: Room): void {
  const picker = addPicker(spec, input, label, room.common)
  input.css('width', picker ? 'calc(100% - 40px)' : '100%')
  input.typedInput({ default: spec.type, types: typesOf(spec, room) })
  if (picker) cell.append(picker)
  input.typedInput('type', type)
  nameParts(cell, label, room.common)
}

function readCell(input: JQuery): { value: string; type: string } {
  return { value: input.typedInput('value'), type: input.typedInput('type') }
}

function cellVerdict(
  name: string,
  spec: Field,
  field: string,
  { value, type }: { value: unknown; type: string },
  room: Room,
) {
  return checkValue(spec, { value, type, label: room.text(`${name}Row.${field}`) }, room.rules, room.common)
}

/** `true`, or the first reason in a row. Reads the open form when no node is given, otherwise what is stored. */
export function checkRows(
  name: string,
  { rows = {} }: TypedField,
  node: EditorNode | undefined,
  room: Room,
): boolean | string {
  const stored = node ? node[`${name}Rows`] : readRows(name, rows)
  for (const [index, row] of (Array.isArray(stored) ? (stored as RowData[]) : []).entries()) {
    const read = (field: string) => ({ value: row[field], type: row[`${field}Type`] as string | undefined })
    for (const [field, spec] of Object.entries(rows)) {
      if (!isMeant(spec, rows, read)) continue
      const type = String(row[`${field}Type`] ?? (isTyped(spec) ? spec.type : ''))
      const verdict = cellVerdict(name, spec, field, { value: row[field], type }, room)
      if (verdict !== true) return `${room.text(`fields.${name}`)} ${index + 1}: ${verdict}`
    }
  }
  return true
}

/** What the list holds now, as it is stored: `{field, fieldType}` per row. */
export function readRows(name: string, fields: Fields): RowData[] {
  const rows = $(`#${listId(name)}`).editableList('items')
  return rows.toArray().map((row) => {
    const entries = Object.keys(fields).flatMap((field): [string, unknown][] => {
      const { value, type } = readCell(inputIn($(row), field))
      return [
        [field, value],
        [`${field}Type`, type],
      ]
    })
    return Object.fromEntries(entries)
  })
}

/** Gives the lists the width that the dialog leaves them. */
export function resizeRows(fields: Fields, size: { width: number }): void {
  for (const [name, field] of Object.entries(fields)) {
    if (isTyped(field) && field.rows) $(`#${listId(name)}`).editableList('width', size.width - 40)
  }
}
