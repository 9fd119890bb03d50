/** Waits until a document's file exists in the requested format, and detects when it never will. */
import type { Answer } from '../../api/call/call'
import { causeOf } from '../../api/call/answer-error'
import { nodeError, type EidError, type ErrorCode } from '../../api/errors/errors'
import { sleep } from '../../api/call/retry'
import type { TextParams } from '../../api/errors/texts'
import { getPath } from '../values/read-text'
import type { Call } from '../node/message-call'
import type { Fields } from '../../settings/fields'
import { formatParam, stateParam } from './document-words'

/** Milliseconds between the first two polls; each pause is 1.5 times the one before, up to the longest. */
const firstPauseMs = 1000
const longestPauseMs = 30_000

/** The part of a message's call that waiting needs. */
type ReadyCall = Pick<Call<Fields>, 'api' | 'signal' | 'progress'> & {
  readonly values: {
    readonly documentId?: string | undefined
    readonly fileFormat?: string | undefined
    readonly waitTimeout?: number | undefined
    readonly ofSigner?: string | undefined
    readonly ofAttachment?: string | undefined
  }
}

/** The result of one poll of the document's status. */
interface Asked {
  readonly state: string
  readonly answer: Answer
  readonly attempts: number
}

/**
 * Resolves when the format is among the completed packages. Rejects with EID_FAILED if the document will never have
 * this format, and with EID_TIMEOUT when the seconds of `waitTimeout` have passed; the last poll comes at the end of
 * that time. `pdfName` is the name of the file to save, if the signed PDF was requested only by this name.
 */
export async function waitUntilReady(call: ReadyCall, pdfName?: string): Promise<void> {
  const { documentId: id, fileFormat = '', waitTimeout = 300 } = call.values
  // The original exists from the start, and not every service lists it among the packages.
  if (fileFormat === 'unsigned') return
  const start = performance.now()
  for (let attempts = 1, pause = firstPauseMs; ; attempts++, pause = Math.min(pause * 1.5, longestPauseMs)) {
    const answer = await call.api.send('getDocumentStatus', { id })
    if (isReady(answer.data, call.values)) return
    const state = String(getPath(answer.data, 'documentStatus') ?? '–')
    const asked = { state, answer, attempts }
    if (state === 'canceled' || state === 'expired') throw neverReady(call, asked, state)
    const obstacle = attempts === 1 ? await obstacleOf(call) : undefined
    if (obstacle) throw neverMade(call, asked, obstacle, pdfName)
    const waited = performance.now() - start
    const left = waitTimeout * 1000 - waited
    if (left <= 0) throw notReadyInTime(call, asked, waited)
    call.progress('waiting', { state: stateParam(state) })
    // If the flow was stopped during the pause, the next call rejects with the proper error.
    await sleep(Math.min(pause, left), call.signal).catch(() => undefined)
  }
}

/**
 * Whether the file is ready. A signer's own file is ready together with the document's native package; attachments have
 * packages of their own.
 */
function isReady(status: unknown, { fileFormat, ofSigner, ofAttachment }: ReadyCall['values']): boolean {
  const wanted = ofSigner === undefined ? fileFormat : 'native'
  const packages = getPath(status, ofAttachment === undefined ? 'completedPackages' : 'attachmentPackages')
  const found = ofAttachment === undefined ? packages : getPath(packages, ofAttachment)
  return Array.isArray(found) && found.includes(wanted)
}

/**
 * Returns why this document will never have the format, if the document's original request shows a reason; the result
 * is a key below `never`.
 */
async function obstacleOf({ api, values }: ReadyCall): Promise<string | undefined> {
  const { documentId: id, fileFormat = '' } = values
  if (values.ofSigner !== undefined || values.ofAttachment !== undefined) return undefined
  // The service makes all formats except these two for every document.
  if (fileFormat !== 'pades' && fileFormat !== 'xades') return undefined
  const { data } = await api.send('getDocument', { id })
  const file = getPath(data, 'dataToSign')
  const isText = /\.(txt|xml)$/i.test(String(getPath(file, 'fileName') ?? ''))
  if (fileFormat === 'pades' && isText && getPath(file, 'convertToPDF') !== true) return 'text'
  const formats = getPath(file, 'packaging.signaturePackageFormats')
  const isAsked = Array.isArray(formats) && formats.length > 0
  // A signed PDF is made even if it was not requested; XML is not.
  if (!isAsked) return fileFormat === 'xades' ? 'notAsked' : undefined
  return formats.some((one) => String(one).toLowerCase().includes(fileFormat)) ? undefined : 'notAsked'
}

function neverReady(call: ReadyCall, asked: Asked, reason: string): EidError {
  return errorOf('EID_FAILED', 'errors.neverReady', call, asked, { reason: `@never.${reason}` })
}

/** The error for a document that can be signed, but not in this format. */
function neverMade(call: ReadyCall, asked: Asked, obstacle: string, pdfName: string | undefined): EidError {
  const params = { reason: `@never.${obstacle}` }
  return pdfName === undefined
    ? errorOf('EID_FAILED', 'errors.neverMade', call, asked, params)
    : errorOf('EID_FAILED', 'errors.neverNamed', call, asked, { ...params, name: pdfName })
}

function notReadyInTime(call: ReadyCall, asked: Asked, milliseconds: number): EidError {
  return errorOf('EID_TIMEOUT', 'errors.notReady', call, asked, { seconds: Math.round(milliseconds / 100) / 10 })
}

function errorOf(code: ErrorCode, key: string, { values }: ReadyCall, asked: Asked, params: TextParams): EidError {
  const { documentId: id = '', fileFormat = '' } = values
  const { answer, attempts, state } = asked
  const cause = { ...causeOf('getDocumentStatus', answer, { id }), attempts }
  return nodeError(code, key, { id, fileFormat: formatParam(fileFormat), state: stateParam(state), ...params }, cause)
}
