/** For the list of errors: recognizes the file that an error about a file that is not saved was about. */
import { isPlainObject } from '../../common/plain-object'
import { markOf } from './key-marks'

/** The properties by which the files that a node saves differ, such as the format. An unknown part is undefined. */
export type FileParts = readonly (string | undefined | BySetting)[]

/** A part by which files differ only as long as the form sets it in the same way. */
export interface BySetting {
  readonly setting: string
  readonly value: string | undefined
}

const unknown = '?'

/** The key of a file, as a parameter of the problem. Names and paths may be personal, so each part is a hash. */
export function fileKey(parts: FileParts): string {
  const hash = (part: string | undefined) => (part === undefined ? unknown : (markOf(part) ?? ''))
  return parts
    .map((part) => (typeof part === 'object' ? `${hash(part.setting)}:${hash(part.value)}` : hash(part)))
    .join(' ')
}

/** The key of the file that is not saved according to the error; undefined if the error is about something else. */
export function unsavedFile({ said }: { readonly said?: unknown }): string | undefined {
  // A stored error may be from another version.
  const problems: readonly unknown[] = isPlainObject(said) && Array.isArray(said.problems) ? said.problems : []
  for (const problem of problems) {
    const params = isPlainObject(problem) ? problem.params : undefined
    const key = isPlainObject(params) ? params.savedFile : undefined
    if (typeof key === 'string') return key
  }
  return undefined
}

/** True if the file `saved` may be the one that was not saved. What was unknown at the error is not compared. */
export function isSameFile(unsaved: string | undefined, saved: string): boolean {
  const parts = saved.split(' ')
  return unsaved?.split(' ').every((part, at) => isSamePart(part, parts[at])) === true
}

function isSamePart(unsaved: string, saved: string | undefined): boolean {
  const [value, setting] = unsaved.split(':').reverse()
  const [savedValue, savedSetting] = saved?.split(':').reverse() ?? []
  const isChanged = setting !== undefined && savedSetting !== undefined && setting !== savedSetting
  return value === unknown || value === savedValue || isChanged
}
