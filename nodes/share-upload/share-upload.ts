/** Streams one or many files into a share, and only what is missing when it is repeated (`interface.md` 4.6). */
import { inputError } from '../../lib/api/errors'
import { multipartFile, type MultipartBody } from '../../lib/api/multipart'
import { uploadToShare } from '../../lib/api/shares'
import { apiNode, type Call } from '../../lib/runtime/api-node'
import { plan, type PlannedFile, type UploadedFile } from './plan'
import { fields } from './share-upload.fields'
import { openSource, type Source } from './source'

type UploadCall = Call<typeof fields>

export = apiNode('eid-share-upload', fields, async (call) => {
  const { values, msg, config } = call
  const shareId = values.shareId ?? ''
  const fileType = String(config.fileType ?? fields.file.type)
  const { files, problems } = plan({ ...values, fileType, content: msg.content })
  call.check(problems)

  const uploaded = already(msg.uploaded, shareId)
  const missing = files.filter((file) => !uploaded.some((one) => one.contentId === file.contentId))
  for (const [index, file] of missing.entries()) {
    const source = await openSource(file, placesOf(call), call.signal)
    uploaded.push(await upload(call, shareId, file, source, { index: index + 1, count: missing.length }))
    // Kept on the message while others are still to come: this is what a Catch branch loops back.
    msg.uploaded = [...uploaded]
  }
  call.say('uploaded', { count: missing.length })
  const wanted = new Set(files.map((file) => file.contentId))
  const payload = uploaded.filter((one) => wanted.has(one.contentId)).map(({ shareId: _of, ...one }) => one)
  return { payload, shareId, uploaded }
})

const placesOf = ({ workingDirectory, values }: UploadCall) => ({ workingDirectory, baseFolder: values.baseFolder })

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
  const report = reporter(call, contentId, source.size, place)
  let body: MultipartBody | undefined
  const makeBody = () => {
    body = multipartFile({ content: source.open(), fileName, size: source.size }, report)
    return { data: body.data, headers: body.headers, once: source.once }
  }
  await uploadToShare(call.api, call.client, { shareId, contentId }, { makeBody, once: source.once })
  if (!body) throw inputError([{ path, key: 'fileMissing' }])
  const seconds = Math.round(performance.now() - start) / 1000
  return { shareId, contentId, fileName, ...body.measured(), seconds }
}

/** Milliseconds between two reports of progress. */
const pace = 250

/** Tells status and second output how far it is, four times a second at the most. */
function reporter(
  call: UploadCall,
  contentId: string,
  total: number | undefined,
  place: { index: number; count: number },
) {
  let last = 0
  return (sent: number) => {
    const now = performance.now()
    if (now - last < pace && sent !== total) return
    last = now
    const percent = total ? Math.floor((sent / total) * 100) : 0
    call.progress(total ? 'uploading' : 'uploadingBytes', { percent, sent, ...place })
    if (call.values.progress) call.emit(1, { payload: { contentId, sent, total } })
  }
}
