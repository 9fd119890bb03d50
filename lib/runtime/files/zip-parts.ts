/**
 * Unpacks a zip file within limits, because a zip file of a few kilobytes can contain gigabytes, whatever size it
 * states.
 */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { nextTurn } from '../../common/event-loop'

export interface ZipLimits {
  /** The maximum number of unpacked bytes of all parts together. */
  readonly maxBytes: number
  /** The maximum number of unpacked bytes of all markup parts together. */
  readonly maxMarkupBytes: number
  /** The maximum number of tags in the markup parts: reading a tag takes a hundred times its length in memory. */
  readonly maxTags: number
}

/** Real files have some hundreds of parts, and the libraries take a millisecond for each. */
const maxParts = 10_000

/** Offsets in the headers of a zip file (PKWARE's APPNOTE, 4.3.7, 4.3.12 and 4.3.16). */
const endHeader = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const directoryHeader = 0x02014b50
const localHeader = 0x04034b50

const inflate = promisify<Buffer, { maxOutputLength: number; chunkSize: number }, Buffer>(inflateRaw)

/**
 * Unpacks all parts and returns by name what `kept` returns for each of them. Returns `tooLarge` if the limits are
 * exceeded, and `unreadable` if `zip` is not a complete zip file. Never rejects.
 */
export async function partsIn(
  zip: Buffer,
  limits: ZipLimits,
  kept: (name: string, part: Buffer, isMarkup: boolean) => Buffer | undefined,
): Promise<Map<string, Buffer> | 'tooLarge' | 'unreadable'> {
  const found = new Map<string, Buffer>()
  const left = { bytes: limits.maxBytes, markup: limits.maxMarkupBytes, tags: limits.maxTags }
  try {
    const parts = partsOf(zip)
    if (parts.length > maxParts) return 'tooLarge'
    for (const { name, bytes } of parts) {
      const isMarkup = /\.(?:xml|rels|vml)$/i.test(name)
      const max = Math.min(left.bytes, isMarkup ? left.markup : Infinity)
      const part = await bytes(max)
      if (part.length > max) return 'tooLarge'
      left.bytes -= part.length
      if (isMarkup) {
        left.markup -= part.length
        left.tags -= await tagsIn(part)
        if (left.tags < 0) return 'tooLarge'
      }
      const one = kept(name, part, isMarkup)
      if (one) found.set(name, one)
    }
    return found
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'tooLarge' : 'unreadable'
  }
}

/** The names of all parts; undefined if `zip` is not a complete zip file. */
export function namesInZip(zip: Buffer): readonly string[] | undefined {
  try {
    return partsOf(zip).map(({ name }) => name)
  } catch {
    return undefined
  }
}

interface Part {
  readonly name: string
  /** Unpacks the part. Rejects if the part is longer than `max` or damaged. */
  bytes(max: number): Promise<Buffer>
}

/** The number of bytes unpacked at a time. */
const littleLength = 64 * 1024

/** Lists the parts of a zip file. Throws if `zip` is not a zip file. */
function partsOf(zip: Buffer): Part[] {
  const end = zip.lastIndexOf(endHeader)
  if (end < 0) throw new RangeError()
  const count = zip.readUInt16LE(end + 10)
  const parts: Part[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let number = 0; number < count; number++) {
    if (zip.readUInt32LE(at) !== directoryHeader) throw new RangeError()
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const method = zip.readUInt16LE(at + 10)
    const size = zip.readUInt32LE(at + 20)
    const unpacked = zip.readUInt32LE(at + 24)
    const local = zip.readUInt32LE(at + 42)
    const packedBytes = () => {
      if (zip.readUInt32LE(local) !== localHeader) throw new RangeError()
      const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      return zip.subarray(begin, begin + size)
    }
    parts.push({
      name: zip.toString('utf8', at + 46, at + 46 + name),
      async bytes(max) {
        const packed = packedBytes()
        // If the file states its unpacked size correctly, the result is a single chunk. Several chunks would have to be
        // joined, which takes the same memory again. If the stated size is far too small, there are not too many.
        const chunkSize = Math.max(littleLength, Math.min(unpacked, max) + 64)
        return method === 0 ? packed : inflate(packed, { maxOutputLength: Math.max(1, max), chunkSize })
      },
    })
    at += 46 + name + extra + comment
  }
  return parts
}

const sign = '<'.charCodeAt(0)
/** The number of bytes of a large part that are scanned in one step, so that the event loop is not blocked. */
const step = 4_000_000

async function tagsIn(part: Buffer): Promise<number> {
  let count = 0
  for (let from = 0; from < part.length; from += step) {
    if (from > 0) await nextTurn()
    const some = part.subarray(from, from + step)
    for (let at = some.indexOf(sign); at >= 0; at = some.indexOf(sign, at + 1)) count++
  }
  return count
}
