/** Lists edited in the form: each signer, recipient or file is a block whose settings are typed inputs. */
import { isTyped, type Field, type Fields, type TypedField } from '../settings/fields'
import { conflictOf, isNotAmong } from '../settings/conflicts'
import { isFromForm, isRelevant, isStarred, type ReadStored } from '../settings/validation'
import { addFileButton } from './choose-file'
import { addChoices, hasChoices } from './choices'
import type { FormContext } from './form-context'
import { inOneGo } from './in-one-go'
import { addPicker } from './pickers'
import { addRowTools, nameRows } from './row-tools'
import { typesOf } from './types'
import { conflictText, nameParts, showExample, showMessage, verdictOf } from './validation-messages'
import { exampleOf } from './words'

interface RowList {
  readonly name: string
  readonly fields: Fields
  readonly node: EditorNode
  readonly input: JQuery
  readonly baseFolder: JQuery
  readonly context: FormContext
}

const listId = (name: string) => `eid-list-${name}`
const inputIn = (row: JQuery, field: string) => row.find(`input[data-field="${field}"]`)

/** Puts the list below its typed input. The list is shown while the input's type is `form`. */
export function prepareRows(list: RowList): void {
  const { name, node, input, context } = list
  const holder = $('<div class="form-row eid-list">').insertAfter(input.closest('.form-row'))
  const element = $('<ol>')
    .attr({ id: listId(name), 'aria-label': context.text(`fields.${name}`), 'data-one': context.text(`one.${name}`) })
    .appendTo(holder)
  // Reports a change of the list's own setting. Node-RED then validates this setting again, and all settings that
  // depend on it.
  const changed = () => element.add(input).trigger('change')
  element.editableList({
    addButton: context.text(`add.${name}`),
    sortable: true,
    removable: true,
    height: 'auto',
    addItem(row, index, data) {
      buildRow(list, row, index, data)
      // A new row gets the focus, because the user who added it will fill it in next.
      if (Object.keys(data).length === 0) setTimeout(() => row.find('input:visible').first().trigger('focus'))
      // Waits, because the list adds its own parts around the row after this call.
      setTimeout(() => {
        nameRows(element, context)
        changed()
      })
    },
    removeItem() {
      nameRows(element, context)
      changed()
      // The removed button had the focus, so the "add" button gets it.
      if (document.activeElement === document.body) holder.find('.red-ui-editableList-addButton').trigger('focus')
    },
    sortItems: () => nameRows(element, context),
  })
  const files = list.fields.file
  if (files && isTyped(files) && files.types?.includes('path')) {
    const { baseFolder } = list
    const got = (path: string, fileName: string) => element.editableList('addItem', newFile(list, path, fileName))
    addFileButton({ row: holder, several: true, drops: true, baseFolder, got }, context)
  }
  const stored = node[`${name}Rows`]
  for (const row of Array.isArray(stored) ? (stored as RowData[]) : []) element.editableList('addItem', { ...row })
  const toggle = () => showRows(name, input)
  input.on('change', toggle)
  toggle()
}

/** The row of a file that was just chosen: it goes to the first offered item that has no file yet. */
function newFile({ name, fields, context }: RowList, file: string, fileName: string): RowData {
  const { contentId } = fields
  const taken = new Set(readRows(name, fields).map((row) => row.contentId))
  const free = contentId && context.offers(contentId).find(({ value }) => !taken.has(value))
  return { file, fileType: 'path', fileName, contentId: free?.value ?? '' }
}

/** Replaces the rows of the list with these rows. */
export function replaceRows(name: string, rows: readonly RowData[]): void {
  const list = $(`#${listId(name)}`)
  list.editableList('empty')
  for (const row of rows) list.editableList('addItem', { ...row })
}

/** Shows the list if its setting applies and is edited in the form. */
export function showRows(name: string, input: JQuery): void {
  const isMeant = input.typedInput('type') === 'form' && input.closest('.form-row').css('display') !== 'none'
  $(`#${listId(name)}`)
    .closest('.eid-list')
    .toggle(isMeant)
}

