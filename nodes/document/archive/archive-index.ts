/** The index files of an archive: which there are, reading one, and adding a line. */
import type { Dirent } from 'node:fs'
import { open, readdir, readFile, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setLatest } from '../../../lib/common/latest'
import { emptyIndex, endOf, hashOf, readLines, withLine, type ArchiveIndex, type IndexEntry } from './index-lines'
import { fits, readSeal, sealedIndex, writeSeal } from './index-seal'
import { fileAt, ifMissing } from './read-file'

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

/**
 * The last read or written indexes, by path: an index is read again only if another program has changed it. Reading a
 * long one takes a while, and most documents come after one that was added here.
 */
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

/** Does the same as `readIndex`, but always reads the file, because someone may have reset its time. */
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
 * Adds a line, which is on disk when this resolves. `seal` makes it count as the last one; `undo` removes it again if
 * the files it names can't be put in place. Rejects with the error of the file system, and then the index is unchanged.
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
  // There is a seal from the first line on. If it is missing later, someone has removed it, and no new one is written.
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
      await handle.writeFile(written)
      await handle.sync()
      const { size: bytes, mtimeMs } = await handle.stat()
      // If the size differs, another program has written too.
      if (bytes === size + written.length)
        setLatest(known, path, { index: withLine(index, whole, line, bytes), mtimeMs, bytes }, maxKnown)
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
