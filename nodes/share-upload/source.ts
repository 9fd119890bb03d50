/** Opens the bytes of a planned file, anew for every try where that is possible. */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { inputError } from '../../lib/api/errors'
import { absolutePath, fileSize, isInside } from '../../lib/runtime/files'
import type { PlannedFile } from './plan'

export interface Source {
  open(): Readable | Buffer
  readonly size: number | undefined
  /** It can't be opened a second time. */
  readonly once: boolean
}

export interface Places {
  readonly workingDirectory: string | undefined
  /** Folder that paths must lie in; empty for any. */
  readonly baseFolder: string
}

/** How long a stream may stay silent before it is taken for a copy, which never delivers anything; milliseconds. */
const silence = 5000

/** Makes the source ready. Throws EID_INVALID_INPUT when the file can't be read, lies outside, or the stream is a copy. */
export async function openSource({ file, path }: PlannedFile, places: Places, signal: AbortSignal): Promise<Source> {
  if (file.from === 'buffer') return { open: () => file.buffer, size: file.buffer.length, once: false }
  if (file.from === 'stream') {
    const stream = file.stream as Readable
    if (!(await speaks(stream, signal))) throw inputError([{ path, key: 'stream' }])
    return { open: () => stream, size: undefined, once: true }
  }
  const absolute = absolutePath(file.path, places.baseFolder || places.workingDirectory)
  const size = file.path.includes('\0') ? undefined : await fileSize(absolute)
  const allowed =
    !places.baseFolder || (await isInside(absolute, absolutePath(places.baseFolder, places.workingDirectory)))
  // Whether a file outside exists is nobody's business.
  if (!allowed) throw inputError([{ path, key: 'fileFolder' }])
  if (size === undefined) throw inputError([{ path, key: 'fileMissing' }])
  return { open: () => createReadStream(absolute), size, once: false }
}

/** True as soon as the stream has something to read or has ended; false when it stays silent, fails or the flow stops. */
function speaks(stream: Readable, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: boolean) => {
      clearTimeout(timer)
      stream.off('readable', good).off('end', good).off('error', bad)
      signal.removeEventListener('abort', bad)
      resolve(answer)
    }
    const good = () => settle(true)
    const bad = () => settle(false)
    const timer = setTimeout(bad, silence)
    signal.addEventListener('abort', bad, { once: true })
    stream.once('readable', good).once('end', good).once('error', bad)
  })
}
