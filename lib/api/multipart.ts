/** Makes a multipart body of one part named `file`, streamed and measured on its way (`interface.md` 4.6). */
import { createHash } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import FormData from 'form-data'

/** What is known of a file once all of it has left. */
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
  /** What has left so far. */
  measured(): Measured
}

/** Builds the body anew for one try. `onProgress` gets the bytes of the file that have left. */
export function multipartFile(part: FilePart, onProgress: (sent: number) => void = () => undefined): MultipartBody {
  const hash = createHash('sha256')
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      bytes += chunk.length
      hash.update(chunk)
      onProgress(bytes)
      next(null, chunk)
    },
  })
  const size = Buffer.isBuffer(part.content) ? part.content.length : part.size
  if (Buffer.isBuffer(part.content)) meter.end(part.content)
  else forward(part.content, meter)

  const form = new FormData()
  // The header is written here: form-data would escape letters outside of ASCII in the name.
  const header =
    `--${form.getBoundary()}\r\n` +
    `Content-Disposition: form-data; name="file"; filename="${escapeName(part.fileName)}"\r\n` +
    `Content-Type: application/octet-stream\r\n\r\n`
  form.append('file', meter, { header, knownLength: size })
  form.on('error', (error) => meter.destroy(error))
  const length = size === undefined ? undefined : form.getLengthSync()
  let digest: string | undefined
  return {
    data: form as unknown as Readable,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${form.getBoundary()}`,
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    measured: () => ({ bytes, sha256: (digest ??= hash.digest('hex')) }),
  }
}

/** `pipe` that passes a failure of the source on. */
function forward(source: Readable, target: Transform): void {
  source.on('error', (error) => target.destroy(error))
  target.on('close', () => source.destroy())
  source.pipe(target)
}

/** As browsers write it: UTF-8 as it is, quotes and line breaks percent-encoded. */
export function escapeName(name: string): string {
  return name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}
