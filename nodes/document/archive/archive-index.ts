/** The index of an archive: one line of JSON per document, each with the SHA-256 of the previous line. */
import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { open, readdir, readFile, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setLatest } from '../../../lib/common/latest'
import { isPlainObject } from '../../../lib/common/plain-object'
import { fits, readSeal, sealedIndex, writeSeal } from './index-seal'
import { fileAt, ifMissing } from './read-file'

/** A file of the archive: `name` is its path below the archive's folder, with slashes; `size` is in bytes. */
export interface ArchivedFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** One line of the index. */
export interface IndexEntry {
  /** When it was archived, as ISO 8601. */
  readonly time: string
  readonly documentId: string
  readonly externalId?: string
  readonly title: string
  /** The names of those who signed. */
  readonly signers: readonly string[]
  readonly files: readonly ArchivedFile[]
  /** The SHA-256 of the previous line, in hex; empty in the first line. */
  readonly previous: string
}

export interface ArchiveIndex {
  /** Keyed by document id. */
  readonly entries: ReadonlyMap<string, IndexEntry>
  /** The SHA-256 of each line. */
  readonly hashes: readonly string[]
  /** Bytes up to the end of the last line; the rest was cut off by a crash. */
  readonly size: number
  /** Whether there is such a rest. */
  readonly isCut: boolean
  /** Whether the last line lacks its line break. */
  readonly isUnended: boolean
  /** The number of the first line that does not match the previous one; undefined if the chain is whole. */
  readonly brokenAt: number | undefined
}

/** True for a name that an index of this folder may have. */
export const isIndex = (name: string) => /^index(-.+)?\.jsonl$/i.test(name)

/**
 * The names of the indexes in a folder, one for each Node-RED that writes to it. Includes a missing index whose seal
 * still exists.
 */
export async function indexesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]))
  // A folder of this name is that of a document, or was put there by hand, as was a pipe.
  const files = await Promise.all(found.map(async (one) => ((await isFile(folder, one)) ? one.name : [])))
  const seals = found.flatMap((one) => (one.isDirectory() ? [] : (sealedIndex(one.name) ?? [])))
  return [...new Set([...files.flat().filter(isIndex), ...seals])].sort()
}

/** True for a link to a file as well. */
async function isFile(folder: string, one: Dirent): Promise<boolean> {
  if (!one.isSymbolicLink()) return one.isFile()
  return stat(join(folder, one.name)).then(
    (found) => found.isFile(),
    () => false,
  )
}

const hashOf = (line: string | Buffer) => createHash('sha256').update(line).digest('hex')

/** The last read indexes, by path: an index is read again only if another program has changed it. */
const known = new Map<string, { readonly index: ArchiveIndex; readonly mtimeMs: number; readonly bytes: number }>()
const maxKnown = 100

/** Reads the index `name` of a folder; a missing one is empty. Rejects with the error of the file system. */
export async function readIndex(folder: string, name: string): Promise<ArchiveIndex> {
  const path = join(folder, name)
  const found = await fileAt(path)
  const last = known.get(path)
  if (found && last?.mtimeMs === found.mtimeMs && last.bytes === found.size) return last.index
  return readIndexAgain(folder, name)
}

/** Like `readIndex`, but always from the file: someone may have reset its time. */
export async function readIndexAgain(folder: string, name: string): Promise<ArchiveIndex> {
  const path = join(folder, name)
  const found = await fileAt(path)
  if (!found) return emptyIndex
  const bytes = await readFile(path)
  const seal = bytes.length > endOf(bytes) ? await readSeal(folder, name) : 'missing'
  const index = indexOf(bytes, typeof seal === 'string' ? 0 : seal.lines)
  setLatest(known, path, { index, mtimeMs: found.mtimeMs, bytes: found.size }, maxKnown)
  return index
}

/** The bytes up to the last line break. */
const endOf = (bytes: Buffer) => bytes.lastIndexOf(lineBreak) + 1
const lineBreak = 0x0a

