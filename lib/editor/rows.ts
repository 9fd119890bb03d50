/** Lists that are edited in the form: one block per signer, recipient or file, each setting of it a typed input. */
import { isTyped, type Fields } from '../fields'
import { typesOf } from './types'

interface RowList {
  readonly name: string
  readonly fields: Fields
  readonly node: EditorNode
  readonly input: JQuery
  readonly text: (key: string) => string
  readonly common: (key: string) => string
}

const listId = (name: string) => `eid-list-${name}`

/** Puts the list below its typed input; it is shown while the type is `form`. */
export function prepareRows(list: RowList): void {
  const holder = $('<div class="form-row eid-list-row">').insertAfter(list.input.closest('.form-row'))
  const element = $('<ol>')
    .attr({ id: listId(list.name), 'aria-label': list.text(`fields.${list.name}`) })
    .appendTo(holder)
  element.css({ minHeight: '120px' }).editableList({
    addButton: list.text(`add.${list.name}`),
    sortable: true,
    removable: true,
    height: 'auto',
    addItem: (row, _index, data) => buildRow(list, row, data),
  })
  const stored = list.node[`${list.name}Rows`]
  for (const row of Array.isArray(stored) ? (stored as RowData[]) : []) element.editableList('addItem', { ...row })
  const toggle = () => holder.toggle(list.input.typedInput('type') === 'form')
  list.input.on('change', toggle)
  toggle()
}

function buildRow({ name, fields, text, common }: RowList, row: JQuery, data: RowData): void {
  for (const [field, spec] of Object.entries(fields)) {
    const label = $('<label>')
      .text(text(`${name}Row.${field}`))
      .css({ display: 'inline-block', width: '140px' })
    const input = $('<input type="text">').attr({ 'data-field': field, 'aria-label': text(`${name}Row.${field}`) })
    const line = $('<div class="eid-row-line">').css({ marginBottom: '4px' }).append(label, input).appendTo(row)
    input.css({ width: 'calc(100% - 150px)' }).val(String(data[field] ?? spec.initial))
    label.on('click', () => line.find('input:visible').first().trigger('focus'))
    if (!isTyped(spec)) continue
    input.typedInput({ default: spec.type, types: typesOf(spec, () => spec.suggestions ?? [], common) })
    input.typedInput('type', String(data[`${field}Type`] ?? spec.type))
  }
}

/** What the list holds now, as it is stored: `{field, fieldType}` per row. */
export function readRows(name: string, fields: Fields): RowData[] {
  const rows = $(`#${listId(name)}`)
    .editableList('items')
    .toArray()
  return rows.map((row) => {
    const entries = Object.entries(fields).flatMap(([field, spec]): [string, unknown][] => {
      const input = $(row).find(`input[data-field="${field}"]`)
      if (!isTyped(spec)) return [[field, input.val()]]
      return [
        [field, input.typedInput('value')],
        [`${field}Type`, input.typedInput('type')],
      ]
    })
    return Object.fromEntries(entries)
  })
}

/** Gives the lists the height that the dialog leaves them. */
export function resizeRows(fields: Fields, size: { width: number }): void {
  for (const [name, field] of Object.entries(fields)) {
    if (isTyped(field) && field.rows) $(`#${listId(name)}`).editableList('width', size.width - 20)
  }
}
