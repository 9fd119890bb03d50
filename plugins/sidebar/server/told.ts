/** The result of a button before translation: the people who pressed it may read different languages. */
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { Translate } from '../../../lib/runtime/node-red/texts'
import type { ActionAnswer } from '../view'

/** Shared by people who may read different languages. */
export interface Told extends Omit<ActionAnswer, 'text'> {
  readonly say?: (translate: Translate) => string
}

export const gone: Told = { ok: false, say: (translate) => translate('gone') }

/** A result with a sentence, which is a text of the tab. */
export const done = (key: string): Told => ({ ok: true, say: (translate) => translate(key) })

/** The sentence for the thrown error, after `calls` to the service. */
export function failed(thrown: unknown, calls = 1): Told {
  return { ok: false, say: (translate) => toEidError(thrown, translate, calls).message }
}

export function inWords({ say, ...rest }: Told, translate: Translate): ActionAnswer {
  return { ...rest, ...(say && { text: say(translate) }) }
}
