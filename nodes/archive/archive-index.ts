/** Handles the index files of an archive: finds them, reads one, and adds a line. */
import type { Dirent } from 'node:fs'
import { open, readdir, readFile, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setLatest } from '../../lib/common/latest'
import { emptyIndex, endOf, hashOf, readLines, withLine, type ArchiveIndex, type IndexEntry } from './index-lines'
import { fits, readSeal, sealedIndex, writeSeal } from './index-seal'
import { fileAt, ifMissing } from './read-file'

/** Whether an index of an archive may have this name. */
export const isIndex = (name: string) => /^index(-.+)?\.jsonl$/i.test(name)

/**
 * Returns the names of the indexes in a folder; each Node-RED that writes to the folder has its own index. An index
 * that is missing is included if its seal still exists.
 */
export async function indexesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]))
  // A folder with the name of an index belongs to a document or was created by hand; a pipe was created by hand too.
  // Neither is an index.
  const files = await Promise.all(found.map(async (one) => ((await isFile(folder, one)) ? one.name : [])))
  const seals = found.flatMap((one) => (one.isDirectory() ? [] : (sealedIndex(one.name) ?? [])))
  return [...new Set([...files.flat().filter(isIndex), ...seals])].sort()
}

/** Whether an entry is a file or a link to a file. */
async function isFile(folder: string, one: Dirent): Promise<boolean> {
  if (!one.isSymbolicLink()) return one.isFile()
  return stat(join(folder, one.name)).then(
    (found) => found.isFile(),
    () => false,
  )
}

/**
 * The indexes that were last read or written, by path. An index is read again only if another program has changed it.
 * Reading a long index takes a while, and this process has usually added the last line itself.
 */
const known = new Map<string, { readonly index: ArchiveIndex; readonly mtimeMs: number; readonly bytes: number }>()
const maxKnown = 100

/**
 * Reads the index `name` of a folder; an index that is missing counts as empty. Rejects with the error of the file
 * system.
 */
export async function readIndex(folder: string, name: string): Promise<ArchiveIndex> {
  const path = join(folder, name)
  const found = await fileAt(path)
  const last = known.get(path)
  if (found && last?.mtimeMs === found.mtimeMs && last.bytes === found.size) return last.index
  return readIndexAgain(folder, name)
}

/**
 * Does the same as `readIndex`, but always reads the file, because someone may have changed the file and reset its
 * modification time.
 */
export async function readIndexAgain(folder: string, name: string): Promise<ArchiveIndex> {
  const path = join(folder, name)
  const found = await fileAt(path)
  if (!found) return emptyIndex
  const bytes = await readFile(path)
  const seal = bytes.length > endOf(bytes) ? await readSeal(folder, name) : 'missing'
  const index = await readLines(bytes, typeof seal === 'string' ? 0 : seal.lines)
  setLatest(known, path, { index, mtimeMs: found.mtimeMs, bytes: found.size }, maxKnown)
  return index
}

/**
 * Adds a line to the index. The line is on disk when this resolves. The returned `seal` records that the line is the
 * last one. The returned `undo` removes the line, for example if its files can't be moved to their folder. Rejects with
 * the error of the file system; the index is then unchanged.
 */
export async function appendEntry(
  folder: string,
  name: string,
  entry: Omit<IndexEntry, 'previous'>,
): Promise<{ seal(): Promise<void>; undo(): Promise<void> }> {
  const path = join(folder, name)
  const index = await readIndex(folder, name)
  const { size, hashes, isCut, isUnended } = index
  const whole = { ...entry, previous: hashes.at(-1) ?? '' }
  const line = JSON.stringify(whole)
  const written = Buffer.from(`${isUnended ? '\n' : ''}${line}\n`)
  // A seal exists from the first line on. If it is missing later, someone has removed it, and no new seal is written.
  const isFirst = size === 0 && (await readSeal(folder, name)) === 'missing'
  if (isFirst) await writeSeal(folder, name, { lines: 0, sha256: '' })
  const undo = async () => {
    known.delete(path)
    await withFile(path, 'r+', (handle) => handle.truncate(size))
  }
  try {
    await withFile(path, 'a', async (handle) => {
      // A line that a crash cut off was never reported as written, so it may be removed.
      if (isCut) await handle.truncate(size)
      await handle.writeFile(written)
      await handle.sync()
      const { size: bytes, mtimeMs } = await handle.stat()
      // If the size differs, another program has also written to the file, so this index is not remembered.
      if (bytes === size + written.length)
        setLatest(known, path, { index: withLine(index, whole, line, bytes), mtimeMs, bytes }, maxKnown)
    })
  } catch (error) {
    await undo().catch(() => undefined)
    throw error
  }
  return { seal: () => sealLines(folder, name, hashes, hashOf(line)), undo }
}

/** Seals the last line if a crash or a full disk has prevented that. Rejects as `appendEntry` does. */
export async function renewSeal(folder: string, name: string): Promise<void> {
  const { hashes, brokenAt, isUnended } = await readIndex(folder, name)
  const last = hashes.at(-1)
  if (last !== undefined && brokenAt === undefined && !isUnended) {
    await sealLines(folder, name, hashes.slice(0, -1), last)
  }
}

/** Writes a seal over the lines `before` and the next line. `last` is the hash of that next line. */
async function sealLines(folder: string, name: string, before: readonly string[], last: string): Promise<void> {
  const seal = await readSeal(folder, name)
  // If lines have been changed or removed, a new seal would hide that permanently.
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
