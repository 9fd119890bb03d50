/** Uploads files into a share: multipart, streamed to disk, hashed (`docs/interface.md` 4.6). */
import busboy from '@fastify/busboy'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HttpError, httpError, invalid, notAllowed, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import { announce } from './notices'
import type { Content, Share, StoredFile } from './state'

/** The share in the path; throws an HttpError (404). */
export function findShare(call: Call, world: World): Share {
  const share = world.share.shares.get(call.param('id'))
  if (!share) throw notFound('share')
  return share
}

/**
 * Handles all upload paths. Until every file is uploaded, a file may be sent again, and its last version counts. When
 * the last missing file arrives, the recipients are notified. Returns nothing; refused (422) if the share is complete
 * or has expired.
 */
export async function uploadFile(call: Call, world: World): Promise<Answer> {
  const share = findShare(call, world)
  const content = share.content.find(({ id }) => id === call.param('contentId'))
  if (!content) throw notFound('content item', 'CONTENT_NOT_FOUND')
  refuseClosed(share)
  const file = await receive(call.request, world)
  const { name, type, size, sha256 } = file
  call.note({ contentId: content.id, fileName: name, contentType: type, size, sha256 })
  await putIn(world, share, content, file)
  return {}
}

async function putIn(world: World, share: Share, content: Content, file: StoredFile): Promise<void> {
  await world.files.keep(file.path, file.size)
  if (share.announced || share.expired || share.deleted) {
    await world.files.remove(file.path)
    refuseClosed(share)
  }
  const before = content.file
  content.file = file
  if (before) await world.files.remove(before.path)
  if (share.announced || share.content.some((one) => !one.file)) return
  share.announced = true
  announce(world, share)
}

/** Throws an HttpError (422) if the share has expired or was deleted. */
export function refuseOver(share: Share): void {
  if (share.deleted) throw notAllowed('The share was deleted.', 'SHARE_DELETED')
  if (share.expired) throw notAllowed('The share has expired.', 'SHARE_EXPIRED')
}

function refuseClosed(share: Share): void {
  refuseOver(share)
  if (share.announced) throw notAllowed('All files of this share are in already.', 'SHARE_COMPLETE')
}

async function receive(request: IncomingMessage, world: World): Promise<StoredFile> {
  const type = request.headers['content-type']
  if (!type?.toLowerCase().startsWith('multipart/form-data')) {
    throw httpError(400, 'NOT_MULTIPART', 'The content type must be multipart/form-data.')
  }
  const path = world.files.newPath()
  try {
    const file = await readParts(request, type, path, world)
    if (file) return file
  } catch (error) {
    await world.files.remove(path)
    if (error instanceof HttpError) throw error
    throw httpError(400, 'BROKEN_UPLOAD', 'The upload ended too early or is no multipart body.')
  }
  throw invalid([{ field: 'file', message: 'A part named file with a file name is required.' }])
}

/** Reads the whole body; stores the first file in a part named `file` and ignores all others. */
async function readParts(
  request: IncomingMessage,
  type: string,
  path: string,
  world: World,
): Promise<StoredFile | undefined> {
  const parts = busboy({
    headers: { ...request.headers, 'content-type': type },
    isPartAFile: (field) => field === 'file',
  })
  let stored: Promise<StoredFile> | undefined
  parts.on('file', (_field, stream, name, _encoding, mime) => {
    if (stored) return void stream.resume()
    stored = store(stream, path, name, mime, world)
    stored.catch((error: Error) => parts.destroy(error))
  })
  await pipeline(request, parts)
  return stored
}

async function store(
  stream: Readable,
  path: string,
  name: string,
  type: string,
  { files }: World,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (!files.arrive(chunk.length)) stream.destroy(httpError(503, 'BUSY', 'Too much is on its way.'))
    hash.update(chunk)
  })
  try {
    await pipeline(stream, createWriteStream(path))
  } finally {
    files.left(size)
  }
  return { path, name, type, size, sha256: hash.digest('hex') }
}
