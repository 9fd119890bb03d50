/** Reads a value as a file: the value is the file's content or its path. Also finds the file at a path. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { configError } from '../../api/errors/errors'
import { redact } from '../../api/errors/mask'
import type { FileProblem } from './file-problem'
import type { FileValue } from '../../settings/fields'
import { isBase64 } from '../../settings/rules'

/**
 * What a text means if a file is expected: the content of the file, or the path of a file. The user chooses this in the
 * form. It is never guessed, because a path may look like base64 and vice versa.
 */
export type FileMeaning = 'content' | 'path' | 'typedPath'

/** What a text from a typed input of this type means. `fileAs` is the value of the setting beside the input. */
export function fileMeaning(type: string, fileAs: unknown): FileMeaning {
  if (type === 'path') return 'typedPath'
  return type !== 'base64' && fileAs === 'path' ? 'path' : 'content'
}

/**
 * Reads `value` as a file: a Buffer, a stream, or a text that is base64 or a path, depending on `meaning`. Returns
 * undefined for any other value. Does not open the file.
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

/**
 * True for a stream that can still be read. A copy of a stream made by Node-RED has lost the internal state of the
 * stream and can't be read.
 */
export function isStream(value: unknown): value is NodeJS.ReadableStream {
  return typeof value === 'object' && value !== null && typeof (value as { pipe?: unknown }).pipe === 'function'
}

/**
 * The paths of the example files begin with the package name, so that the files are found wherever the package is
 * installed.
 */
const packageName = '@eid-flows/node-red-eid'
const packageRoot = join(__dirname, '../../..').replace(/[\\/]dist$/, '')

/**
 * The absolute path. As in Node-RED's own file nodes, a relative path starts at Node-RED's working directory for files.
 */
export function absolutePath(path: string, workingDirectory: string | undefined): string {
  if (path.startsWith(`${packageName}/examples/`)) return join(packageRoot, path.slice(packageName.length + 1))
  return isAbsolute(path) ? path : resolve(workingDirectory || '.', path)
}

/** True for a Windows path if Node-RED runs on another system, which would take the whole path as one file name. */
export function isForeignPath(path: string, platform: string = process.platform): boolean {
  return platform !== 'win32' && /^\s*["']?([a-z]:[\\/]|\\\\[^\\])/i.test(path)
}

/**
 * True for a path such as `signed\may.pdf` on a system that separates folders by `/`: such a path is unlikely to be
 * meant as a single file name.
 */
export function isForeignRelative(path: string, platform: string = process.platform): boolean {
  return platform !== 'win32' && path.includes('\\') && !path.includes('/')
}

/** The folders in which a path may point to a file. */
export interface FileRoots {
  /** Node-RED's folder for relative paths. */
  readonly workingDirectory: string | undefined
  /** The folder that must contain every path, and at which relative paths start. If empty, any path is allowed. */
  readonly baseFolder: string
}

/** A readable regular file, or the key of the problem. `size` is in bytes. */
type FoundFile = { readonly absolute: string; readonly size: number } | { readonly key: string }

/** The reason why a file can't be read. It contains the file's path only if the user typed the path in the form. */
export function notReadable(file: FileValue): FileProblem {
  const isNamed = file.from === 'path' && file.typed === true
  return isNamed ? { key: 'fileNotRead', params: { file: redact(file.path) } } : { key: 'fileMissing' }
}

/** Finds the file at a path, following links. Throws EID_CONFIG if the base folder does not exist. */
export async function findFile(path: string, { workingDirectory, baseFolder }: FileRoots): Promise<FoundFile> {
  if (isForeignPath(path)) return { key: 'foreignPath' }
  const absolute = absolutePath(path, baseFolder ? absolutePath(baseFolder, workingDirectory) : workingDirectory)
  const size = path.includes('\0') ? undefined : await fileSize(absolute)
  // For every path outside the base folder, the answer is the same, so that it does not reveal whether a file exists
  // there.
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

/** Size in bytes of the regular file at `path`; undefined if there is no regular file. */
async function fileSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}
