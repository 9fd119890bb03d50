/**
 * Watches the path in a file setting: warns if there is no file at the path, and changes the file name together with
 * the path.
 */
import type { FormContext } from './form-context'
import { postJson } from './post-json'

/** Milliseconds after the last change until the server is asked about the path. */
const pauseMs = 400

export interface FileInputs {
  /** The typed input for the path. */
  readonly file: JQuery
  /** The input for the name that others see, if there is one. */
  readonly fileName?: JQuery
  /** The plain input for the folder to which paths are confined. */
  readonly baseFolder: JQuery
  /** The value that the name setting gets while the path is empty, such as a message property. */
  readonly noName: { readonly type: string; readonly value: string }
  /** Path and name as stored; empty if the setting has a type other than path or text. */
  readonly stored: { readonly path: string; readonly name: string }
}

interface Name {
  readonly type: string
  readonly value: string
}

/** Adds the hint to the row; returns a function that sets a file and its name together. */
export function watchPath(
  { file, fileName, baseFolder, noName, stored }: FileInputs,
  { common }: FormContext,
): (path: string, name: string) => void {
  const hint = $('<div class="eid-path-hint" role="status" aria-live="polite">')
  file.closest('.form-row').append(hint)
  const show = (words = '', outcome = '') => void hint.text(words).attr('data-outcome', outcome)
  const pathNow = () => (file.typedInput('type') === 'path' ? file.typedInput('value') : '')
  let timer = 0
  let asked = 0
  const look = (path: string) => {
    const number = ++asked
    const told = ({ problem, place = '' }: { problem?: string; place?: string }) => {
      if (problem && number === asked) show(common(`chooseFile.${problem}`).replace('__place__', place), 'bad')
    }
    postJson('eid/files/look', { path, baseFolder: baseFolder.val() }).done(told)
  }
  const refresh = () => {
    asked++
    clearTimeout(timer)
    const isAutomatic = file.typedInput('type') === 'auto'
    show(isAutomatic ? common(`chooseFile.automatic${fileName ? 'Named' : ''}`) : '')
    const path = pathNow()
    // Environment variables have values only at run time, so a path that contains a variable can't be checked here.
    if (path !== '' && !path.includes('${')) timer = window.setTimeout(() => look(path), pauseMs)
  }

  /** The name that belongs to the current path; undefined if the user typed another name. */
  let given: Name | undefined = isNameOf(stored) ? { type: 'str', value: stored.name } : undefined
  const setName = (name: Name) => {
    given = name
    fileName?.typedInput('type', name.type).typedInput('value', name.value)
  }
  const follow = () => {
    if (!fileName) return
    const isOwn = fileName.typedInput('type') !== given?.type || fileName.typedInput('value') !== given.value
    if (isOwn) return void (given = undefined)
    const value = lastPart(pathNow())
    setName(value === '' ? noName : { type: 'str', value })
  }
  file.on('change', () => {
    refresh()
    follow()
  })
  baseFolder.on('change', refresh)
  refresh()
  return (path, name) => {
    file.typedInput('type', 'path').typedInput('value', path)
    setName({ type: 'str', value: name })
  }
}

/** The part after the last slash of a path. */
export const lastPart = (path: string) => path.split(/[\\/]/).pop() ?? ''

/** True if the path ends in this name. A second file with the same name is stored as `name (1).pdf` and counts too. */
function isNameOf({ path, name }: FileInputs['stored']): boolean {
  const last = lastPart(path)
  return name !== '' && (last === name || last.replace(/ \(\d+\)(?=\.[^.]*$|$)/, '') === name)
}