function buildRow(list: RowList, row: JQuery, index: number, data: RowData): void {
  const { name, fields, context } = list
  // The row is hidden, so that the browser does not lay it out before it is complete.
  row.addClass('eid-block').hide()
  addRowTools(row, context)
  const isNew = Object.keys(data).length === 0
  for (const [field, spec] of Object.entries(fields)) {
    const label = context.text(`${name}Row.${field}`)
    const input = $('<input type="text">').attr({ 'data-field': field, 'aria-label': label })
    const cell = $('<div class="eid-cell">')
      .attr('data-cell', field)
      .appendTo(spec.folded ? foldOf(row, spec.folded, context) : row)
    const caption = $('<label>').text(label).appendTo(cell)
    if (spec.required) caption.append('<span class="eid-star" aria-hidden="true">*</span>')
    caption.on('click', () => cell.find('input:visible, select:visible').first().trigger('focus'))
    const newValue = isNew ? newValueOf(spec, index) : undefined
    input.appendTo(cell).val(String(data[field] ?? newValue ?? spec.initial))
    if (!isTyped(spec)) continue
    prepareCell(spec, input, cell, label, String(data[`${field}Type`] ?? spec.type), context)
    showExample(input, exampleOf(`${name}Row.${field}`, context))
    if (hasChoices(spec)) addChoices({ name: field, field: spec, input, label, context })
  }
  const hint = $('<div class="form-tips eid-hint" role="status">').appendTo(row)
  // The folded parts come last, so that the hint above them is visible without scrolling.
  row.children('.eid-fold').appendTo(row)
  const read = (field: string) => readCell(inputIn(row, field))
  const refresh = () => {
    for (const [field, spec] of Object.entries(fields)) {
      const cell = row.find(`[data-cell="${field}"]`).toggle(spec.hidden !== true && isRelevant(spec, fields, read))
      if (spec.requiredWhen ?? spec.requiredWith) cell.find('.eid-star').toggle(isStarred(spec, fields, read))
      const verdict = cellVerdict(list, field, read)
      showMessage(cell, verdict)
      // No fault is hidden in a part that is closed.
      if (verdict !== true) cell.closest('details').prop('open', true)
    }
    const doubt = context.doubtOf?.(name, read)
    hint.text(doubt === undefined ? '' : context.text(`hints.${doubt}`)).toggle(doubt !== undefined)
  }
  const changed = inOneGo(row, () => {
    refresh()
    nameRows(row.closest('ol'), context)
  })
  row.on('change input', changed)
  refresh()
  for (const [field, spec] of Object.entries(fields)) {
    const { value } = read(field)
    if (spec.folded && value !== spec.initial && value !== newValueOf(spec, index))
      foldOf(row, spec.folded, context).parent().prop('open', true)
  }
  row.show()
}

function newValueOf({ newRowValue }: Field, index: number): string | undefined {
  return newRowValue?.replace('__n__', String(index + 1)).replace('__random__', () => RED.nodes.id())
}

/** A part of a row that stays closed until the user opens it or it contains a value. */
function foldOf(row: JQuery, name: true | string, { text, common }: FormContext): JQuery {
  const key = name === true ? 'more' : name
  const there = row.children(`details[data-fold="${key}"]`)
  if (there.length > 0) return there.children('.eid-cells')
  const fold = $('<details class="eid-fold">')
    .attr('data-fold', key)
    .append($('<summary>').text(name === true ? common('rows.more') : text(`folds.${key}`)))
    .appendTo(row)
  return $('<div class="eid-cells">').appendTo(fold)
}

function prepareCell(
  spec: TypedField,
  input: JQuery,
  cell: JQuery,
  label: string,
  type: string,
  context: FormContext,
): void {
  const stored = input.val()
  const picker = addPicker(spec, input, label, context.common)
  input.css('width', picker ? 'calc(100% - 40px)' : '100%')
  input.typedInput({ default: spec.type, types: typesOf(spec, context) })
  if (picker) cell.append(picker)
  input.typedInput('type', type)
  // The type is set first and the value again afterwards: a typed input starts with its first type, which may accept
  // only a few values and would clear any other value.
  input.typedInput('value', stored)
  nameParts(cell, label, context.common)
}

