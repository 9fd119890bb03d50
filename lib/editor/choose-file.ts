/**
 * The button "Choose file…" below a file setting: uploads a file from the user's computer to the server and fills in
 * the path of the uploaded file.
 */
import { maxChosenBytes } from '../common/limits'
import { watchPath, type FileInputs } from './file-path'
import type { FormContext } from './form-context'

/** Adds the button to the row of `file`. A file dropped anywhere on the form is uploaded in the same way. */
export function prepareChooseFile(inputs: FileInputs, context: FormContext): void {
  const { file, baseFolder } = inputs
  const { common } = context
  const row = file.closest('.form-row')
  const words = (key: string, name: string) => common(`chooseFile.${key}`).replace('__name__', () => name)
  const picker = $('<input type="file">').hide()
  const button = $('<button type="button" class="red-ui-button"><i class="fa fa-folder-open-o"></i> </button>')
  const answer = $('<span role="status" aria-live="polite">')
  const container = $('<div class="eid-choose-file">').append(
    picker,
    button.append(common('chooseFile.button')),
    answer,
  )
  row.append(container)
  const takeOver = watchPath(inputs, context)
  const show = (text: string, outcome: string) => answer.text(text).attr('data-outcome', outcome)

  const take = (chosen: File | undefined) => {
    if (!chosen || button.prop('disabled')) return
    if (chosen.name.startsWith('~$')) return void show(words('lockFile', chosen.name), 'bad')
    if (chosen.size > maxChosenBytes) return void show(words('tooLarge', chosen.name), 'bad')
    button.prop('disabled', true)
    show(words('copying', chosen.name), '')
    $.ajax({
      // The address is relative, because the editor may be served below a path.
      url: `eid/files?name=${encodeURIComponent(chosen.name)}`,
      method: 'POST',
      contentType: 'application/octet-stream',
      data: chosen,
      processData: false,
    })
      .done(({ path }: { path: string }) => {
        takeOver(path, chosen.name)
        const confined = String(baseFolder.val() ?? '') !== ''
        show(words(confined ? 'confined' : 'copied', chosen.name), confined ? 'bad' : 'good')
      })
      .fail(({ status }) => show(words(reasons[status] ?? 'failed', chosen.name), 'bad'))
      .always(() => {
        button.prop('disabled', false)
        // The browser took the focus from the button while it was disabled.
        if (document.activeElement === document.body) button.trigger('focus')
      })
  }

  button.on('click', () => picker.trigger('click'))
  picker.on('change', () => {
    take((picker[0] as HTMLInputElement).files?.[0])
    // Without this, the same file could not be chosen again.
    picker.val('')
  })
  takeDrops(row, take)
}

const reasons: Readonly<Record<number, string>> = { 401: 'notAllowed', 403: 'notAllowed', 413: 'tooLarge' }

/** Accepts files dropped on the form while the setting is shown. */
function takeDrops(row: JQuery, take: (file: File | undefined) => void): void {
  const form = row.closest('.eid-form')
  const filesOf = (event: JQuery.TriggeredEvent) => (event.originalEvent as DragEvent).dataTransfer
  const handle = (event: JQuery.TriggeredEvent) => {
    const brought = filesOf(event)
    const wanted = brought?.types.includes('Files') === true && row.css('display') !== 'none'
    form.toggleClass('eid-dropping', wanted && event.type === 'dragover')
    if (!wanted) return
    // Without this, the browser would open the file in place of the editor.
    event.preventDefault()
    event.stopPropagation()
    if (event.type === 'drop') take(brought.files[0])
  }
  for (const name of ['dragover', 'drop', 'dragleave']) form.on(name, handle)
}
