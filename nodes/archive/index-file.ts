/** Handles the index files of an archive: finds them, reads one, and adds a line. */
import type { Dirent } from 'node:fs'
import { open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setLatest } from '../../lib/common/latest'
import { emptyIndex, hashOf, readLines, sealed, withLine, type ArchiveIndex, type NewEntry } from './index-lines'
import { fits, type Seal } from './memory'
import type { Archive } from './place'
import { fileAt, ifMissing } from './read-file'

/** Whether an index of an archive may have this name. */
export const isIndex = (name: string) => /^index(-.+)?\.jsonl$/i.test(name)

/** Returns the names of the indexes in a folder; each installation that writes to the folder has its own index. */
export async function indexesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]))
  // A folder with the name of an index belongs to a document or was created by hand; a pipe was created by hand too.
  // Neither is an index.
  const files = await Promise.all(found.map(async (one) => ((await isFile(folder, one)) ? one.name : [])))
  return files.flat().filter(isIndex).sort()
}

/** Whether an entry is a file or a link to a file. */
async function isFile(folder: string, one: Dirent): Promise<boolean> {
  if (!one.isSymbolicLink()) return one.isFile()
  return stat(join(folder, one.name)).then(
    (found) => found.isFile(),
    () => false,
  )
}

const maxKnown = 100

/**
 * Reads the index `name` of a folder; an index that is missing counts as empty. Rejects with the error of the file
 * system.
 */
export async function readIndex(place: Archive, name = place.index): Promise<ArchiveIndex> {
  const path = join(place.folder, name)
  const found = await fileAt(path)
  const last = place.parts.indexes.get(path)
  if (found && last?.mtimeMs === found.mtimeMs && last.bytes === found.size) return last.index
  return readIndexAgain(place, name)
}

/**
 * Does the same as `readIndex`, but always reads the file, because someone may have changed the file and reset its
 * modification time.
 */
export async function readIndexAgain(place: Archive, name = place.index): Promise<ArchiveIndex> {
  const { folder, real, memory, parts } = place
  const path = join(folder, name)
  const found = await fileAt(path)
  if (!found) return emptyIndex
  const { [name]: seal } = await memory.seals(real)
  const key = name === place.index ? await memory.key() : undefined
  const index = await readLines(await readFile(path), { lines: seal?.lines ?? 0, key })
  setLatest(parts.indexes, path, { index, mtimeMs: found.mtimeMs, bytes: found.size }, maxKnown)
  return index
}

/** A line that was added. */
interface Added {
  /** Remembers that the line is the last one. Rejects if this can't be stored. */
  seal(): Promise<void>
  /** Removes the line, for example if its files can't be moved to their folder. */
  undo(): Promise<void>
}

/**
 * Adds a line to this installation's index. The line is on disk when this resolves. Rejects with the error of the file
 * system; the index is then unchanged.
 */
export async function appendEntry(place: Archive, entry: NewEntry): Promise<Added> {
  const { parts, memory } = place
  const path = join(place.folder, place.index)
  const index = await readIndex(place)
  const { size, hashes, isCut, isUnended } = index
  const whole = sealed({ ...entry, previous: hashes.at(-1) ?? '' }, await memory.key())
  const line = JSON.stringify(whole)
  const written = Buffer.from(`${isUnended ? '\n' : ''}${line}\n`)
  const undo = async () => {
    parts.indexes.delete(path)
    // An index without lines would look as if it had been added.
    await (size === 0 ? rm(path, { force: true }) : withFile(path, 'r+', (handle) => handle.truncate(size)))
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
        setLatest(parts.indexes, path, { index: withLine(index, whole, line, bytes), mtimeMs, bytes }, maxKnown)
    })
  } catch (error) {
    await undo().catch(() => undefined)
    throw error
  }
  return { seal: () => seal(place, [...hashes, hashOf(line)]), undo }
}

/** Remembers the last of the sealed lines, if a crash has prevented that. */
export async function renewSeal(place: Archive): Promise<void> {
  const { hashes, brokenAt, isUnended } = await readIndex(place)
  const { [place.index]: last } = await place.memory.seals(place.real)
  if (brokenAt === undefined && !isUnended && hashes.length > (last?.lines ?? 0)) await seal(place, hashes)
}

/** Remembers the end of this installation's index, unless lines were changed or removed: that must remain visible. */
async function seal({ memory, real, index }: Archive, hashes: readonly string[]): Promise<void> {
  const { [index]: last } = await memory.seals(real)
  if (last && !fits(last, hashes)) return
  await memory.remember(real, { [index]: sealOver(hashes) })
}

export const sealOver = (hashes: readonly string[]): Seal => ({ lines: hashes.length, sha256: hashes.at(-1) ?? '' })

/** Removes a line that a crash has cut off. */
export async function removeCutLine(place: Archive): Promise<void> {
  const { size, isCut } = await readIndex(place)
  if (isCut) await withFile(join(place.folder, place.index), 'r+', (handle) => handle.truncate(size))
}

async function withFile(path: string, flags: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags)
  try {
    await work(handle)
  } finally {
    await handle.close()
  }
}
