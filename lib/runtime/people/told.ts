/** The results of buttons before they are translated. */
import { toEidError } from '../node-red/errors'
import type { Translate } from '../node-red/texts'
import type { ActionAnswer } from '../../page/view'

/** A result that users with different languages may share; `say` returns its sentence in the language of each user. */
export interface Told extends Omit<ActionAnswer, 'text'> {
  readonly say?: (translate: Translate) => string
}

export const gone: Told = { ok: false, say: (translate) => translate('gone') }

/** A success. Its sentence is the text with this key. */
export const done = (key: string): Told => ({ ok: true, say: (translate) => translate(key) })

/** A failure, with the sentence for the thrown error. `calls` is the number of calls made to the service. */
export function failed(thrown: unknown, calls = 1): Told {
  return { ok: false, say: (translate) => toEidError(thrown, translate, calls).message }
}

export function inWords({ say, ...rest }: Told, translate: Translate): ActionAnswer {
  return { ...rest, ...(say && { text: say(translate) }) }
}
