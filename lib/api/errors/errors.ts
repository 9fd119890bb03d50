/**
 * EidError, the only error this package throws: a sentence for the person, a code for the flow, a cause for support.
 */
import { subjectOf } from './subjects'
import { english, sentence, spellOut, tidy, type Text, type TextParams, type Translate } from './texts'

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

/**
 * `not-done`: the service certainly did nothing, so a retry is safe. `unknown`: the service may have acted, so check
 * before a retry.
 */
export type Outcome = 'not-done' | 'unknown'

/** One fault in the input: where it is, and a sentence about it. */
export interface Problem {
  readonly path: string
  readonly problem: string
}

/** A problem not yet translated: its key is looked up under `problems.` in the client's catalog. */
export interface ProblemKey {
  readonly path: string
  readonly key: string
  readonly params?: TextParams
  /** The column of a list from which the value came. */
  readonly column?: string
}

/**
 * The content of `msg.error.cause` in a Catch node: a plain object that prints as one short line. Holds field names and
 * ids, never secrets or personal data.
 */
export interface Cause {
  status?: number
  serviceCode?: string
  requestId?: string
  errors?: { field: string; message: string }[]
  problems?: Problem[]
  method?: string
  /** Path below the base address, without the query. */
  path?: string
  documentId?: string
  /** The title of the object, if a change may have been made and the request or the object's own record names it. */
  title?: string
  externalId?: string
  /** The other node that has sent rows of the same list, its flow, and when it got that list (ISO 8601). */
  sentBy?: { node: string; flow: string; at: string }
  /** The number of attempts sent; 0 if none was. */
  attempts: number
  outcome: Outcome
}

export class EidError extends Error {
  readonly code: ErrorCode
  override readonly cause: Cause
  /** The sentence as key and parameters, so that the caller can translate it. */
  declare readonly text: Text
  declare readonly problemKeys: readonly ProblemKey[]

  /**
   * The placeholder `__done__` in `text` becomes the sentence that says whether something was done. `cause` determines
   * this sentence, unless `text.params.done` is set.
   */
  constructor(
    code: ErrorCode,
    text: Text,
    cause: Cause,
    problemKeys: readonly ProblemKey[] = [],
    translate: Translate = english,
  ) {
    super(wording(code, text, cause, translate))
    this.code = code
    this.cause = withLine(cause)
    // These properties are not enumerable, so that Node-RED, loggers and tests find only message, code and cause.
    Object.defineProperty(this, 'name', { value: 'EidError' })
    Object.defineProperty(this, 'text', { value: text })
    Object.defineProperty(this, 'problemKeys', { value: problemKeys })
  }

  /** Returns only the message, because Node-RED shows `String(error)` to the user. */
  override toString(): string {
    return this.message
  }
}

function wording(code: ErrorCode, { key, params }: Text, cause: Cause, translate: Translate): string {
  const { field } = params
  const named: TextParams = typeof field === 'string' && translate.label ? { field: translate.label(field) } : {}
  const what = whatOf(cause, translate)
  const all: TextParams = {
    ...params,
    ...named,
    ...byField(params, cause, translate),
    what: params.what ?? what,
    done: params.done ?? doneKey(code, cause, what !== ''),
  }
  return tidy(
    translate(
      key,
      spellOut(all, (inner, others) => translate(inner, others)),
    ),
  )
}

/**
 * Builds a text from the service's messages about single fields, each with the field's name in the form. The service's
 * message about the whole request comes last; it often says only "invalid".
 */
function byField({ general }: TextParams, { errors = [] }: Cause, { label }: Translate): TextParams {
  if (general === undefined || !label || !errors.some(({ field }) => field)) return {}
  const each = errors.map(({ field, message }) => sentence([field && label(field), message].filter(Boolean).join(': ')))
  return { detail: [...each, general].join(' ') }
}

/**
 * Names the object to check before a change is retried: by the document's title and key, or else by the id in the path.
 */
function whatOf({ title, externalId, path }: Cause, translate: Translate): string {
  const key = externalId ?? ''
  if (title !== undefined) return translate(`subjects.${key === '' ? 'title' : 'titleAndKey'}`, { title, key })
  if (key !== '') return translate('subjects.key', { key })
  const subject = path === undefined ? undefined : subjectOf(path)
  return subject ? translate(`subjects.${subject.kind}`, { id: subject.id }) : ''
}

/** Whether a change may have been made. A call that only reads makes no change, even if its outcome is unknown. */
export const mayHaveActed = ({ outcome, method }: Pick<Cause, 'outcome' | 'method'>): boolean =>
  outcome === 'unknown' && method !== 'GET'

