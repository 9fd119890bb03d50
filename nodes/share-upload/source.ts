/** Opens a planned file for reading; if possible, it is opened again for every attempt. */
import { open as openFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { inputError, type ProblemKey } from '../../lib/api/errors/errors'
import { findFile, notReadable, type FileRoots } from '../../lib/runtime/files/files'
import type { PlannedFile } from './plan'

interface Opened {
  readonly content: Readable | Buffer
  /** Number of bytes, if known. */
  readonly size?: number
}

export interface Source {
  open(): Promise<Opened>
  /** Whether the source can't be opened a second time. */
  readonly oneShot: boolean
  /** Whether the source is a stream that has not ended and has nothing to read. */
  stalled(): boolean
}

interface StreamTimeouts {
  /**
   * Milliseconds that a stream may stay silent. After that, the stream is treated as a copy, because a copy never
   * delivers anything.
   */
  readonly silenceMs: number
  readonly signal: AbortSignal
}

/**
 * Prepares the source. Returns the problem if the file can't be read or is outside the base folder, or if the stream is
 * a copy. Throws EID_CONFIG if the base folder does not exist.
 */
export async function openSource(
  { file, path }: PlannedFile,
  roots: FileRoots,
  timeouts: StreamTimeouts,
): Promise<Source | ProblemKey> {
  const anew = { oneShot: false, stalled: () => false }
  if (file.from === 'buffer') return { ...anew, open: () => Promise.resolve({ content: file.buffer }) }
  if (file.from === 'stream') {
    const stream = file.stream as Readable
    const key = await streamProblem(stream, timeouts)
    if (key) return { path, key }
    const stalled = () => !stream.readableEnded && stream.readableLength === 0
    return { open: () => Promise.resolve({ content: stream }), oneShot: true, stalled }
  }
  const found = await findFile(file.path, roots)
  const problem = () => ({ path, ...notReadable(file) })
  if ('key' in found) return found.key === 'fileMissing' ? problem() : { path, ...found }
  return { ...anew, open: () => openPath(found.absolute, problem) }
}

/**
 * Number of bytes read at once. Node's own 64 KiB would cost a third of the speed; with much more, a slow connection
 * would look dead.
 */
const chunkSize = 256 * 1024

/** Opens a file at its current size: if the file grows meanwhile, no more bytes are read than announced. */
async function openPath(absolute: string, problem: () => ProblemKey): Promise<Opened> {
  const handle = await openFile(absolute).catch(() => {
    throw inputError([problem()])
  })
  const { size } = await handle.stat()
  if (size > 0) return { content: handle.createReadStream({ end: size - 1, highWaterMark: chunkSize }), size }
  await handle.close()
  return { content: Buffer.alloc(0) }
}

/**
 * Resolves with undefined as soon as the stream has something to read, has ended, or the flow stops; otherwise with the
 * stream's fault.
 */
function streamProblem(stream: Readable, { silenceMs, signal }: StreamTimeouts): Promise<string | undefined> {
  if (stream.errored || stream.destroyed) return Promise.resolve('fileMissing')
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const settle = (key?: string) => {
      clearTimeout(timer)
      stream.off('readable', good).off('end', good).off('error', broken)
      signal.removeEventListener('abort', good)
      resolve(key)
    }
    const good = () => settle()
    const broken = () => settle('fileMissing')
    const timer = setTimeout(() => settle('stream'), silenceMs)
    signal.addEventListener('abort', good, { once: true })
    stream.once('readable', good).once('end', good).once('error', broken)
  })
}
