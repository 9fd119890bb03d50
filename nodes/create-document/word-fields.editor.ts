/** Shows the fields of the Word file chosen in the form of "create document", and a preview of the filled-in text. */
import type { FormParts } from '../../lib/editor/form-context'
import { postJson } from '../../lib/editor/post-json'
import { problemText, readSource, type SourceProblem } from '../../lib/editor/read-source'
import { fields as settings } from './create-document.fields'

/** Milliseconds between the last keystroke and the request to the server. */
const pauseMs = 400

/** The list of the open form's preview. */
let list: ReturnType<FormParts['lastList']>

interface Found {
  readonly fields: readonly string[]
  readonly lists: readonly string[]
}

/** Lists the fields of a Word file in the form, one row each, and adds the preview. */
export function showWordFields(parts: FormParts): void {
  const { input, context } = parts
  const { text, common } = context
  const hint = $('<div class="eid-word-hint" role="status">').appendTo(input('file').closest('.form-row'))
  const listHint = $('<div class="eid-word-hint" role="status">').appendTo(input('fields').closest('.form-row'))
  const preview = addPreview(parts)
  const pathNow = () => (input('file').typedInput('type') === 'path' ? String(input('file').typedInput('value')) : '')
  let last = pathNow()
  let timer = 0
  let asked = 0
  /** Shows what concerns Word files only. */
  const show = (isWord: boolean) => {
    preview.toggle(isWord)
    showSetting(parts, isWord)
  }
  const look = () => {
    const path = pathNow()
    const isNamed = path !== '' && !path.includes('${')
    const number = ++asked
    clearTimeout(timer)
    hint.add(listHint).text('').removeAttr('data-outcome')
    // The preview still shows the previous file, so it is hidden.
    if (path !== last) preview.find('.eid-paper').hide()
    show(isNamed && /\.docx$/i.test(path))
    if (!isNamed) return void (last = path)
    timer = window.setTimeout(() => {
      const body = { path, baseFolder: input('baseFolder').val() }
      readSource<Found>('fields', body, ({ fields = [], lists = [], problem }) => {
        if (number !== asked) return
        // The form already shows that the file is missing.
        const isNews = problem !== undefined && problem.key !== 'fileMissing' && problem.key !== 'fileNotRead'
        hint.text(isNews ? problemText(problem, text('fields.file'), common) : '').attr('data-outcome', 'bad')
        const names = lists.map((name) => `{#${name}}`).join(', ')
        listHint.text(names && text('hints.needsList').replace('__fields__', () => names))
        // A Word file counts as one whatever its name is.
        if (fields.length > 0) show(true)
        if (path !== last) takeFields(parts, fields)
        last = path
      })
    }, pauseMs)
  }
  input('file').on('change', look)
  look()
}

/**
 * Shows *Fields in the document* for a Word file, and for a file that is known only when the message arrives. A new form
 * does not say where the file comes from; there, the setting is shown only if it was changed.
 */
function showSetting({ input }: FormParts, isWord: boolean): void {
  const from = input('file').typedInput('type')
  const values = input('fields')
  const isChanged = values.typedInput('type') !== 'msg' || values.typedInput('value') !== settings.fields.initial
  const isOpen = String(input('file').typedInput('value')).includes('${')
  const isKnown = ['auto', 'base64', 'bin'].includes(from)
  const isShown = isWord || (isKnown ? isChanged : from !== 'path' || isOpen)
  const row = values.closest('.form-row')
  if (isShown === (row.css('display') !== 'none')) return
  row.toggle(isShown)
  const list = $('#eid-list-fields').closest('.eid-list')
  list.toggle(isShown && values.typedInput('type') === 'form')
}

/** Creates one row per field; rows that exist already keep their values. */
function takeFields({ input, rows, setRows }: FormParts, fields: readonly string[]): void {
  if (fields.length === 0) return
  const before = new Map(rows('fields').map((row) => [row.name, row]))
  input('fields').typedInput('type', 'form')
  setRows(
    'fields',
    fields.map((name) => before.get(name) ?? { name, value: propertyFor(name), valueType: 'msg', mayBeEmpty: false }),
  )
}

/** Returns the property for a column: `payload.rent`, or `payload["Last name"]` for a name that needs brackets. */
function propertyFor(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `payload.${name}` : `payload[${JSON.stringify(name)}]`
}

function addPreview(parts: FormParts): JQuery {
  const { input, rows, context } = parts
  const { text, common } = context
  const button = (key: string, icon: string) =>
    $(`<button type="button" class="red-ui-button"><i class="fa ${icon}"></i> </button>`).append(text(`preview.${key}`))
  list = parts.lastList()
  const row = $('<input type="number" min="1" value="1" class="eid-preview-row">').attr(
    'aria-label',
    text('preview.row'),
  )
  const chosen = $('<label>')
    .append($('<span>').text(text('preview.row')), row)
    .toggle(list !== undefined)
  const answer = $('<pre class="eid-paper" tabindex="0" role="status">').hide()
  const show = button('show', 'fa-eye')
  const download = button('download', 'fa-download')
  const place = $('<div class="eid-preview">').append(show, download, chosen, answer)
  place.insertAfter(input('file').closest('.form-row'))
  const body = () => ({
    path: input('file').typedInput('value'),
    baseFolder: input('baseFolder').val(),
    fields: rows('fields').map(({ name, value, valueType: type, mayBeEmpty }) => ({ name, value, type, mayBeEmpty })),
    ...(list && { list, row: Number(row.val()) }),
  })
  show.on('click', () => {
    readSource<{ text: string; empty: string[] }>('preview', body(), ({ text: words = '', empty = [], problem }) => {
      const names = empty.map((name) => `{${name}}`).join(', ')
      const warning = names && `${text('preview.empty').replace('__fields__', () => names)}\n\n`
      answer.show().text(problem ? problemText(problem as SourceProblem, text('fields.file'), common) : warning + words)
    })
  })
  row.on('change', () => {
    if (answer.is(':visible')) show.trigger('click')
  })
  download.on('click', () => {
    const asFile = { xhrFields: { responseType: 'blob' } } as const
    postJson('eid/files/preview', { ...body(), download: true }, asFile).done((blob: Blob) => save(blob))
  })
  return place
}

/** Returns the last list and the row number shown in the open form's preview; empty if there is no list. */
export function previewedRow(): { list?: object; row?: number } {
  return list ? { list, row: Number($('.eid-preview-row').val() ?? 1) } : {}
}

function save(blob: Blob): void {
  const url = URL.createObjectURL(blob)
  $('<a download="preview.docx">').attr('href', url)[0]?.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
