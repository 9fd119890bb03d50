/** The jobs that the process of `file-process.ts` does. */
import type { PlainObject } from '../../common/plain-object'

export interface WordJob {
  readonly what: 'fields' | 'text' | 'fill'
  readonly bytes: Buffer
  /** The values of the fields, if the file is to be filled in. */
  readonly data: PlainObject
}

export interface ListJob {
  readonly what: 'rows'
  readonly bytes: Buffer
  /** The name of a sheet; if empty, the first visible sheet is read. */
  readonly sheet: string
  /** The language in which numbers and dates are shown. */
  readonly language: string
}

export type FileJob = WordJob | ListJob