/**
 * Returns the key of the sentence that says whether something was done. Readers of an error need this sentence most.
 */
function doneKey(code: ErrorCode, cause: Cause, isNamed: boolean): string {
  const { attempts, outcome } = cause
  if (mayHaveActed(cause)) return isNamed ? '@outcomes.unknownOf' : '@outcomes.unknown'
  if (outcome === 'unknown') return '@outcomes.read'
  // If an error with this code comes after at least one attempt, earlier calls succeeded. So no sentence can say that
  // nothing was done.
  if (code === 'EID_INVALID_INPUT' && attempts > 0) return ''
  return attempts === 0 ? '@outcomes.notSent' : '@outcomes.notDone'
}

/**
 * Gives the cause a readable form when it is printed as text. The added property is not enumerable, so that copies and
 * JSON contain only the data. It is not `toString`, because the debug sidebar would then show that line instead of an
 * object that can be expanded.
 */
function withLine(cause: Cause): Cause {
  if (Object.hasOwn(cause, Symbol.toPrimitive)) return cause
  const line = () => {
    const { outcome, status, method, path, serviceCode, requestId } = cause
    return [outcome, status, method && `${method} ${path ?? ''}`, serviceCode, requestId].filter(Boolean).join(', ')
  }
  return Object.defineProperty(cause, Symbol.toPrimitive, { value: line })
}

/**
 * Builds an error that does not come from a call itself, such as an error about the content of a response. `key` is a
 * text of the node's or the client's catalog, and `params` fill it in. The text may contain `__done__`.
 */
export function nodeError(code: ErrorCode, key: string, params: TextParams, cause: Partial<Cause> = {}): EidError {
  return new EidError(code, { key, params }, { attempts: 1, outcome: 'not-done', ...cause })
}

/**
 * Builds the error for a fault in the settings. `key` is looked up under `config.`; `params.field` is the setting.
 * Nothing was sent.
 */
export function configError(key: string, params: TextParams = {}): EidError {
  return new EidError('EID_CONFIG', { key: `config.${key}`, params }, { attempts: 0, outcome: 'not-done' })
}

const unsent: Cause = { attempts: 0, outcome: 'not-done' }

/**
 * Builds the error that lists all problems of the input at once. Without `cause`, the error says that nothing was sent.
 */
export function inputError(
  problems: readonly ProblemKey[],
  translate: Translate = english,
  cause: Cause = unsent,
): EidError {
  const label = translate.label ?? ((path: string) => path)
  const pathLabel = ({ path, column }: ProblemKey) => label(path) + (column === undefined ? '' : ` ({${column}})`)
  const listed = problems.map((one) => ({
    path: one.path,
    problem: tidy(translate(`problems.${one.key}`, { path: pathLabel(one), ...one.params })),
  }))
  const text = {
    key: 'errors.EID_INVALID_INPUT',
    params: { problems: listed.map(({ problem }) => sentence(problem)).join(' ') },
  }
  return new EidError('EID_INVALID_INPUT', text, { ...cause, problems: listed }, problems, translate)
}

/** True if the service has answered that the resource does not exist. */
export function isNotFound(error: unknown): error is EidError {
  return error instanceof EidError && error.code === 'EID_NOT_FOUND'
}

/** True if the service does not know this address, or has nothing there: in either case nothing was done. */
export function isAbsent(error: unknown): boolean {
  return error instanceof EidError && (error.cause.status === 404 || error.cause.status === 405)
}

/**
 * True for a refusal without a request id, a code or a field. The service always sends at least one of them, so the
 * response may come from a gateway or proxy in front of it.
 */
export function isForeign(error: unknown): boolean {
  if (!(error instanceof EidError)) return false
  const { status = 0, requestId, serviceCode, errors } = error.cause
  return status >= 400 && status < 500 && requestId === undefined && serviceCode === undefined && errors === undefined
}

/** The same error with its sentences translated by `translate`. */
export function translateError(error: EidError, translate: Translate): EidError {
  const { code, text, cause, problemKeys } = error
  const translated =
    problemKeys.length > 0
      ? inputError(problemKeys, translate, cause)
      : new EidError(code, text, cause, problemKeys, translate)
  return withStackOf(error, translated)
}

/** The same error with parts of its cause changed; the sentence changes accordingly. */
export function withCause(error: EidError, changes: Partial<Cause>): EidError {
  const { code, text, cause, problemKeys } = error
  const changed = new EidError(code, text, { ...cause, ...changes }, problemKeys)
  return withStackOf(error, changed)
}

/** The second error with the stack of the first. */
function withStackOf(first: EidError, second: EidError): EidError {
  if (first.stack) second.stack = first.stack.replace(first.message, () => second.message)
  return second
}
