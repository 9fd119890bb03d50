/**
 * The button "Choose file…" below a file setting, and "Choose files…" below a list of files: uploads files from the
 * user's computer to the server and fills in the paths of the uploaded files.
 */
import { maxChosenBytes } from '../common/limits'
import { watchPath, type FileInputs } from './file-path'
import type { FormContext } from './form-context'

interface FileButton {
  /** Where the button is shown. */
  readonly row: JQuery
  /** Whether several files can be chosen at once. */
  readonly several: boolean
  /** Whether a file dropped anywhere on the form is taken in the same way. */
  readonly drops: boolean
  readonly baseFolder: JQuery
  /** Called with each file that is now on the server. */
  readonly got: (path: string, name: string) => void
}

/** Adds the button to the row of `file`. */
export function prepareChooseFile(inputs: FileInputs, context: FormContext, drops: boolean): void {
  const { file, baseFolder } = inputs
  const row = file.closest('.form-row')
  addFileButton({ row, several: false, drops, baseFolder, got: watchPath(inputs, context) }, context)
}

/** Adds the button, which copies files from the user's computer to the server. */
export function addFileButton({ row, several, drops, baseFolder, got }: FileButton, { common }: FormContext): void {
  const words = (key: string, name: string) => common(`chooseFile.${key}`).replace('__name__', () => name)
  const picker = $('<input type="file">').prop('multiple', several).hide()
  const button = $('<button type="button" class="red-ui-button"><i class="fa fa-folder-open-o"></i> </button>')
  const answer = $('<span role="status" aria-live="polite">')
  const container = $('<div class="eid-choose-file">').append(
    picker,
    button.append(common(several ? 'chooseFile.buttonSeveral' : 'chooseFile.button')),
    answer,
  )
  row.append(container)
  const show = (text: string, outcome: string) => answer.text(text).attr('data-outcome', outcome)

  const take = ([chosen, ...more]: readonly File[]) => {
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
        got(path, chosen.name)
        const confined = String(baseFolder.val() ?? '') !== ''
        show(words(confined ? 'confined' : 'copied', chosen.name), confined ? 'bad' : 'good')
      })
      .fail(({ status }) => show(words(reasons[status] ?? 'failed', chosen.name), 'bad'))
      .always(() => {
        button.prop('disabled', false)
        // The browser took the focus from the button while it was disabled.
        if (document.activeElement === document.body) button.trigger('focus')
        take(more)
      })
  }

  button.on('click', () => picker.trigger('click'))
  picker.on('change', () => {
    take([...((picker[0] as HTMLInputElement).files ?? [])])
    // Without this, the same file could not be chosen again.
    picker.val('')
  })
  if (drops) takeDrops(row, several, take)
}

const reasons: Readonly<Record<number, string>> = { 401: 'notAllowed', 403: 'notAllowed', 413: 'tooLarge' }

/** Accepts files dropped on the form while the setting is shown. */
function takeDrops(row: JQuery, several: boolean, take: (files: readonly File[]) => void): void {
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
    if (event.type === 'drop') take([...brought.files].slice(0, several ? undefined : 1))
  }
  for (const name of ['dragover', 'drop', 'dragleave']) form.on(name, handle)
}
