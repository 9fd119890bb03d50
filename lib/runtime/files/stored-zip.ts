/** Writes a zip file with uncompressed parts, for a library that can read a file only from a zip file. */
import { crc32 } from 'node:zlib'

/** The flag for names in UTF-8 (PKWARE's APPNOTE, 4.4.4). */
const inUtf8 = 0x0800
const headerLength = 30
const directoryLength = 46
const endLength = 22

/**
 * The fields of a zip header (APPNOTE, 4.3.7, 4.3.12 and 4.3.16), each with its value and the size of this value in
 * bytes.
 */
type Fields = readonly (readonly [value: number, bytes: 2 | 4])[]

export function storedZip(parts: ReadonlyMap<string, Buffer>): Buffer[] {
  const all: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, content] of parts) {
    const name = Buffer.from(path)
    const size = content.length
    // Version, flags, method, time and day, then the fields that describe the content.
    const common: Fields = [
      ...([
        [20, 2],
        [inUtf8, 2],
        [0, 2],
        [0, 4],
      ] as const),
      ...([
        [crc32(content), 4],
        [size, 4],
        [size, 4],
        [name.length, 2],
        [0, 2],
      ] as const),
    ]
    all.push(header(headerLength, [[0x04034b50, 4], ...common]), name, content)
    // The header ends with: no comment, first disk, no attributes, and the offset.
    const ending: Fields = [
      [0, 2],
      [0, 4],
      [0, 4],
      [at, 4],
    ]
    directory.push(header(directoryLength, [[0x02014b50, 4], [20, 2], ...common, ...ending]), name)
    at += headerLength + name.length + size
  }
  const listed = Buffer.concat(directory)
  const end = header(endLength, [
    ...([
      [0x06054b50, 4],
      [0, 4],
      [parts.size, 2],
      [parts.size, 2],
    ] as const),
    ...([
      [listed.length, 4],
      [at, 4],
      [0, 2],
    ] as const),
  ])
  return [...all, listed, end]
}

function header(length: number, fields: Fields): Buffer {
  const bytes = Buffer.alloc(length)
  let at = 0
  for (const [value, size] of fields) at = size === 2 ? bytes.writeUInt16LE(value, at) : bytes.writeUInt32LE(value, at)
  return bytes
}
