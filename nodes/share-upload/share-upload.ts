/** Streams one or more files into a share; a repeated message uploads only missing files (`interface.md` 4.6). */
import type { Readable } from 'node:stream'
import { answerError } from '../../lib/api/call/answer-error'
import { EidError } from '../../lib/api/errors/errors'
import type { MultipartBody } from '../../lib/api/call/multipart'
import { uploadToShare } from '../../lib/api/shares'
import { apiNode } from '../../lib/runtime/node/api-node'
import type { Call } from '../../lib/runtime/node/message-call'
import type { FileRoots } from '../../lib/runtime/files/files'
import { isClonedStream } from './cloned-stream'
import { plan, type PlanInput, type PlannedFile } from './plan'
import { fields } from './share-upload.fields'
import { openSource, type Source } from './source'
import { isSame, originOf, uploadedFiles, type UploadedFile } from './uploaded'

type UploadCall = Call<typeof fields>

export = apiNode('eid-share-upload', fields, async (call) => {
  const { values, msg, origin } = call
  const shareId = values.shareId ?? ''
  const fileType = origin('file').type
  const named = origin('fileName').isChosen
  const before = uploadedFiles(msg.uploaded)
  const inShare = new Set(before.filter((one) => one.shareId === shareId).map((one) => one.contentId))
  const { files, problems } = plan({ ...values, ...filesIn(call), fileType, named, content: msg.content, inShare })
  const closeStreams = guardStreams(files)
  try {
    call.check(problems)
    return await uploadMissing(call, shareId, files, before)
  } finally {
    closeStreams()
  }
})

/** The files of the list in the form. If that is empty, the message may bring the files. */
function filesIn({ values, msg, origin }: UploadCall): Pick<PlanInput, 'files' | 'listed'> {
  const { type, rows } = origin('files')
  const { files } = values
  if (files === undefined) return { files: type === 'form' ? msg.files : undefined }
  if (type !== 'form' || files.from !== 'form') return { files: files.from === 'elsewhere' ? files.list : files }
  const typeOf = (index: number) => String(rows[index]?.fileType ?? fields.files.rows.file.type)
  return { files: undefined, listed: files.rows.map((row, index) => ({ type: typeOf(index), ...row })) }
}

async function uploadMissing(
  call: UploadCall,
  shareId: string,
  files: readonly PlannedFile[],
  before: readonly UploadedFile[],
) {
  const { values, workingDirectory, signal, client } = call
  const roots = { workingDirectory, baseFolder: values.baseFolder }
  const timeouts = { silenceMs: (client.timeout ?? 30) * 1000, signal }
  const inShare = (file: PlannedFile) =>
    before.find((one) => one.shareId === shareId && one.contentId === file.contentId)
  const same = await Promise.all(files.map(async (file) => isThere(file, inShare(file), roots, signal)))
  const missing = files.filter((_file, index) => !same[index])
  // All files are checked before the first is sent, so that a missing file is reported before anything is sent.
  const opened = await Promise.all(missing.map((file) => openSource(file, roots, timeouts)))
  call.check(opened.filter((one) => 'key' in one))
  let uploaded = [...before]
  for (const [index, file] of missing.entries()) {
    const source = opened[index]
    if (!source || 'key' in source) continue
    const position = { index: index + 1, count: missing.length }
    const sent = await upload(call, shareId, file, source, position).catch((thrown: unknown) => {
      throw afterOthers(thrown, index, missing.length)
    })
    uploaded = [...uploaded.filter((one) => one.shareId !== shareId || one.contentId !== sent.contentId), sent]
    // The report is set on the message after each file, because a Catch branch sends this message again if a later file
    // fails.
    call.leave('uploaded', uploaded)
  }
  call.setStatus(statusKey(missing.length), { count: missing.length })
  return { payload: files.flatMap((file) => withoutShare(uploaded, shareId, file.contentId)), shareId, uploaded }
}

async function isThere(
  file: PlannedFile,
  there: UploadedFile | undefined,
  roots: FileRoots,
  signal: AbortSignal,
): Promise<boolean> {
  return there !== undefined && (await isSame(file, there, roots, signal))
}

/** Returns the error of a file that failed. If other files had been sent before, the error says so. */
function afterOthers(thrown: unknown, sent: number, count: number): unknown {
  if (sent === 0 || !(thrown instanceof EidError) || thrown.problemKeys.length > 0) return thrown
  const { key, params } = thrown.text
  const done = { done: '@outcomes.partly', sent, count }
  return new EidError(thrown.code, { key, params: { ...params, ...done } }, { ...thrown.cause, outcome: 'unknown' })
}

function statusKey(count: number): string {
  if (count === 0) return 'uploadedBefore'
  return count === 1 ? 'uploadedOne' : 'uploaded'
}

/** Returns the report about one file without the share's id, which the message already contains. */
function withoutShare(uploaded: readonly UploadedFile[], id: string, contentId: string) {
  return uploaded
    .filter((one) => one.shareId === id && one.contentId === contentId)
    .map(({ shareId: _of, origin: _from, ...one }) => one)
}

/**
 * Listens to the errors of streams that wait for their turn, because an error without a listener would crash Node-RED.
 * Returns the function that closes the streams.
 */
function guardStreams(files: readonly PlannedFile[]): () => void {
  const streams = files.flatMap(({ file }) =>
    file.from === 'stream' && !isClonedStream(file.stream) ? [file.stream as Readable] : [],
  )
  for (const stream of streams) stream.on('error', () => undefined)
  return () => {
    for (const stream of streams) stream.destroy()
  }
}

async function upload(
  call: UploadCall,
  shareId: string,
  { contentId, fileName, path, file }: PlannedFile,
  source: Source,
  position: { index: number; count: number },
): Promise<UploadedFile> {
  const start = performance.now()
  const report = reporter(call, contentId, position)
  let body: MultipartBody | undefined
  const makeBody = async () => {
    // Loaded on first use, so that it does not delay Node-RED's start.
    const { multipartFile } = await import('../../lib/api/call/multipart.js')
    body = multipartFile({ ...(await source.open()), fileName }, report)
    return { data: body.data, headers: body.headers, oneShot: source.oneShot }
  }
  try {
    await uploadToShare(call.api, call.client, { shareId, contentId }, { makeBody, oneShot: source.oneShot })
  } catch (error) {
    // If the stream was silent, the time was spent waiting for the file and not for the service.
    if (error instanceof EidError && error.code === 'EID_TIMEOUT' && source.stalled())
      call.warn('silentStream', { path })
    throw error
  }
  const measured = body?.measured()
  // If the service responds before the whole file is sent, it has not understood the file.
  if (!measured) throw answerError('uploadToShare', {}, '@answers.tooEarly', { id: shareId, contentId })
  const seconds = Math.round(performance.now() - start) / 1000
  const origin = originOf(file)
  return { shareId, contentId, fileName, ...measured, seconds, ...(origin !== undefined && { origin }) }
}

/** Milliseconds between two progress reports. */
const reportEveryMs = 250

/** Reports the progress in the status and on the second output, at most four times a second. */
function reporter(call: UploadCall, contentId: string, position: { index: number; count: number }) {
  let last = 0
  return (sent: number, total: number | undefined) => {
    const now = performance.now()
    if (now - last < reportEveryMs && sent !== total) return
    last = now
    const percent = total ? Math.floor((sent / total) * 100) : 0
    call.progress(total ? 'uploading' : 'uploadingBytes', { percent, sent, ...position })
    if (call.values.progress) call.emit(1, { payload: { contentId, sent, total } })
  }
}
