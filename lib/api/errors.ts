/** The one error that leaves this package: a sentence for the person, a code for the flow, a cause for support. */
import { english, spellOut, type Text, type TextParams } from './texts'

/** The closed list of codes. Flows branch on them; a code never changes its meaning. */
export const errorCodes = [
  'EID_CONFIG',
  'EID_INVALID_INPUT',
  'EID_CREDENTIALS',
  'EID_INVALID_SCOPE',
  'EID_UNAUTHORIZED',
  'EID_FORBIDDEN',
  'EID_NOT_FOUND',
  'EID_REFUSED',
  'EID_RATE_LIMITED',
  'EID_SERVICE',
  'EID_TIMEOUT',
  'EID_NETWORK',
  'EID_EXPIRED',
  'EID_FAILED',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** `not-done`: the service surely did nothing, repeat freely. `unknown`: it may have acted, look before repeating. */
export type Outcome = 'not-done' | 'unknown'

/** One thing that is wrong with the input: where it is, and a sentence about it. */
export interface Problem {
  readonly path: string
  readonly problem: string
}

/** A problem before it is put into a language: the text key is looked up under `problems.` of the client's catalogue. */
export interface ProblemKey {
  readonly path: string
  readonly key: string
  readonly params?: TextParams
}

/** What a Catch node finds in `msg.error.cause`. Holds field names and ids, never secrets or personal data. */
export interface Cause {
  status?: number
  serviceCode?: string
  requestId?: string
  errors?: { field: string; message: string }[]
  problems?: Problem[]
  method?: string
  /** Path below the base address, without the query. */
  path?: string
  /** The document that a key of ours belongs to already. */
  documentId?: string
  /** How often the call was sent; 0 when it never was. */
  attempts: number
  outcome: Outcome
}

export class EidError extends Error {
  readonly code: ErrorCode
  override readonly cause: Cause
  /** The sentence as key and parameters, so that the caller can put it into another language. */
  declare readonly text: Text
  declare readonly problemKeys: readonly ProblemKey[]

  constructor(code: ErrorCode, text: Text, cause: Cause, problemKeys: readonly ProblemKey[] = [], message?: string) {
    super(message ?? english(text.key, text.params))
    this.code = code
    this.cause = cause
    // Not enumerable: Node-RED, loggers and tests see message, code and cause only.
    Object.defineProperty(this, 'name', { value: 'EidError' })
    Object.defineProperty(this, 'text', { value: text })
    Object.defineProperty(this, 'problemKeys', { value: problemKeys })
  }

  /** The sentence alone: Node-RED shows `String(error)` to the person. */
  override toString(): string {
    return this.message
  }
}

/** Builds the error for a fault in the settings. `key` is looked up under `config.`; nothing was sent. */
export function configError(key: string, params: TextParams = {}): EidError {
  return new EidError('EID_CONFIG', { key: `config.${key}`, params }, { attempts: 0, outcome: 'not-done' })
}

/** Builds the error that lists every problem of the input at once; nothing was sent. */
export function inputError(
  problems: readonly ProblemKey[],
  translate: (key: string, params: TextParams) => string = english,
) {
  const listed = problems.map(({ path, key, params }) => ({
    path,
    problem: translate(`problems.${key}`, { path, ...params }),
  }))
  const text = { key: 'errors.EID_INVALID_INPUT', params: { problems: listed.map((one) => one.problem).join('; ') } }
  const message = translate(text.key, text.params)
  return new EidError(
    'EID_INVALID_INPUT',
    text,
    { problems: listed, attempts: 0, outcome: 'not-done' },
    problems,
    message,
  )
}

/** The same error with its sentences put into another language by `translate`. */
export function translateError(error: EidError, translate: (key: string, params: TextParams) => string): EidError {
  if (error.problemKeys.length > 0) {
    const { text, message, problemKeys, cause } = inputError(error.problemKeys, translate)
    return new EidError(error.code, text, { ...error.cause, problems: cause.problems }, problemKeys, message)
  }
  const { key, params } = error.text
  const message = translate(
    key,
    spellOut(params, (inner) => translate(inner, {})),
  )
  const translated = new EidError(error.code, error.text, error.cause, [], message)
  if (error.stack) translated.stack = error.stack
  return translated
}
