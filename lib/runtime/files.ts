/** Recognises where a file comes from: a Buffer, base64 text, a path or a stream. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { configError } from '../api/errors'
import type { FileValue } from '../fields'

/** Reads `value` as a file; undefined when it is none. A text is content when it is valid base64, and otherwise a path. */
export function toFile(value: unknown, type: string): FileValue | undefined {
  if (value instanceof Uint8Array)
    return { from: 'buffer', buffer: Buffer.from(value.buffer, value.byteOffset, value.byteLength) }
  if (isStream(value)) return { from: 'stream', stream: value }
  if (typeof value !== 'string' || value === '') return undefined
  if (type === 'path') return { from: 'path', path: value }
  const content = /^data:[^,]*;base64,/.test(value) ? value.slice(value.indexOf(',') + 1) : value
  if (isBase64(content)) return { from: 'buffer', buffer: Buffer.from(content, 'base64') }
  return type === 'base64' ? undefined : { from: 'path', path: value }
}

/** A stream that can still be read. Node-RED's copies of a stream have lost their inner state and can't. */
export function isStream(value: unknown): value is NodeJS.ReadableStream {
  return typeof value === 'object' && value !== null && typeof (value as { pipe?: unknown }).pipe === 'function'
}

/** True for base64 text (standard or URL-safe alphabet, line breaks allowed). A path with a file extension never is. */
export function isBase64(text: string): boolean {
  const bare = text.replace(/\s+/g, '')
  return bare.length > 0 && bare.length % 4 === 0 && /^[\w+/-]*={0,2}$/.test(bare)
}

/** The absolute path; relative ones start at Node-RED's working directory for files, as in its own file nodes. */
export function absolutePath(path: string, workingDirectory: string | undefined): string {
  return isAbsolute(path) ? path : resolve(workingDirectory || '.', path)
}

/** True when `path` lies in `folder`, links followed. Throws EID_CONFIG when the folder does not exist. */
export async function isInside(path: string, folder: string): Promise<boolean> {
  const base = await realpath(folder).catch(() => {
    throw configError('fileFolder', { folder })
  })
  const real = await realpath(path).catch(() => resolve(path))
  const way = relative(base, real)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Size in bytes of the regular file at `path`; undefined when there is none that can be read. */
export async function fileSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}
