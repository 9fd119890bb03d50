/** Streams one or many files into a share, and only what is missing when it is repeated (`interface.md` 4.6). */
import type { Readable } from 'node:stream'
import { EidError } from '../../lib/api/errors'
import { createError } from '../../lib/api/failures'
import type { MultipartBody } from '../../lib/api/multipart'
import { operations } from '../../lib/api/operations'
import { uploadToShare } from '../../lib/api/shares'
import { apiNode, type Call } from '../../lib/runtime/api-node'
import { isCopy } from './copies'
import { plan, type PlannedFile, type UploadedFile } from './plan'
import { fields } from './share-upload.fields'
import { openSource, type Source } from './source'

type UploadCall = Call<typeof fields>

export = apiNode('eid-share-upload', fields, async (call) => {
  const { values, msg, config } = call
  const fileType = String(config.fileType ?? fields.file.type)
  const named = config.fileNameType !== undefined && config.fileNameType !== fields.fileName.type
  const { files, problems } = plan({ ...values, fileType, named, content: msg.content })
  const release = hold(files)
  try {
    call.check(problems)
    return await uploadMissing(call, values.shareId ?? '', files)
  } finally {
    release()
  }
})

async function uploadMissing(call: UploadCall, shareId: string, files: readonly PlannedFile[]) {
  const { values, msg, workingDirectory, signal, client } = call
  const places = { workingDirectory, baseFolder: values.baseFolder }
  const patience = { silence: (client.timeout ?? 30) * 1000, signal }
  const uploaded = already(msg.uploaded, shareId)
  const missing = files.filter((file) => !uploaded.some((one) => one.contentId === file.contentId))
  // All of them before the first one leaves: a file that is not there is told of while nothing has been sent.
  const opened = await Promise.all(missing.map((file) => openSource(file, places, patience)))
  call.check(opened.filter((one) => 'key' in one))
  for (const [index, file] of missing.entries()) {
    const source = opened[index]
    if (!source || 'key' in source) continue
    uploaded.push(await upload(call, shareId, file, source, { index: index + 1, count: missing.length }))
    // Kept on the message while others are still to come: this is what a Catch branch loops back.
    msg.uploaded = [...uploaded]
  }
  call.setStatus(missing.length === 1 ? 'uploadedOne' : 'uploaded', { count: missing.length })
  const wanted = new Set(files.map((file) => file.contentId))
  const payload = uploaded.filter((one) => wanted.has(one.contentId)).map(({ shareId: _of, ...one }) => one)
  return { payload, shareId, uploaded }
}

/** Listens to the streams while they wait for their turn: a failure nobody listens to would end Node-RED. Gives what closes them. */
function hold(files: readonly PlannedFile[]): () => void {
  const streams = files.flatMap(({ file }) =>
    file.from === 'stream' && !isCopy(file.stream) ? [file.stream as Readable] : [],
  )
  for (const stream of streams) stream.on('error', () => undefined)
  return () => {
    for (const stream of streams) stream.destroy()
  }
}

/** What an earlier run of the same message has put into this share. */
function already(uploaded: unknown, shareId: string): UploadedFile[] {
  return Array.isArray(uploaded) ? (uploaded as UploadedFile[]).filter((one) => one?.shareId === shareId) : []
}

async function upload(
  call: UploadCall,
  shareId: string,
  { contentId, fileName, path }: PlannedFile,
  source: Source,
  place: { index: number; count: number },
): Promise<UploadedFile> {
  const start = performance.now()
  const report = reporter(call, contentId, place)
  let body: MultipartBody | undefined
  const makeBody = async () => {
    // Loaded on first use: a start of Node-RED does not wait for it.
    const { multipartFile } = await import('../../lib/api/multipart.js')
    body = multipartFile({ ...(await source.open()), fileName }, report)
    return { data: body.data, headers: body.headers, oneShot: source.once }
  }
  try {
    await uploadToShare(call.api, call.client, { shareId, contentId }, { makeBody, oneShot: source.once })
  } catch (error) {
    // The service waited for the file, not the other way round.
    if (error instanceof EidError && error.code === 'EID_TIMEOUT' && source.stalled())
      call.warn('silentStream', { path })
    throw error
  }
  const measured = body?.measured()
  // A service that is content with half a file has not understood it.
  if (!measured) throw tooEarly()
  const seconds = Math.round(performance.now() - start) / 1000
  return { shareId, contentId, fileName, ...measured, seconds }
}

function tooEarly(): EidError {
  const { method, path } = operations.uploadToShare
  const cause = { method, path, attempts: 1, outcome: 'unknown' as const }
  return createError('EID_SERVICE', { method, path, attempts: 1, seconds: 0 }, cause, { detail: '@answers.tooEarly' })
}

/** Milliseconds between two reports of progress. */
const pace = 250

/** Tells status and second output how far it is, four times a second at the most. */
function reporter(call: UploadCall, contentId: string, place: { index: number; count: number }) {
  let last = 0
  return (sent: number, total: number | undefined) => {
    const now = performance.now()
    if (now - last < pace && sent !== total) return
    last = now
    const percent = total ? Math.floor((sent / total) * 100) : 0
    call.progress(total ? 'uploading' : 'uploadingBytes', { percent, sent, ...place })
    if (call.values.progress) call.emit(1, { payload: { contentId, sent, total } })
  }
}
