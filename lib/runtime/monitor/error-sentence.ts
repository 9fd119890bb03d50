/** Prepares the sentence of an error for storing, and translates a stored sentence into the reader's language. */
import { EidError, translateError, type Cause, type ErrorCode, type ProblemKey } from '../../api/errors/errors'
import type { Text, Translate } from '../../api/errors/texts'
import { isPlainObject } from '../../common/plain-object'
import { translateInto } from '../node-red/texts'
import type { FailedRow } from './batches'

/** A sentence before translation, with the parts of the error's cause that the sentence mentions. */
export interface Said extends Text {
  readonly problems: readonly ProblemKey[]
  readonly cause: Cause
}

/** The maximum number of problems; more would make the sentence too long. */
const maxProblems = 20

export function saidOf({ text, cause, problemKeys }: EidError): Said {
  const { problems: _sentences, errors, ...rest } = cause
  const some = errors && { errors: errors.slice(0, maxProblems) }
  return { ...text, problems: problemKeys.slice(0, maxProblems), cause: { ...rest, ...some } }
}

interface Sayable {
  readonly code: ErrorCode
  readonly text: string
  readonly said?: unknown
  /** Set if the service was asked, and nothing was done. */
  readonly found?: 'absent' | undefined
}

/**
 * The sentence of an entry in the language of `translate`, with the result `found`. Without `translate`, the sentence
 * is in English. Returns the stored text if the parts of the sentence are unknown, or if there is neither `translate`
 * nor `found`.
 */
export function sentenceOf({ code, text, said, found }: Sayable, translate: Translate | undefined): string {
  if (!isSaid(said) || (!translate && !found)) return text
  const { key, params, problems, cause } = said
  const isNamed = (cause.title ?? cause.externalId ?? '') !== ''
  const known = found ? { ...params, done: `@outcomes.${found}${isNamed ? 'Of' : ''}` } : params
  const error = new EidError(code, { key, params: known }, { ...cause }, problems)
  return translate ? translateError(error, translate).message : error.message
}

/** Why a row of a list failed, in this language; in that of Node-RED if the language is unknown. */
export function rowSentence({ text, problem }: FailedRow, language: unknown): string {
  if (!problem || typeof language !== 'string') return text
  const translate = translateInto(language, problem.node.type.replace(/^eid-/, ''))
  return translate ? sentenceOf(problem, translate) : text
}

/** True for a valid value. Entries that were stored, or that another Node-RED reports, may be from another version. */
function isSaid(said: unknown): said is Said {
  const { key, params, problems, cause } = isPlainObject(said) ? said : {}
  return typeof key === 'string' && isPlainObject(params) && Array.isArray(problems) && isPlainObject(cause)
}

/** The sentence of an error without its end, which says whether anything was done. */
export function sentenceWithoutDone({ code, text, cause }: EidError, translate: Translate): string {
  return new EidError(code, { ...text, params: { ...text.params, done: '' } }, cause, [], translate).message
}
