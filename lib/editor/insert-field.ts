/**
 * The button beside a text with fields: it inserts a column of the list that was read last, or one of the built-in
 * fields.
 */
import { mergeFields } from '../settings/merge-fields'
import { readSource } from './read-source'

/** Fields that are available in every text. */
export const builtIn: readonly string[] = ['date', 'time', 'title', 'signer']
/** The columns of the list that was read last, for the buttons of rows that are added to the form later. */
let known: readonly string[] = []

/**
 * Creates the button; `fillInsertButtons` later adds the columns. The button is shown while the text may contain
 * fields.
 */
export function insertButton(
  input: JQuery,
  label: string,
  common: (key: string) => string,
  hasMergeFields: boolean,
): JQuery {
  const button = $('<select class="eid-picker eid-insert">').attr({
    'aria-label': `${label}: ${common('insertField')}`,
    title: common('insertField'),
  })
  // The service's own fields are always offered, whatever the columns are.
  if (hasMergeFields) button.attr('data-service', common('insertOfService'))
  fill(button, known)
  button.on('change', () => {
    const name = String(button.val())
    button.val('')
    if (name === '') return
    if (input.typedInput('type') !== 'tpl') input.typedInput('type', 'tpl').typedInput('value', '')
    // If the setting takes a single column, the picked column replaces the current column. In any other setting, the
    // current column is replaced only if the list lacks the current column. Any other text that the user typed stays.
    const [, one] = /^\s*\{([^{}]*)\}\s*$/.exec(String(input.typedInput('value'))) ?? []
    const isGone = one !== undefined && known.length > 0 && !known.includes(one) && !builtIn.includes(one)
    if (isGone || (one !== undefined && button.is('.eid-pick'))) input.typedInput('value', '')
    insert(input, `{${name}}`)
  })
  // The button stays visible for every type if the setting takes a single column.
  input.on('change', () => void button.toggle(input.typedInput('type') === 'tpl' || button.is('.eid-pick')))
  return button
}

/** Offers these columns in the button of `row`, and shows the button whatever the type of the value is. */
export function offerColumns(row: JQuery, columns: readonly string[]): void {
  const button = row.find('.eid-insert').addClass('eid-pick').show()
  // The built-in fields are left out here: a field that is the same in every row can't identify a row.
  if (button.length > 0) fill(button, columns, [])
}

function fill(button: JQuery, columns: readonly string[], always: readonly string[] = builtIn): void {
  const names = [...columns, ...always.filter((name) => !columns.includes(name))]
  button.empty().append($('<option value="">').text('{ }'))
  const option = (name: string) => $('<option>').attr('value', name).text(`{${name}}`)
  button.append(...names.map(option))
  const heading = button.attr('data-service')
  if (heading)
    button.append(
      $('<optgroup>')
        .attr('label', heading)
        .append(...mergeFields.map(option)),
    )
  button.val('')
}

/** Inserts the text at the cursor, or at the end if there is no cursor. */
function insert(input: JQuery, text: string): void {
  const box = input.nextAll('.red-ui-typedInput-container').first().find('.red-ui-typedInput-input')
  const element = box[0] as HTMLInputElement | undefined
  const value = String(input.typedInput('value'))
  const at = element?.selectionStart ?? value.length
  const end = element?.selectionEnd ?? at
  input.typedInput('value', value.slice(0, at) + text + value.slice(end))
  box.trigger('focus')
  element?.setSelectionRange(at + text.length, at + text.length)
}

/** Adds the columns of a list to the buttons of the form. The list is the one that `lastList` returns. */
export function fillInsertButtons(form: JQuery): void {
  if (form.find('.eid-insert').length === 0) return
  const list = lastList()
  known = []
  if (!list) return
  readSource<{ columns: readonly string[] }>('rows', list, ({ columns = [] }) => {
    known = columns
    form
      .find('.eid-insert')
      .not('.eid-pick')
      .each((_index, button) => fill($(button), columns))
    form.trigger('eid-columns', [columns])
  })
}

interface ListFile {
  readonly path: string
  readonly sheet: string
  readonly language: string
}

/**
 * Returns the list file of the last "batch" node on this tab. Without such a node, returns that of the last one whose
 * rows can arrive here through subflows, or of the last one in the workspace if a link node leads here. A subflow that
 * is not used yet may be meant for any list.
 */
export function lastList(): ListFile | undefined {
  const here = RED.workspaces.active()
  const nodes: EditorNode[] = []
  RED.nodes.eachNode((node) => void nodes.push(node))
  // Rows come down from every place that contains this subflow, and up from every subflow in such a place. A place that
  // is added in a loop is visited too.
  const places = new Set<string | undefined>([here])
  for (const place of places) for (const { type, z } of nodes) if (type === `subflow:${place}`) places.add(z)
  const isUnused = ![...places].some((place) => RED.nodes.workspace(place ?? ''))
  for (const place of places)
    for (const { type, z } of nodes) if (z === place && /^subflow:/.test(type)) places.add(type.slice(8))
  const isOpen = isUnused || nodes.some(({ type, z }) => type === 'link in' && places.has(z))
  const found = nodes.filter(({ type, rowsType }) => type === 'eid-batch' && rowsType === 'path')
  const last = found.filter(({ z }) => z === here).at(-1) ?? found.filter(({ z }) => isOpen || places.has(z)).at(-1)
  return (
    last && {
      path: String(last.rows ?? ''),
      sheet: String(last.sheet ?? ''),
      language: String(last.language ?? 'auto'),
    }
  )
}
