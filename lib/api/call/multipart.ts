/** Makes a multipart body of one part named `file`, streamed and measured on its way (`interface.md` 4.6). */
import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import FormData from 'form-data'

/** What is known about a file once all of it has left. */
export interface Measured {
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

export interface FilePart {
  readonly content: Readable | Buffer
  readonly fileName: string
  /** Bytes, when known: the request then carries its length. */
  readonly size?: number
}

export interface MultipartBody {
  readonly data: Readable
  readonly headers: Readonly<Record<string, string>>
  /** What has left; undefined while that is not the whole file. */
  measured(): Measured | undefined
}

/**
 * Bytes of a Buffer that leave at once, so that its progress can be seen and a slow line does not look
 * like a dead one.
 */
const slice = 64 * 1024

/**
 * Builds the body again for one try. `onProgress` gets the bytes of the file that have left, and how many there are
 * when known.
 */
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
  // form-data takes a length of 0 for an unknown one: of an empty file it gets the text.
  const empty = size === 0
  if (empty) meter.end().resume()
  else forward(Buffer.isBuffer(part.content) ? sliced(part.content) : part.content, meter)

  const form = new FormData()
  // The header is written here: form-data would escape letters outside of ASCII in the name.
  const header =
    `--${form.getBoundary()}\r\n` +
    `Content-Disposition: form-data; name="file"; filename="${escapeName(part.fileName)}"\r\n` +
    `Content-Type: application/octet-stream\r\n\r\n`
  form.append('file', empty ? '' : meter, { header, knownLength: size })
  // form-data lets go of its parts without closing them: an upload that breaks off would leave the file open.
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

/** `pipe` that passes a failure of the source on, also one that came before. */
function forward(source: Readable, target: Transform): void {
  if (source.destroyed) return void target.destroy(source.errored ?? new Error('the source was closed'))
  source.on('error', (error) => target.destroy(error))
  source.on('close', () => !source.readableEnded && target.destroy(new Error('the source was closed')))
  target.on('close', () => source.destroy())
  source.pipe(target)
}

/** As browsers write it: UTF-8 as it is, quotes and line breaks percent-encoded. */
function escapeName(name: string): string {
  return name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}
