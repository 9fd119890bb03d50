/**
 * Unpacks compressed responses, which some gateways send although the client did not ask for compression. undici's
 * interceptor for this is experimental and logs a warning in every process. Without unpacking, such a response would
 * look like a broken connection.
 */
import { pipeline, type Readable, type Transform } from 'node:stream'
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib'

interface Decoder {
  whole(body: Buffer, options: ZlibOptions): Buffer
  streamed(): Transform
}

const gzip: Decoder = { whole: gunzipSync, streamed: createGunzip }
const decoders = new Map<unknown, Decoder>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { whole: inflateSync, streamed: createInflate }],
  ['br', { whole: brotliDecompressSync, streamed: createBrotliDecompress }],
])

/** The unpacked bytes, or the same bytes if the encoding is unknown. Throws if they can't be unpacked. */
export function decode(body: Buffer, encoding: unknown, maxBytes: number): Buffer {
  const decoder = body.length > 0 ? decoders.get(encoding) : undefined
  return decoder ? decoder.whole(body, maxBytes >= 0 ? { maxOutputLength: maxBytes } : {}) : body
}

/** Unpacks a stream as `decode` unpacks a body. The end, errors and closing pass through in both directions. */
export function decodeStream(body: Readable, encoding: unknown): Readable {
  const decoder = decoders.get(encoding)?.streamed()
  // The returned stream reports a failure to its reader, so nothing else needs to handle it.
  return decoder ? pipeline(body, decoder, () => undefined).on('error', () => undefined) : body
}