/** Hashes are computed from the bytes, because different bytes may decode to the same character. */
function indexOf(bytes: Buffer, sealed: number): ArchiveIndex {
  const entries = new Map<string, IndexEntry>()
  const hashes: string[] = []
  let brokenAt: number | undefined
  const take = (line: Buffer) => {
    const entry = entryOf(line)
    if (entry?.previous !== (hashes.at(-1) ?? '')) brokenAt ??= hashes.length + 1
    if (entry) entries.set(entry.documentId, entry)
    hashes.push(hashOf(line))
  }
  const end = endOf(bytes)
  for (let at = 0; at < end;) {
    const next = bytes.indexOf(lineBreak, at)
    take(bytes.subarray(at, next))
    at = next + 1
  }
  const rest = bytes.subarray(end)
  const isCut = rest.length > 0 && hashes.length >= sealed && isBegun(rest)
  const isUnended = rest.length > 0 && !isCut
  if (isUnended) take(rest)
  return { entries, hashes, size: isCut ? end : bytes.length, isCut, isUnended, brokenAt }
}

export const emptyIndex = indexOf(Buffer.alloc(0), 0)

const beginning = '{"time":"'

/** True for a line interrupted by a crash; after a power cut, it may consist of zeros. */
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

/** True for a file in a folder of the archive: a forged line may name others, and nothing is read or moved out there. */
function isArchivedName(name: unknown): boolean {
  const parts = typeof name === 'string' && !/[\\\0]/.test(name) ? name.split('/') : []
  return parts.length > 1 && parts.every((part) => !['', '.', '..'].includes(part))
}

/**
 * Adds a line, which is on disk when this resolves. `seal` makes it count as the last one; `undo` removes it again if
 * the files it names can't be put in place. Rejects with the error of the file system, and then the index is unchanged.
 */
export async function appendEntry(
  folder: string,
  name: string,
  entry: Omit<IndexEntry, 'previous'>,
): Promise<{ seal(): Promise<void>; undo(): Promise<void> }> {
  const path = join(folder, name)
  const { size, hashes, isCut, isUnended } = await readIndex(folder, name)
  const line = JSON.stringify({ ...entry, previous: hashes.at(-1) ?? '' })
  // There is a seal from the first line on: a missing one has been removed, and an existing one stays.
  const isFirst = size === 0 && (await readSeal(folder, name)) === 'missing'
  if (isFirst) await writeSeal(folder, name, { lines: 0, sha256: '' })
  const undo = async () => {
    known.delete(path)
    await withFile(path, 'r+', (handle) => handle.truncate(size))
  }
  try {
    await withFile(path, 'a', async (handle) => {
      // A line cut off by a crash was never confirmed to anyone.
      if (isCut) await handle.truncate(size)
      await handle.writeFile(`${isUnended ? '\n' : ''}${line}\n`)
      await handle.sync()
    })
  } catch (error) {
    await undo().catch(() => undefined)
    throw error
  }
  return { seal: () => sealLines(folder, name, hashes, hashOf(line)), undo }
}

/** Seals the last line if a crash or a full disk has prevented that. Rejects like `appendEntry`. */
export async function renewSeal(folder: string, name: string): Promise<void> {
  const { hashes, brokenAt, isUnended } = await readIndex(folder, name)
  const last = hashes.at(-1)
  if (last !== undefined && brokenAt === undefined && !isUnended) {
    await sealLines(folder, name, hashes.slice(0, -1), last)
  }
}

/** Seals the lines `before` and the `last` one. */
async function sealLines(folder: string, name: string, before: readonly string[], last: string): Promise<void> {
  const seal = await readSeal(folder, name)
  // A new seal over changed or removed lines would hide that for good.
  if (typeof seal === 'string' || !fits(seal, before)) return
  await writeSeal(folder, name, { lines: before.length + 1, sha256: last })
}

/** Removes a line that a crash has cut off. */
export async function removeCutLine(folder: string, name: string): Promise<void> {
  const { size, isCut } = await readIndex(folder, name)
  if (isCut) await withFile(join(folder, name), 'r+', (handle) => handle.truncate(size))
}

async function withFile(path: string, flags: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags)
  try {
    await work(handle)
  } finally {
    await handle.close()
  }
}
