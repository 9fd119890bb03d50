/** Finds out which files go where: one file, a list of them, or an object contentId → file. */
import { basename, win32 } from 'node:path'
import type { ProblemKey } from '../../lib/api/errors'
import { isPathId } from '../../lib/api/paths'
import type { FileValue } from '../../lib/fields'
import { isPlainObject } from '../../lib/runtime/body'
import { isStream, toFile } from '../../lib/runtime/files'

export interface PlannedFile {
  /** Where it stands in the input, for problems. */
  readonly path: string
  readonly contentId: string
  readonly file: FileValue
  readonly fileName: string
}

/** One file that is in the share. `msg.uploaded` keeps them over a failure, so that a repetition sends the others only. */
export interface UploadedFile {
  readonly shareId: string
  readonly contentId: string
  readonly fileName: string
  readonly bytes: number
  readonly sha256: string
  readonly seconds: number
}

export interface Given {
  readonly files: unknown
  readonly file: unknown
  readonly fileType: string
  readonly contentId: string | undefined
  readonly fileName: string | undefined
  /** What "share create" registered, when the message still has it. */
  readonly content: unknown
}

interface Wish {
  readonly path: string
  readonly contentId: unknown
  readonly file: unknown
  readonly type: string
  readonly fileName: unknown
}

/** The files to upload, and everything that is wrong with them. */
export function plan(given: Given): { files: PlannedFile[]; problems: ProblemKey[] } {
  const wishes = wishesOf(given)
  const problems: ProblemKey[] = []
  const files = wishes.flatMap((wish) => planned(wish, given.content, problems))
  return { files, problems }
}

function wishesOf(given: Given): Wish[] {
  const { files, file, fileType, contentId, fileName, content } = given
  if (Array.isArray(files)) {
    return files.map((one: unknown, index) => {
      const item = isPlainObject(one) ? one : { file: one }
      return {
        path: `files[${index}]`,
        contentId: item.contentId,
        file: item.file,
        type: 'msg',
        fileName: item.fileName,
      }
    })
  }
  if (isPlainObject(files)) {
    return Object.entries(files).map(([id, one]) => {
      const item = isPlainObject(one) && 'file' in one ? one : { file: one }
      return { path: `files.${id}`, contentId: id, file: item.file, type: 'msg', fileName: item.fileName }
    })
  }
  return [{ path: '', contentId: contentId ?? onlyId(content), file, type: fileType, fileName }]
}

/** The id of the only item that was registered. */
function onlyId(content: unknown): unknown {
  return Array.isArray(content) && content.length === 1 ? (content[0] as { id?: unknown } | null)?.id : undefined
}

function planned(wish: Wish, content: unknown, problems: ProblemKey[]): PlannedFile[] {
  const at = (name: string) => (wish.path ? `${wish.path}.${name}` : name)
  const { contentId } = wish
  const idMissing = contentId === undefined || contentId === ''
  if (idMissing) problems.push({ path: at('contentId'), key: 'missing' })
  else if (typeof contentId !== 'string' || !isPathId(contentId)) problems.push({ path: at('contentId'), key: 'id' })
  const blank = wish.file === undefined || wish.file === null || wish.file === ''
  const file = blank ? undefined : toFile(wish.file, wish.type)
  if (blank) problems.push({ path: at('file'), key: 'missing' })
  else if (!file) problems.push({ path: at('file'), key: looksLikeStream(wish.file) ? 'stream' : 'file' })
  else if (file.from === 'stream' && !isWhole(file.stream)) problems.push({ path: at('file'), key: 'stream' })
  if (!file || typeof contentId !== 'string') return []
  return [{ path: at('file'), contentId, file, fileName: nameOf(wish, file, content) }]
}

/** The given name without its folders, else the path's, else the registered name. */
function nameOf({ fileName, contentId }: Wish, file: FileValue, content: unknown): string {
  if (typeof fileName === 'string' && fileName !== '') return win32.basename(basename(fileName))
  if (file.from === 'path') return basename(file.path)
  const items = Array.isArray(content) ? (content as { id?: unknown; name?: unknown }[]) : []
  const registered = items.find((item) => item?.id === contentId)?.name
  return typeof registered === 'string' && registered !== '' ? registered : String(contentId)
}

/** A copy of a stream has lost its methods, but still has a stream's inner state. */
function looksLikeStream(value: unknown): boolean {
  return isStream(value) || (typeof value === 'object' && value !== null && '_readableState' in value)
}

/** A stream that was not read or closed before. */
function isWhole(stream: NodeJS.ReadableStream): boolean {
  const inner = stream as NodeJS.ReadableStream & { destroyed?: boolean; readableEnded?: boolean }
  return stream.readable && inner.destroyed !== true && inner.readableEnded !== true
}
