/** The fields of a Word file. */
import type { FileProblem } from './file-problem'

/** A field. If it has `inside`, the content between `{#name}` and `{/name}` is repeated for each item of a list. */
export interface WordField {
  readonly name: string
  readonly inside?: readonly WordField[]
}

/** The fields in order, each only once; or the first mistake in the file. */
export type WordFields = readonly WordField[] | FileProblem
