/** Why a file cannot be used. */
import type { TextParams } from '../../api/errors/texts'

/** A fault in a file or in a value for it, before translation: a key under `problems.` of the client's catalog. */
export interface FileProblem {
  readonly key: string
  readonly params?: TextParams
}
