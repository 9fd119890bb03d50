/**
 * Makes compound files: the container of .doc, and of an Office file with a password. Each stream begins in a sector of
 * its own; short ones are in the small sectors of a stream called "Root Entry", as Office writes them.
 */

const end = 0xfffffffe
const free = 0xffffffff
const inFat = 0xfffffffd
const size = 512

/** The file with these streams; a stream that is shorter than 4096 bytes is stored in small sectors. */
export function compoundFile(streams: Readonly<Record<string, Buffer>>): Buffer {
  const large = Object.entries(streams).filter(([, bytes]) => bytes.length >= 4096)
  const short = Object.entries(streams).filter(([, bytes]) => bytes.length < 4096)
  const small = sectorsOf(
    short.map(([, bytes]) => bytes),
    64,
  )
  const directoryLength = Math.ceil(((1 + Object.keys(streams).length) * 128) / size) * size
  // Sector 0 is the table of sectors, the next ones are the directory.
  const big = sectorsOf(
    [Buffer.alloc(directoryLength), small.bytes, numbers(small.next), ...large.map(([, bytes]) => bytes)],
    size,
  )
  const [directoryAt = 0, rootAt = 0, smallAt = 0, ...largeAt] = big.begins
  const directory = Buffer.concat([
    entry('Root Entry', 5, 1 + rootAt, small.bytes.length),
    ...large.map(([name, bytes], n) => entry(name, 2, 1 + (largeAt[n] ?? 0), bytes.length)),
    ...short.map(([name, bytes], n) => entry(name, 2, small.begins[n] ?? 0, bytes.length)),
  ])
  directory.copy(big.bytes, directoryAt * size)
  const table = numbers([inFat, ...big.next.map((next) => (next === end ? end : next + 1))])
  const header = Buffer.alloc(size)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at)
  for (const [at, value] of [
    [44, 1],
    [48, 1 + directoryAt],
    [56, 4096],
    [60, 1 + smallAt],
    [64, 1],
    [68, end],
  ] as const)
    header.writeUInt32LE(value, at)
  header.fill(0xff, 76)
  header.writeUInt32LE(0, 76)
  return Buffer.concat([header, padded(table, size, 0xff), big.bytes])
}

/** The streams one after another in sectors, with the number of the sector that follows each. */
function sectorsOf(streams: readonly Buffer[], length: number) {
  const next: number[] = []
  const begins = streams.map((bytes) => {
    const begin = next.length
    const count = Math.max(1, Math.ceil(bytes.length / length))
    for (let n = 1; n <= count; n++) next.push(n === count ? end : begin + n)
    return begin
  })
  return { begins, next, bytes: Buffer.concat(streams.map((bytes) => padded(bytes, length, 0))) }
}

function padded(bytes: Buffer, length: number, value: number): Buffer {
  const whole = Math.max(1, Math.ceil(bytes.length / length)) * length
  return Buffer.concat([bytes, Buffer.alloc(whole - bytes.length, value)])
}

const numbers = (values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer)

function entry(name: string, type: number, first: number, length: number): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE(2 * name.length + 2, 64)
  bytes[66] = type
  for (const at of [68, 72, 76]) bytes.writeUInt32LE(free, at)
  bytes.writeUInt32LE(first, 116)
  bytes.writeUInt32LE(length, 120)
  return bytes
}

/** A Word file of 1997 to 2003: its text is in two pieces, one with a byte for each character and one with two. */
export function oldWord(first: string, second: string, { password = false } = {}): Buffer {
  const main = Buffer.alloc(8192)
  main.writeUInt16LE(0xa5ec, 0)
  main.writeUInt16LE(password ? 0x0300 : 0x0200, 0x0a)
  main.write(first, 2048, 'latin1')
  main.write(second, 4096, 'utf16le')
  const positions = numbers([0, first.length, first.length + second.length])
  const piece = (place: number) => Buffer.concat([Buffer.alloc(2), numbers([place]), Buffer.alloc(2)])
  const table = Buffer.concat([positions, piece(0x40000000 + 2 * 2048), piece(4096)])
  const clx = Buffer.concat([Buffer.from([1, 2, 0, 9, 9, 2]), numbers([table.length]), table])
  main.writeUInt32LE(100, 0x01a2)
  main.writeUInt32LE(clx.length, 0x01a6)
  return compoundFile({ WordDocument: main, '1Table': Buffer.concat([Buffer.alloc(100), clx]) })
}

/** A newer Office file with a password. */
export const lockedOffice = () =>
  compoundFile({ EncryptionInfo: Buffer.from([4, 0, 4, 0]), EncryptedPackage: Buffer.alloc(5000, 7) })
