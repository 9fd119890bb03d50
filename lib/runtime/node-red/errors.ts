/**
 * The one place that turns exceptions of a node's code into the error for the user, and into the short status below the
 * node.
 */
import { EidError, inputError, nodeError, translateError, withCause, type ErrorCode } from '../../api/errors/errors'
import { fromFault } from '../../api/call/no-answer'
import { TransportFault } from '../../api/errors/fault'
import type { TextParams, Translate as AnyTranslate } from '../../api/errors/texts'
import { maxDeliveries } from '../../store/store'
import { inSentence } from './labels'
import type { Translate } from './texts'

const streamed = { method: 'GET', path: '', attempts: 1, seconds: 0 }

/**
 * Our own errors in the language of `translate`; any other exception means that the service sent an unexpected
 * response. `calls` is the number of calls that were already made for this message: after a call, an error must not say
 * "nothing was sent".
 */
export function toEidError(thrown: unknown, translate: AnyTranslate, calls = 0): EidError {
  if (thrown instanceof EidError) {
    const late = thrown.code === 'EID_INVALID_INPUT' && thrown.cause.attempts === 0 && calls > 0
    return translateError(late ? withCause(thrown, { attempts: calls }) : thrown, translate)
  }
  // If a streamed response breaks off, its TransportFault reaches the node's code unchanged.
  if (thrown instanceof TransportFault) return translateError(fromFault(thrown, streamed).error, translate)
  const params = { detail: '@answers.malformed', said: '' }
  const error = nodeError('EID_SERVICE', 'errors.EID_SERVICE', params, { outcome: 'unknown' })
  if (thrown instanceof Error && thrown.stack) error.stack = thrown.stack
  return translateError(error, translate)
}

/**
 * The error for a message that failed before anything was sent. An exception that is not an EidError comes from the
 * content of the message.
 */
export function toInputError(thrown: unknown, translate: Translate): EidError {
  return thrown instanceof EidError ? translateError(thrown, translate) : unreadable(translate)
}

/** The error for a message that cannot be read or copied; nothing was sent (EID_INVALID_INPUT). */
export function unreadable(translate: Translate): EidError {
  return inputError([{ path: 'msg', key: 'unreadable' }], translate)
}

/**
 * The error (EID_FAILED) for a message that was delivered too often. The message is not delivered again, because it may
 * be what crashes the process.
 */
export function tooOften(): EidError {
  return nodeError('EID_FAILED', 'errors.handedOut', { count: maxDeliveries }, { outcome: 'unknown' })
}

/** The number of characters that fit below a node. */
const maxStatusLength = 40

/** The codes whose status names the fields that are wrong; that of any other code says something else. */
const namesReason: ReadonlySet<ErrorCode> = new Set(['EID_INVALID_INPUT', 'EID_REFUSED'])

/** The error in a few words, with its reason: "not sent: contact e-mail". */
export function statusTextOf(error: EidError, translate: Translate): string {
  const { code, text, cause } = error
  const named = error.problemKeys.map(({ path }) => path)
  const paths = named.length > 0 ? named : (cause.errors ?? []).map(({ field }) => field).filter(Boolean)
  // After a call was made, an error about the input must not become "not sent".
  const status = code === 'EID_INVALID_INPUT' && cause.attempts > 0 ? 'EID_REFUSED' : code
  const isNamed = paths.length > 0 && namesReason.has(status)
  const words = isNamed ? translate(`status.${status}`, { reason: reasonOf(paths, translate) }) : undefined
  const short = shortKey(error, translate)
  return cut(
    problemStatus(error, translate) ??
      words ??
      (short ? translate(short, text.params) : translate(`status.${code}`, withReason(text.params))),
  )
}

/** The status of a problem that is not about what was to be sent, such as a file that cannot be written. */
function problemStatus({ problemKeys }: EidError, translate: Translate): string | undefined {
  for (const { path, key: problem, params } of problemKeys) {
    const key = `problemStatus.${problem}`
    const status = translate(key, { path: inSentence(translate.label(path)), ...params })
    if (status !== key) return status
  }
  return undefined
}

/**
 * The reason in a few words, as parameters of a text that contains `__reason__`. Where possible, the reason is the key
 * of a text, because people may read the text in several languages.
 */
export function reasonParams(error: EidError, translate: Translate): TextParams {
  const { code, text } = error
  const { detail } = text.params
  const short = shortKey(error, translate)
  if (short) return { ...text.params, reason: `@${short}` }
  const isSaid = typeof detail === 'string' && detail !== '' && !detail.startsWith('@')
  return { ...text.params, reason: isSaid ? inSentence(detail) : `@status.${code}` }
}

/** Uses `detail`, such as the service's own message, as the reason. */
function withReason(params: TextParams): TextParams {
  return { ...params, reason: inSentence(String(params.detail ?? '')) }
}

function reasonOf(paths: readonly string[], translate: Translate): string {
  const labels = [...new Set(paths.map((path) => inSentence(translate.label(path))))]
  const reason = labels[0] ?? ''
  return labels.length > 1 ? translate('brief.more', { reason, count: labels.length - 1 }) : reason
}

/** For each error code, the parameter of the sentence that contains the reason. */
const reasonIn: Partial<Readonly<Record<ErrorCode, string>>> = {
  EID_NOT_FOUND: 'missing',
  EID_NETWORK: 'reason',
  EID_SERVICE: 'detail',
  EID_REFUSED: 'detail',
}

/**
 * The key of a short text for the sentence, or for the reason inside the sentence; undefined if the catalogs have no
 * such text.
 */
function shortKey({ code, text: { key, params } }: EidError, translate: Translate): string | undefined {
  const used = [key, String(params[reasonIn[code] ?? ''] ?? '')]
  for (const one of used) {
    const brief = `brief.${one.split('.').at(-1) ?? ''}`
    if (/^@?\w+\.\w+$/.test(one) && translate(brief, params) !== brief) return brief
  }
  return undefined
}

function cut(text: string): string {
  return text.length > maxStatusLength ? `${text.slice(0, maxStatusLength - 1)}…` : text
}
