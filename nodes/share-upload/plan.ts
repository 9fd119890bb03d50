/** Decides which file goes to which item: the input is one file, a list of files, or an object contentId → file. */
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { ProblemKey } from '../../lib/api/errors/errors'
import { isPathId } from '../../lib/settings/rules'
import type { FileValue } from '../../lib/settings/fields'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { fileMeaning, isStream, toFile, type FileMeaning } from '../../lib/runtime/files/files'
import { lastPart } from '../../lib/runtime/files/read-file'
import { isEmpty } from '../../lib/runtime/values/read-text'
import { misreadTexts } from '../../lib/runtime/values/misread-text'
import { isClonedStream } from './cloned-stream'

export interface PlannedFile {
  /** The path of the file in the input, for messages about problems. */
  readonly path: string
  readonly contentId: string
  readonly file: FileValue
  readonly fileName: string
}

export interface PlanInput {
  readonly files: unknown
  /** The files of the list in the form, which count more than all others. */
  readonly listed?: readonly Omit<Wish, 'path'>[]
  readonly file: unknown
  readonly fileType: string
  /**
   * How a text is read: with `content`, the text is the content of the file; with `path`, it is the path of the file.
   */
  readonly fileAs: string
  /** Ids of the items that already have a file; a stream for one of these may have been read already. */
  readonly inShare: ReadonlySet<string>
  readonly contentId: string | undefined
  readonly fileName: string | undefined
  /** Whether the file name setting was changed; the default setting takes the name left by a previous node. */
  readonly named: boolean
  /** The content registered by "share create", if the message still has it. */
  readonly content: unknown
}

interface Wish {
  readonly path: string
  readonly contentId: unknown
  readonly file: unknown
  readonly type: string
  readonly fileName: unknown
}

/** Returns the files to upload and all faults found. */
export function plan(input: PlanInput): { files: PlannedFile[]; problems: ProblemKey[] } {
  const problems = listProblems(input.files)
  const files = wishesOf(input).flatMap((wish) => planned(wish, input, problems))
  const ids = files.map((file) => file.contentId)
  const repeated = files.filter((file, index) => ids.indexOf(file.contentId) < index)
  return { files, problems: [...problems, ...repeated.map(({ path }) => ({ path, key: 'repeatedFile' }))] }
}

function listProblems(files: unknown): ProblemKey[] {
  if (isEmpty(files)) return []
  if (!Array.isArray(files) && !isPlainObject(files)) return [{ path: 'files', key: 'files' }]
  return Object.keys(files).length === 0 ? [{ path: 'files', key: 'none' }] : []
}

function wishesOf(input: PlanInput): Wish[] {
  const { files, listed, file, fileType, contentId, named, content } = input
  if (listed)
    return listed.map(({ contentId = onlyId(content), ...one }, index) => ({
      path: `files[${index}]`,
      contentId,
      ...one,
    }))
  if (Array.isArray(files)) {
    return files.map((one: unknown, index) => wishOf(`files[${index}]`, isPlainObject(one) ? one : { file: one }))
  }
  if (isPlainObject(files)) {
    return Object.entries(files).map(([contentId, one]) => {
      const item = isPlainObject(one) && ('file' in one || 'content' in one) ? one : { file: one }
      return wishOf(`files.${contentId}`, { ...item, contentId })
    })
  }
  if (listProblems(files).length > 0) return []
  const fileName = named ? input.fileName : lastPart(input.fileName)
  return [{ path: '', contentId: contentId ?? onlyId(content), file, type: fileType, fileName }]
}

/**
 * Reads one of several entries. The property `content` always contains the content, whatever the setting says about
 * `file`.
 */
function wishOf(path: string, item: PlainObject): Wish {
  const { contentId, fileName } = item
  const source = Object.hasOwn(item, 'content')
    ? { file: item.content, type: 'base64' }
    : { file: item.file, type: 'msg' }
  return { path, contentId, fileName, ...source }
}

/** Returns the id of the registered item, if only one item was registered. */
function onlyId(content: unknown): unknown {
  return Array.isArray(content) && content.length === 1 ? (content[0] as { id?: unknown } | null)?.id : undefined
}

function planned(wish: Wish, { content, fileAs, inShare }: PlanInput, problems: ProblemKey[]): PlannedFile[] {
  const at = (name: string) => (wish.path ? `${wish.path}.${name}` : name)
  const contentId = typeof wish.contentId === 'number' ? String(wish.contentId) : wish.contentId
  const idMissing = contentId === undefined || contentId === ''
  if (idMissing) problems.push({ path: at('contentId'), key: 'missing' })
  else if (typeof contentId !== 'string' || !isPathId(contentId)) problems.push({ path: at('contentId'), key: 'id' })
  const blank = isEmpty(wish.file)
  const meaning = fileMeaning(wish.type, fileAs)
  const file = blank ? undefined : toFile(wish.file, meaning)
  const sent = typeof contentId === 'string' && inShare.has(contentId)
  if (blank) problems.push({ path: at('file'), key: 'missing' })
  else if (!file) problems.push({ path: at('file'), key: noFileKey(wish.file, meaning) })
  else if (file.from === 'stream' && !sent && !isWhole(file.stream)) problems.push({ path: at('file'), key: 'stream' })
  if (!file || typeof contentId !== 'string') return []
  const fileName = uploadName(wish, contentId, file, content)
  problems.push(...misreadTexts(fileName, at('fileName')))
  return [{ path: at('file'), contentId, file, fileName }]
}

function noFileKey(value: unknown, meaning: FileMeaning): string {
  if (looksLikeStream(value)) return 'stream'
  return meaning === 'content' ? 'fileContent' : 'filePath'
}

/** Returns the given name, otherwise the name on disk, otherwise the registered name. */
function uploadName({ fileName }: Wish, contentId: string, file: FileValue, content: unknown): string {
  if (typeof fileName === 'string' && fileName !== '') return fileName
  const onDisk = file.from === 'stream' ? (file.stream as { path?: unknown }).path : file.from === 'path' && file.path
  if (typeof onDisk === 'string' && basename(onDisk) !== '') return basename(onDisk)
  const items = Array.isArray(content) ? (content as { id?: unknown; name?: unknown }[]) : []
  const registered = items.find((item) => item?.id === contentId)?.name
  return typeof registered === 'string' && registered !== '' ? registered : contentId
}

/**
 * Whether a value is a stream or a copy of a stream. A copy has lost its methods, but still has a stream's internal
 * state.
 */
function looksLikeStream(value: unknown): boolean {
  return isStream(value) || (typeof value === 'object' && value !== null && '_readableState' in value)
}

/**
 * Whether a stream is not a copy and has not been read. A broken stream counts too, because it is reported when it is
 * used.
 */
export function isWhole(stream: NodeJS.ReadableStream): boolean {
  const { errored, readable } = stream as Readable
  return !isClonedStream(stream) && (Boolean(errored) || readable)
}
