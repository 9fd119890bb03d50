/** Makes Word files that are meant to exhaust their reader: their zip headers lie, or their markup is endless. */
import { strToU8, unzipSync, zipSync } from 'fflate'
import { wordDocument } from './word-document'

const endLength = 22
const directoryAt = 16

/** The document with this markup in its body. */
export function withBody(markup: string): Buffer {
  const parts = unzipSync(wordDocument(['{Name}']))
  const text = Buffer.from(parts['word/document.xml'] ?? '').toString()
  return Buffer.from(
    zipSync({ ...parts, 'word/document.xml': strToU8(text.replace('</w:body>', () => `${markup}</w:body>`)) }),
  )
}

/** The document with further parts. */
export function withParts(more: Record<string, Uint8Array>): Buffer {
  return Buffer.from(zipSync({ ...unzipSync(wordDocument(['{Name}'])), ...more }))
}

const uint32 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)))
const uint64 = (...values: number[]) => uint32(...values.flatMap((value) => [value, 0]))

/**
 * Two zip files in one: the end of the file names the parts of `shown`, and a record for large files (zip64) those of
 * `hidden`. Because of the disk number, some readers look at that record.
 */
export function twoInOne(shown: Buffer, hidden: Buffer): Buffer {
  const before = shown.length - endLength
  const moved = movedBy(hidden, before)
  const endAt = moved.length - endLength
  const count = moved.readUInt16LE(endAt + 10)
  const size = moved.readUInt32LE(endAt + 12)
  const record = Buffer.concat([
    uint32(0x06064b50),
    uint64(44),
    uint32(0x002d002d, 0, 0),
    uint64(count, count, size, moved.readUInt32LE(endAt + directoryAt)),
  ])
  const locator = Buffer.concat([uint32(0x07064b50, 0), uint64(before + endAt), uint32(1)])
  const end = Buffer.from(shown.subarray(before))
  end.writeUInt16LE(0xffff, 4)
  return Buffer.concat([shown.subarray(0, before), moved.subarray(0, endAt), record, locator, end])
}

function movedBy(zip: Buffer, by: number): Buffer {
  const moved = Buffer.from(zip)
  const endAt = moved.length - endLength
  let at = moved.readUInt32LE(endAt + directoryAt)
  moved.writeUInt32LE(at + by, endAt + directoryAt)
  for (let left = moved.readUInt16LE(endAt + 10); left > 0; left--) {
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + by, at + 42)
    at += 46 + moved.readUInt16LE(at + 28) + moved.readUInt16LE(at + 30) + moved.readUInt16LE(at + 32)
  }
  return moved
}

/** The file, whose directory states this number at this offset of each part's entry. */
export function statingAt(zip: Buffer, offset: number, value: number): Buffer {
  const changed = Buffer.from(zip)
  let at = changed.readUInt32LE(changed.length - endLength + directoryAt)
  for (let left = changed.readUInt16LE(changed.length - 12); left > 0; left--) {
    changed.writeUInt32LE(value, at + offset)
    at += 46 + changed.readUInt16LE(at + 28) + changed.readUInt16LE(at + 30) + changed.readUInt16LE(at + 32)
  }
  return changed
}
