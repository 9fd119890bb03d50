/** Builds a multipart body with one part named `file`, streamed and measured as it is sent (`interface.md` 4.6). */
import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import FormData from 'form-data'

/** Size and hash of a file, known once all of it has been sent. */
interface Measured {
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

interface FilePart {
  readonly content: Readable | Buffer
  readonly fileName: string
  /** The number of bytes, if known: the request then has a Content-Length header. */
  readonly size?: number
}

export interface MultipartBody {
  readonly data: Readable
  readonly headers: Readonly<Record<string, string>>
  /** Size and hash of the bytes sent; undefined until the whole file has been sent. */
  measured(): Measured | undefined
}

/**
 * Bytes of a Buffer sent at a time, so that progress is visible and a slow connection does not look like a dead one.
 */
const slice = 64 * 1024

/** Builds the body for one attempt. `onProgress` gets the number of bytes of the file sent, and the total if known. */
export function multipartFile(
  part: FilePart,
  onProgress: (sent: number, total: number | undefined) => void = () => undefined,
): MultipartBody {
  const size = Buffer.isBuffer(part.content) ? part.content.length : part.size
  const hash = createHash('sha256')
  let bytes = 0
  let digest: string | undefined
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      bytes += chunk.length
      hash.update(chunk)
      onProgress(bytes, size)
      next(null, chunk)
    },
    flush(end) {
      digest = hash.digest('hex')
      end(size === undefined || size === bytes ? null : new Error('the file is shorter than it was'))
    },
  })
  // form-data treats a length of 0 as unknown, so an empty file is passed as text.
  const empty = size === 0
  if (empty) meter.end().resume()
  else forward(Buffer.isBuffer(part.content) ? sliced(part.content) : part.content, meter)

  const form = new FormData()
  // The header is written here because form-data would escape non-ASCII letters in the name.
  const header =
    `--${form.getBoundary()}\r\n` +
    `Content-Disposition: form-data; name="file"; filename="${escapeName(part.fileName)}"\r\n` +
    `Content-Type: application/octet-stream\r\n\r\n`
  form.append('file', empty ? '' : meter, { header, knownLength: size })
  // form-data does not close its parts, so an upload that breaks off would leave the file open.
  form.on('error', (error) => meter.destroy(error)).on('close', () => meter.destroy())
  const length = size === undefined ? undefined : form.getLengthSync()
  return {
    data: form as unknown as Readable,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${form.getBoundary()}`,
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    measured: () => (digest === undefined ? undefined : { bytes, sha256: digest }),
  }
}

function sliced(buffer: Buffer): Readable {
  const slices = function* () {
    for (let from = 0; from < buffer.length; from += slice) yield buffer.subarray(from, from + slice)
  }
  return Readable.from(slices(), { objectMode: false })
}

/** Like `pipe`, but also forwards an error of the source, even one from before this call. */
function forward(source: Readable, target: Transform): void {
  if (source.destroyed) return void target.destroy(source.errored ?? new Error('the source was closed'))
  source.on('error', (error) => target.destroy(error))
  source.on('close', () => !source.readableEnded && target.destroy(new Error('the source was closed')))
  target.on('close', () => source.destroy())
  source.pipe(target)
}

/** Escapes a name as browsers do: UTF-8 unchanged, quotes and line breaks percent-encoded. */
function escapeName(name: string): string {
  return name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}
