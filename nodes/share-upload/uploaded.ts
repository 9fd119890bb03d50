/** Finds out what an earlier run of the same message uploaded to a share, and whether a file is still the same. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { findFile, type FileRoots } from '../../lib/runtime/files/files'
import { isPlainObject } from '../../lib/common/plain-object'
import { isWhole, type PlannedFile } from './plan'

/**
 * A file that has been uploaded to a share. After a failure, `msg.uploaded` still lists the uploaded files, so that a
 * repeated message sends only the remaining files.
 */
export interface UploadedFile {
  readonly shareId: string
  readonly contentId: string
  readonly fileName: string
  readonly bytes: number
  readonly sha256: string
  readonly seconds: number
  /** Identifies the path from which the file came, without revealing it. */
  readonly origin?: string
}

/** The `origin` of a file; undefined if it did not come from a path. */
export function originOf(file: PlannedFile['file']): string | undefined {
  return file.from === 'path' ? createHash('sha256').update(file.path).digest('hex').slice(0, 16) : undefined
}

/** Returns the files listed in `msg.uploaded`, for all shares that the message has been through. */
export function uploadedFiles(uploaded: unknown): UploadedFile[] {
  return Array.isArray(uploaded) ? (uploaded as UploadedFile[]).filter(isPlainObject) : []
}

/**
 * Whether the item of the share already has the bytes of this file. A stream that was already read can't be read again,
 * so it counts as the same file.
 */
export async function isSame(
  { file }: PlannedFile,
  uploaded: UploadedFile,
  roots: FileRoots,
  signal: AbortSignal,
): Promise<boolean> {
  if (file.from === 'stream') return !isWhole(file.stream)
  if (file.from === 'buffer') return createHash('sha256').update(file.buffer).digest('hex') === uploaded.sha256
  const found = await findFile(file.path, roots)
  // If the same file was uploaded and has been deleted since, it is not needed any more. Any other missing file is a
  // fault.
  if ('key' in found) return found.key === 'fileMissing' && originOf(file) === uploaded.origin
  if (found.size !== uploaded.bytes) return false
  const hash = createHash('sha256')
  await pipeline(createReadStream(found.absolute), hash, { signal }).catch(() => hash.end())
  return hash.digest('hex') === uploaded.sha256
}
