/** Reads a value as a file, given as content or as a path, and finds the file at a path. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { configError } from '../../api/errors/errors'
import { redact } from '../../api/errors/redact'
import type { TextParams } from '../../api/errors/texts'
import type { FileValue } from '../../settings/fields'
import { isBase64 } from '../../settings/rules'

/**
 * The meaning of a text where a file is expected. The person states it; it is never guessed, because a path may look
 * like base64 and vice versa.
 */
export type FileMeaning = 'content' | 'path' | 'typedPath'

/** The meaning of a text from a typed input of this type; `fileAs` is the setting beside it. */
export function fileMeaning(type: string, fileAs: unknown): FileMeaning {
  if (type === 'path') return 'typedPath'
  return type !== 'base64' && fileAs === 'path' ? 'path' : 'content'
}

/**
 * Reads `value` as a file: a Buffer, a stream, or a text that is base64 or a path, depending on `meaning`. Undefined for
 * anything else. Opens nothing.
 */
export function toFile(value: unknown, meaning: FileMeaning): FileValue | undefined {
  if (value instanceof Uint8Array)
    return { from: 'buffer', buffer: Buffer.from(value.buffer, value.byteOffset, value.byteLength) }
  if (isStream(value)) return { from: 'stream', stream: value }
  if (typeof value !== 'string' || value === '') return undefined
  if (meaning !== 'content') return { from: 'path', path: value, typed: meaning === 'typedPath' }
  const content = /^data:[^,]*;base64,/.test(value) ? value.slice(value.indexOf(',') + 1) : value
  return isBase64(content) ? { from: 'buffer', buffer: Buffer.from(content, 'base64') } : undefined
}

/** True for a stream that can still be read. Node-RED's copies of a stream have lost their internal state and can't. */
export function isStream(value: unknown): value is NodeJS.ReadableStream {
  return typeof value === 'object' && value !== null && typeof (value as { pipe?: unknown }).pipe === 'function'
}

/** The example files have module-style paths, so that they are found wherever the package is installed. */
const packageName = '@eid-flows/node-red-eid'
const packageRoot = join(__dirname, '../../..').replace(/[\\/]dist$/, '')

/** The absolute path; a relative one starts at Node-RED's working directory for files, as in its own file nodes. */
export function absolutePath(path: string, workingDirectory: string | undefined): string {
  if (path.startsWith(`${packageName}/examples/`)) return join(packageRoot, path.slice(packageName.length + 1))
  return isAbsolute(path) ? path : resolve(workingDirectory || '.', path)
}

/** True for a Windows path when Node-RED runs on another system, where it would be an odd file name. */
export function isForeignPath(path: string, platform: string = process.platform): boolean {
  return platform !== 'win32' && /^\s*["']?([a-z]:[\\/]|\\\\[^\\])/i.test(path)
}

/** True for `signed\may.pdf` where folders are separated by `/`: it is hardly meant as a single file name. */
export function isForeignRelative(path: string, platform: string = process.platform): boolean {
  return platform !== 'win32' && path.includes('\\') && !path.includes('/')
}

/** The folders in which a path may point to a file. */
export interface FileRoots {
  /** Node-RED's folder for relative paths. */
  readonly workingDirectory: string | undefined
  /** The folder that must contain every path and in which relative paths start. Empty allows any path. */
  readonly baseFolder: string
}

/** A readable regular file, or the key of the problem. `size` is in bytes. */
export type FoundFile = { readonly absolute: string; readonly size: number } | { readonly key: string }

/** Why a file can't be read; names it if the person typed the name in the form. */
export function notReadable(file: FileValue): { readonly key: string; readonly params?: TextParams } {
  const isNamed = file.from === 'path' && file.typed === true
  return isNamed ? { key: 'fileNotRead', params: { file: redact(file.path) } } : { key: 'fileMissing' }
}

/** Finds the file at a path, following links. Throws EID_CONFIG if the base folder does not exist. */
export async function findFile(path: string, { workingDirectory, baseFolder }: FileRoots): Promise<FoundFile> {
  if (isForeignPath(path)) return { key: 'foreignPath' }
  const absolute = absolutePath(path, baseFolder ? absolutePath(baseFolder, workingDirectory) : workingDirectory)
  const size = path.includes('\0') ? undefined : await fileSize(absolute)
  // Don't reveal whether a file outside exists.
  if (baseFolder && !(await isInside(absolute, absolutePath(baseFolder, workingDirectory))))
    return { key: 'fileFolder' }
  if (size !== undefined) return { absolute, size }
  return { key: isForeignRelative(path) ? 'separators' : 'fileMissing' }
}

/** True if `path` is inside `folder`, following links. Throws EID_CONFIG if the folder does not exist. */
async function isInside(path: string, folder: string): Promise<boolean> {
  const base = await realpath(folder).catch(() => {
    throw configError('fileFolder', { folder })
  })
  const real = await realpath(path).catch(() => resolve(path))
  const way = relative(base, real)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Size in bytes of the regular file at `path`; undefined if there is no readable one. */
async function fileSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}
