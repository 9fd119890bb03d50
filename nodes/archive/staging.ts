/**
 * Puts a folder of files into an archive, completely or not at all. The files are first written to a temporary folder,
 * then their line is added to the index, then the folder gets its final name. A crash before the last step leaves a
 * line whose folder lacks its final name; `finishInterrupted` (finish.ts) then renames the folder.
 */
import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { patiently } from '../../lib/common/patiently'
import { FileFault, makeFolders } from '../../lib/runtime/files/save-file'
import { appendEntry, readIndexAgain } from './index-file'
import type { NewEntry } from './index-lines'
import { hasLink } from './file-state'
import type { Archive } from './place'
import { ifMissing } from './read-file'

const prefixOf = ({ index }: Pick<Archive, 'index'>) => `.unfinished-${index.replace(/\.jsonl$/, '')}-`
export const stagingName = (place: Pick<Archive, 'index'>, documentId: string) =>
  `${prefixOf(place)}${createHash('sha256').update(documentId).digest('hex').slice(0, 32)}`

/**
 * Whether any Node-RED is putting a document's files in place: the document's line is written before its folder has its
 * final name.
 */
export async function isBeingPlaced(folder: string, index: string, documentId: string): Promise<boolean> {
  return isTaken(join(folder, stagingName({ index }, documentId)))
}

/** The index to which the temporary folder `name` belongs; undefined for any other folder. */
export const stagingOf = (name: string) => partsOf(name)?.index

function partsOf(name: string): { index: string; document: string } | undefined {
  const [, index, document = ''] = /^\.unfinished-(index.*)-([\da-f]{32})$/.exec(name) ?? []
  return index === undefined ? undefined : { index: `${index}.jsonl`, document }
}

/** The folders in which other Node-REDs collect the document's files. */
export async function otherStagings({ folder, index }: Archive, documentId: string): Promise<string[]> {
  const own = stagingName({ index }, documentId)
  const document = partsOf(own)?.document
  return (await readdir(folder)).filter((name) => name !== own && partsOf(name)?.document === document)
}

/** The latest change of a folder and its files, in milliseconds since 1970; 0 if it is gone. */
export async function newestIn(path: string): Promise<number> {
  const names = await readdir(path).catch(ifMissing([]))
  const all = ['.', ...names].map(async (name) => (await lstat(join(path, name)).catch(ifMissing(undefined)))?.mtimeMs)
  return Math.max(...(await Promise.all(all)).map((one) => one ?? 0))
}

const stagingKey = (place: Archive, name: string) => join(place.real, name)
/** Whether this process is filling the temporary folder `name` now. */
export const isFilling = (place: Archive, name: string) => place.parts.filling.has(stagingKey(place, name))

const never = new AbortController().signal

export interface Staging {
  readonly path: string
  end(): Promise<void>
}

/**
 * Opens an empty folder for a document's files. Its `end` removes the folder, unless the folder got its final name or
 * its files have a line in the index.
 */
export async function openStaging(place: Archive, documentId: string, signal: AbortSignal = never): Promise<Staging> {
  const name = stagingName(place, documentId)
  const path = join(place.folder, name)
  place.parts.filling.add(stagingKey(place, name))
  const end = async () => {
    const isKept = await isTaken(path)
      .then((isThere) => isThere && hasLine(place, documentId))
      .catch(() => true)
    if (!isKept) await rm(path, { recursive: true, force: true }).catch(() => undefined)
    place.parts.filling.delete(stagingKey(place, name))
  }
  try {
    await rm(path, { recursive: true, force: true })
    await makeFolders(path, signal)
  } catch (error) {
    await end()
    throw error
  }
  return { path, end }
}

/**
 * Whether the index still contains the document's line, because the line could not be removed. If the index is not a
 * file, it has no lines.
 */
async function hasLine(place: Archive, documentId: string): Promise<boolean> {
  try {
    return (await readIndexAgain(place)).entries.some((entry) => entry.documentId === documentId)
  } catch (error) {
    return !(error instanceof FileFault)
  }
}

/**
 * Renames the folder of collected files to `wanted` or to the next free name (`Lease (2)`), and adds a line about the
 * files to the index. Returns the line; its file names are relative to the archive, those of the given `entry` are
 * relative to the folder. Rejects with a FileFault if a folder in the path `wanted` is a link.
 */
export async function commit(
  place: Archive,
  staging: string,
  wanted: string,
  entry: NewEntry,
  signal: AbortSignal = never,
): Promise<NewEntry> {
  for (let number = 1; ; number++) {
    const name = number < 2 ? wanted : `${wanted} (${number})`
    const target = join(place.folder, name)
    await makeFolders(dirname(target), signal)
    const below = name.split(/[/\\]/).join('/')
    // If one of the folders were a link, the files would be outside of the archive, and would count as changed.
    if (await hasLink(place.folder, below)) throw new FileFault('LINK')
    // From here on, no other Node-RED takes this name, also after a crash.
    if (!(await reserve(target))) continue
    const placed = inFolder(below, entry)
    try {
      await addLine(place, staging, target, placed)
      return placed
    } catch (error) {
      await rmdir(target).catch(() => undefined)
      if (!isOccupied(error)) throw error
    }
  }
}

/** Creates an empty folder; returns false if something has this name. */
async function reserve(target: string): Promise<boolean> {
  try {
    await mkdir(target)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Adds the line and moves the files, or does neither. */
async function addLine(place: Archive, staging: string, target: string, entry: NewEntry): Promise<void> {
  const line = await appendEntry(place, entry)
  try {
    await moveFolder(staging, target)
  } catch (error) {
    await line.undo()
    throw error
  }
  try {
    await line.seal()
  } catch (error) {
    // Nothing is archived of which the check could not notice that it is gone.
    await moveFolder(target, staging)
    await line.undo()
    throw error
  }
}

/** Renames a folder, also to the name of an empty folder. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await patiently(() => rename(from, to))
  } catch (error) {
    // Windows does not replace folders.
    await rmdir(to).catch(() => Promise.reject(error as Error))
    await patiently(() => rename(from, to))
  }
}

/** Whether a folder could not be renamed because the new name belongs to something else. */
export const isOccupied = (error: unknown) =>
  ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))

const inFolder = (below: string, entry: NewEntry): NewEntry => ({
  ...entry,
  files: entry.files.map((file) => ({ ...file, name: `${below}/${file.name}` })),
})

export async function isTaken(path: string): Promise<boolean> {
  return (await lstat(path).catch(ifMissing(undefined))) !== undefined
}
