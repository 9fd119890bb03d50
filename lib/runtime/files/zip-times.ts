/** Sets one fixed time for all parts of a zip file, so that the same content always gives the same bytes. */

/**
 * The signatures of the two headers of each part, and the offsets of the time in them (PKWARE's APPNOTE, 4.3.7 and
 * 4.3.12).
 */
const directoryHeader = 0x02014b50
const directoryTimeAt = 12
const localOffsetAt = 42
const localTimeAt = 10
const endHeader = 0x06054b50
/** Midnight of 1 January 1980 in the zip format: the time, then the day. */
const fixedTime = 0x00210000

/** Changes `zip` itself and returns it. Bytes that are not a zip file stay unchanged. */
export function withFixedTimes(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(littleEndian(endHeader))
  if (end < 0) return zip
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  for (let part = 0; part < count; part++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== directoryHeader) return zip
    zip.writeUInt32LE(fixedTime, at + directoryTimeAt)
    zip.writeUInt32LE(fixedTime, zip.readUInt32LE(at + localOffsetAt) + localTimeAt)
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return zip
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
