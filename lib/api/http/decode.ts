/**
 * Unpacks answers that come compressed without being asked for: gateways on the way do so. undici's interceptor
 * for this is experimental and says so in the log of every process, and what cannot be unpacked would look like a
 * broken connection.
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

/**
 * The bytes as they were before they were packed; as they are, when this is no packing we know. Throws when they can't
 * be unpacked.
 */
export function decode(body: Buffer, encoding: unknown, maxBytes: number): Buffer {
  const decoder = body.length > 0 ? decoders.get(encoding) : undefined
  return decoder ? decoder.whole(body, maxBytes >= 0 ? { maxOutputLength: maxBytes } : {}) : body
}

/** The same for a stream; its end, its errors and its closing go through in both directions. */
export function decodeStream(body: Readable, encoding: unknown): Readable {
  const decoder = decoders.get(encoding)?.streamed()
  // The reader of the stream gets the failure from the stream itself.
  return decoder ? pipeline(body, decoder, () => undefined).on('error', () => undefined) : body
}
