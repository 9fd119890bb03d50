/** Reads a whole file into memory without blocking, from any source. */
import { readFile } from 'node:fs/promises'
import { basename, win32 } from 'node:path'
import type { FileValue } from '../../settings/fields'
import type { FileProblem } from './file-problem'
import { findFile, notReadable } from './files'

/** The bytes of a file, or the reason why they can't be read. */
type Bytes = { readonly bytes: Buffer } | FileProblem

/**
 * `workingDirectory` is the folder at which relative paths start. A stream that is silent for `client.timeout` seconds
 * (30 by default) counts as unreadable. `signal` ends the reading.
 */
interface ReadContext {
  readonly workingDirectory: string | undefined
  readonly client: { readonly timeout?: number | undefined }
  readonly signal: AbortSignal
}

/**
 * Reads the file. Its path must be inside `baseFolder`; if `baseFolder` is empty, any path is allowed. Throws
 * EID_CONFIG if `baseFolder` does not exist.
 */
export async function readWholeFile(file: FileValue, where: ReadContext, baseFolder: string): Promise<Bytes> {
  if (file.from === 'buffer') return { bytes: file.buffer }
  if (file.from === 'stream') return readStream(file.stream, where)
  const found = await findFile(file.path, { workingDirectory: where.workingDirectory, baseFolder })
  if ('key' in found) return found.key === 'fileMissing' ? notReadable(file) : found
  // The reason is not reported, because a person has to look at the file anyway.
  return readFile(found.absolute, { signal: where.signal }).then(
    (bytes) => ({ bytes }),
    () => notReadable(file),
  )
}

/** The name that a file has on disk; undefined for a file given as content. */
export function nameOnDisk(file: FileValue): string | undefined {
  return file.from === 'path' ? basename(file.path) : undefined
}

/** The last part of a path that another node left in `msg.filename`. */
export function lastPart(name: string | undefined): string | undefined {
  return name === undefined ? undefined : win32.basename(basename(name))
}

/**
 * Reads a stream. Node-RED's copy of a stream never delivers data, so a stream that is silent for as long as a call may
 * take is treated as a copy.
 */
function readStream(stream: NodeJS.ReadableStream, { client, signal }: ReadContext): Promise<Bytes> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    const settle = (read: Bytes) => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      resolve(read)
    }
    const stop = () => settle({ key: 'fileMissing' })
    const silence = setTimeout(() => settle({ key: 'stream' }), (client.timeout ?? 30) * 1000)
    signal.addEventListener('abort', stop, { once: true })
    stream.on('data', (chunk: Uint8Array | string) => {
      chunks.push(Buffer.from(chunk as Uint8Array))
      silence.refresh()
    })
    stream.on('error', stop).on('end', () => settle({ bytes: Buffer.concat(chunks) }))
    stream.on('close', stop)
  })
}
