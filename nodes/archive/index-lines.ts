/**
 * Reads the lines of an index: each document has a line of JSON, which contains the SHA-256 of the previous line and a
 * seal that only the installation that wrote the line can make.
 */
import { createHash, createHmac } from 'node:crypto'
import { createYielder } from '../../lib/common/event-loop'
import { isPlainObject } from '../../lib/common/plain-object'

/** A file of the archive: `name` is its path below the archive's folder, with slashes; `size` is in bytes. */
export interface ArchivedFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** One line of the index. */
export interface IndexEntry {
  /** When the document was archived, as ISO 8601. */
  readonly time: string
  readonly documentId: string
  readonly externalId?: string
  readonly title: string
  /** The names of those who signed. */
  readonly signers: readonly string[]
  readonly files: readonly ArchivedFile[]
  /** The SHA-256 of the previous line, in hex; empty in the first line. */
  readonly previous: string
  /** The HMAC of the rest of the line with the key of the installation that wrote it; absent in lines of before. */
  readonly seal?: string
}

export type NewEntry = Omit<IndexEntry, 'previous' | 'seal'>

export interface ArchiveIndex {
  /** The lines that can be understood, in order. */
  readonly entries: readonly IndexEntry[]
  /** The SHA-256 of each line. */
  readonly hashes: readonly string[]
  /** Number of bytes up to the end of the last complete line; a crash has cut off what follows. */
  readonly size: number
  /** Whether a cut-off line follows the last complete line. */
  readonly isCut: boolean
  /** Whether the last line lacks its line break. */
  readonly isUnended: boolean
  /** The number of the first line that is not as it was written; undefined if the chain is whole. */
  readonly brokenAt: number | undefined
}

export const hashOf = (line: string | Buffer) => createHash('sha256').update(line).digest('hex')

/** The number of bytes up to and including the last line break. */
const endOf = (bytes: Buffer) => bytes.lastIndexOf(lineBreak) + 1
const lineBreak = 0x0a

/** The end of a line: its seal, which is an HMAC of the rest of the line. */
const sealPattern = /,"seal":"([\da-f]{64})"\}$/
const sealLength = ',"seal":""}'.length + 64

/** Seals an entry with `key`; the seal is the last property of its line. */
export function sealed(entry: Omit<IndexEntry, 'seal'>, key: Buffer): IndexEntry {
  return { ...entry, seal: sealOf(JSON.stringify(entry), key) }
}

const sealOf = (text: string | Buffer, key: Buffer) => createHmac('sha256', key).update(text).digest('hex')

/** Whether the line was sealed with this key. */
function isSealed(line: Buffer, key: Buffer): boolean {
  const [, seal] = sealPattern.exec(line.toString('latin1', Math.max(0, line.length - sealLength))) ?? []
  return seal === sealOf(Buffer.concat([line.subarray(0, -sealLength), Buffer.from('}')]), key)
}

/** What is known about an index before it is read. */
interface IndexBefore {
  /** The number of lines that the index had before. */
  readonly lines: number
  /** The key of all lines, if this installation writes the index. */
  readonly key?: Buffer | undefined
}

/**
 * Reads the lines in these bytes. Hashes are computed from the bytes, because different bytes may decode to the same
 * character.
 */
export async function readLines(bytes: Buffer, { lines: known, key }: IndexBefore): Promise<ArchiveIndex> {
  const giveWay = createYielder()
  const entries: IndexEntry[] = []
  const hashes: string[] = []
  let brokenAt: number | undefined
  const take = (line: Buffer) => {
    const entry = entryOf(line)
    if (entry?.previous !== (hashes.at(-1) ?? '') || (key && !isSealed(line, key))) brokenAt ??= hashes.length + 1
    if (entry) entries.push(entry)
    hashes.push(hashOf(line))
  }
  const end = endOf(bytes)
  for (let at = 0; at < end;) {
    const next = bytes.indexOf(lineBreak, at)
    take(bytes.subarray(at, next))
    at = next + 1
    await giveWay()
  }
  const rest = bytes.subarray(end)
  const isCut = rest.length > 0 && hashes.length >= known && isBegun(rest)
  const isUnended = rest.length > 0 && !isCut
  if (isUnended) take(rest)
  return { entries, hashes, size: isCut ? end : bytes.length, isCut, isUnended, brokenAt }
}

export const emptyIndex: ArchiveIndex = {
  entries: [],
  hashes: [],
  size: 0,
  isCut: false,
  isUnended: false,
  brokenAt: undefined,
}

/** Returns the index with `line` as its last line and `size` as its size in bytes. */
export function withLine(index: ArchiveIndex, entry: IndexEntry, line: string, size: number): ArchiveIndex {
  return {
    ...index,
    entries: [...index.entries, entry],
    hashes: [...index.hashes, hashOf(line)],
    size,
    isCut: false,
    isUnended: false,
  }
}

const beginning = '{"time":"'

/**
 * Whether a crash has interrupted the writing of this line. After a power cut, a part of the line may consist of zeros.
 */
function isBegun(rest: Buffer): boolean {
  const text = rest.toString('utf8').replace(/\0+$/, '')
  return (text.startsWith(beginning) || beginning.startsWith(text)) && !entryOf(rest)
}

function entryOf(line: Buffer): IndexEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line.toString('utf8'))
    if (!isPlainObject(entry) || typeof entry.documentId !== 'string' || !Array.isArray(entry.files)) return undefined
    const isEntry = entry.files.length > 0 && entry.files.every(isArchivedFile)
    return isEntry ? (entry as unknown as IndexEntry) : undefined
  } catch {
    return undefined
  }
}

function isArchivedFile(file: unknown): boolean {
  return isPlainObject(file) && isArchivedName(file.name) && typeof file.sha256 === 'string'
}

/**
 * Whether this is the name of a file in a folder of the archive. A forged line may name other files, which must not be
 * read or moved.
 */
function isArchivedName(name: unknown): boolean {
  const parts = typeof name === 'string' && !/[\\\0]/.test(name) ? name.split('/') : []
  return parts.length > 1 && parts.every((part) => !['', '.', '..'].includes(part))
}
