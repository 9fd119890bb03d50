/**
 * Reads the text of a Word file of 1997 to 2003 (.doc): a compound file, which is a small file system ([MS-CFB]), with
 * the text in pieces ([MS-DOC]).
 */

const lastSector = 0xfffffffa

/** The text of a .doc, empty for a compound file of another program; undefined if the file has a password. */
export function textOfOldWord(bytes: Buffer): string | undefined {
  const streams = streamsIn(bytes)
  const main = streams.get('WordDocument')?.()
  if (!main || main.length < 0x1aa) return ''
  const flags = main.readUInt16LE(0x0a)
  if (flags & 0x0100) return undefined
  const table = streams.get(flags & 0x0200 ? '1Table' : '0Table')?.()
  const begin = main.readUInt32LE(0x01a2)
  return table ? piecesIn(main, table.subarray(begin, begin + main.readUInt32LE(0x01a6))) : ''
}

/** The text by the table of its pieces: positions in the text, and for each piece where it is in the stream. */
function piecesIn(main: Buffer, clx: Buffer): string {
  let at = 0
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1)
  if (clx[at] !== 2) return ''
  const table = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1))
  const count = Math.floor((table.length - 4) / 12)
  const pieces = Array.from({ length: Math.max(0, count) }, (_none, n) => {
    const length = table.readUInt32LE(4 * n + 4) - table.readUInt32LE(4 * n)
    const place = table.readUInt32LE(4 * (count + 1) + 8 * n + 2)
    const isShort = (place & 0x40000000) !== 0
    const from = isShort ? (place & 0x3fffffff) / 2 : place
    const piece = main.subarray(from, from + length * (isShort ? 1 : 2))
    return isShort ? new TextDecoder('windows-1252').decode(piece) : piece.toString('utf16le')
  })
  return pieces.join('')
}

/** The streams by name, each read when it is needed. */
function streamsIn(bytes: Buffer): ReadonlyMap<string, () => Buffer> {
  const size = bytes.readUInt16LE(30) === 12 ? 4096 : 512
  const sector = (n: number) => bytes.subarray((n + 1) * size, (n + 2) * size)
  const chained = (first: number, next: (n: number) => number | undefined, limit: number) => {
    const chain: number[] = []
    for (let n: number | undefined = first; n !== undefined && n < lastSector && chain.length <= limit; n = next(n))
      chain.push(n)
    return chain
  }
  const numbersIn = (part: Buffer) => Array.from({ length: part.length >> 2 }, (_none, n) => part.readUInt32LE(4 * n))
  const most = bytes.length / size
  const perSector = size / 4 - 1
  const more = chained(bytes.readUInt32LE(68), (n) => sector(n).readUInt32LE(4 * perSector), most)
  const tables = [bytes.subarray(76, 512), ...more.map((n) => sector(n).subarray(0, 4 * perSector))].flatMap(numbersIn)
  const fat = tables.filter((n) => n < lastSector).flatMap((n) => numbersIn(sector(n)))
  const large = (first: number) => Buffer.concat(chained(first, (n) => fat[n], most).map(sector))
  const smallFat = numbersIn(large(bytes.readUInt32LE(60)))
  const directory = large(bytes.readUInt32LE(48))
  const root = large(directory.readUInt32LE(116))
  const small = (first: number) =>
    Buffer.concat(chained(first, (n) => smallFat[n], root.length / 64).map((n) => root.subarray(64 * n, 64 * n + 64)))
  const found = new Map<string, () => Buffer>()
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const name = directory.toString('utf16le', at, at + Math.max(0, Math.min(64, directory.readUInt16LE(at + 64)) - 2))
    const first = directory.readUInt32LE(at + 116)
    const length = directory.readUInt32LE(at + 120)
    found.set(name, () => (length < 4096 ? small(first) : large(first)).subarray(0, length))
  }
  return found
}
