/** Shows the columns and first rows of the list file chosen in the form of "batch". */
import { lastPart } from '../../lib/editor/file-path'
import type { FormParts } from '../../lib/editor/form-context'
import { offerColumns } from '../../lib/editor/insert-field'
import { problemText, readSource } from '../../lib/editor/read-source'
import { columnOf } from '../../lib/settings/column-of'

interface ListFile {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, string | number | boolean>>[]
  readonly count: number
  /** Why a column cannot be the row key; the name is empty for having no row key. */
  readonly unfit: Readonly<Record<string, string>>
}

/** The element for a sentence that a person should read before the list is sent. */
const warning = '<p class="form-tips eid-warning">'

/** Milliseconds between the last keystroke and the request to the server. */
const pauseMs = 400

export function showList({ input, context }: FormParts): void {
  const { text, common } = context
  const pathNow = () => (input('rows').typedInput('type') === 'path' ? input('rows').typedInput('value') : '')
  const nameBefore = lastPart(pathNow())
  const preview = $('<div class="eid-preview eid-list" role="status">').insertAfter(input('sheet').closest('.form-row'))
  const keyHint = $(warning).attr('role', 'status').insertAfter(input('key').closest('.form-row'))
  let list: Partial<ListFile> = {}
  const showKeyHint = () => {
    const key = String(input('key').typedInput('value'))
    const column = key === '' ? '' : columnOf(input('key').typedInput('type'), key)
    const isMissing = column && list.columns?.includes(column) === false
    const reason = isMissing ? 'missing' : column === undefined ? column : list.unfit?.[column]
    keyHint.text(reason ? text(`key.${reason}`).replace('__name__', () => column!) : '').toggle(reason !== undefined)
  }
  let timer = 0
  let asked = 0
  const show = (found: Partial<ListFile> & { problem?: Parameters<typeof problemText>[0] }) => {
    preview.empty()
    list = found
    showKeyHint()
    if (found.problem)
      return void preview.append($('<p class="eid-bad">').text(problemText(found.problem, text('fields.rows'), common)))
    if (!found.columns) return
    preview.append(tableOf(found as ListFile, text))
    // Without a name of its own, a list is identified by its file name, so a file with another name is another list, which may have been sent
    // before.
    const isNamed = input('listName').typedInput('value') !== ''
    if (nameBefore !== '' && lastPart(pathNow()) !== nameBefore && !isNamed)
      preview.append($(warning).text(text('preview.newName').split('__name__').join(nameBefore)))
    const value = found.columns.find((name) => /^[^@\s]+@[^@\s]+$|^[\d\s.,+-]+$/.test(name))
    // An e-mail address or a number in place of a column name usually means that the file has no header row, and that
    // these are the data of the first person.
    if (value !== undefined) preview.append($(warning).text(text('preview.value').replace('__value__', value)))
    offerColumns(input('key').closest('.form-row'), found.columns)
  }
  const look = () => {
    const number = ++asked
    clearTimeout(timer)
    const path = pathNow()
    preview.toggle(path !== '')
    if (path === '' || path.includes('${')) return show({})
    timer = window.setTimeout(() => {
      const body = { path, sheet: input('sheet').val(), language: input('language').val() }
      readSource<ListFile>('rows', body, (found) => {
        if (number === asked) show(found)
      })
    }, pauseMs)
  }
  input('key').on('change', showKeyHint)
  input('rows').on('change', look)
  input('sheet').on('change input', look)
  input('language').on('change', look)
  look()
}

function tableOf({ columns, rows, count }: ListFile, text: (key: string) => string): JQuery {
  const head = $('<tr>').append(columns.map((name) => $('<th scope="col">').text(name)))
  const body = rows.map((row) => $('<tr>').append(columns.map((name) => $('<td>').text(String(row[name] ?? '')))))
  const words = text(count === 1 ? 'preview.row' : count > rows.length ? 'preview.first' : 'preview.rows')
  const caption = $('<caption>').text(
    words.replace('__count__', String(count)).replace('__shown__', String(rows.length)),
  )
  const table = $('<table>').append(caption, $('<thead>').append(head), $('<tbody>').append(body))
  return $('<div class="eid-scroll" tabindex="0" role="region">').attr('aria-label', text('fields.rows')).append(table)
}