function readCell(input: JQuery): { value: string; type: string } {
  return { value: input.typedInput('value'), type: input.typedInput('type') }
}

type Rows = Pick<RowList, 'name' | 'fields' | 'context'>

function cellVerdict({ name, fields, context }: Rows, field: string, read: ReadStored): true | string {
  const spec = fields[field] as Field
  const label = context.text(`${name}Row.${field}`)
  const isSaidAround = spec.orAround === true && String(context.around?.(field).value ?? '') !== ''
  const isNeeded = isStarred(spec, fields, read) && !isSaidAround
  const hasBegun = isFilled(fields, read)
  const required = isNeeded && (spec.required === true || hasBegun)
  const verdict = verdictOf(spec, read(field), { label, required }, context)
  if (verdict !== true) return verdict
  if (isNotAmong(spec, read(field), context.around))
    return context.text('problems.unregistered').replace('__path__', label)
  const conflict = hasBegun && rowConflict(spec, fields, read, context)
  return conflict ? conflictText(conflict, label, context) : true
}

/** True once the user has begun to fill in the row; missing values are not marked before that. */
function isFilled(fields: Fields, read: ReadStored): boolean {
  return Object.entries(fields).some(([field, spec]) => {
    const { value, type } = read(field)
    const isNew = spec.newRowValue !== undefined || (value ?? spec.initial) === spec.initial
    return !isNew || (isTyped(spec) && (type ?? spec.type) !== spec.type)
  })
}

/** Returns a conflict within a row, or between a row and the settings outside the list. */
function rowConflict(spec: Field, fields: Fields, read: ReadStored, { rules, around, known }: FormContext) {
  if (spec.together === undefined || (around && !isFromForm(around))) return undefined
  return conflictOf(spec, { fields, read, rules, around: (around && known?.(around)) ?? {} })
}

/** Checks the rows of a list. Returns `true`, or the first fault with the number of its row. */
export function checkRows(
  name: string,
  { rows = {} }: TypedField,
  stored: unknown,
  context: FormContext,
): true | string {
  for (const [index, row] of (Array.isArray(stored) ? (stored as RowData[]) : []).entries()) {
    const read = (field: string) => ({ value: row[field], type: row[`${field}Type`] as string | undefined })
    for (const [field, spec] of Object.entries(rows)) {
      if (spec.unique && isRepeated(stored as RowData[], index, field))
        return repeatedText(`${name}Row.${field}`, context)
      if (!isRelevant(spec, rows, read)) continue
      const verdict = cellVerdict({ name, fields: rows, context }, field, read)
      if (verdict !== true) return `${context.text(`one.${name}`)} ${index + 1}: ${verdict}`
    }
  }
  return true
}

/** True if an earlier row has the same value, as far as the values are known before a message arrives. */
function isRepeated(rows: readonly RowData[], index: number, field: string): boolean {
  const own = rows[index]
  const isSame = (row: RowData) => row[field] === own?.[field] && row[`${field}Type`] === 'str'
  return own?.[`${field}Type`] === 'str' && own[field] !== '' && rows.slice(0, index).some(isSame)
}

const repeatedText = (label: string, { text, common }: FormContext) =>
  common('problems.repeated').replace('__path__', text(label))

/** The current rows of the list as they are stored: each setting as `{field, fieldType}`. */
export function readRows(name: string, fields: Fields): RowData[] {
  const list = $(`#${listId(name)}`)
  if (list.length === 0) return []
  return list
    .editableList('items')
    .toArray()
    .map((row) => {
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

/** Fits the lists to the width of the dialog. */
export function resizeRows(fields: Fields, size: { width: number }): void {
  for (const [name, field] of Object.entries(fields)) {
    if (isTyped(field) && field.rows) $(`#${listId(name)}`).editableList('width', size.width - 40)
  }
}
