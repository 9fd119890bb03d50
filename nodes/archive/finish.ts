/**
 * Completes operations that a crash has interrupted. If the index has a line for the files of an operation, they are
 * moved to their folder. Everything else that is unfinished is removed.
 */
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../lib/runtime/files/save-file'
import { readIndexAgain, removeCutLine } from './index-file'
import type { IndexEntry } from './index-lines'
import { firstFault } from './file-state'
import type { Archive } from './place'
import { ifMissing } from './read-file'
import { isFilling, isOccupied, moveFolder, newestIn, stagingName, stagingOf } from './staging'

/** Milliseconds without a change after which it is certain that no Node-RED is still collecting a document's files. */
export const collectingMs = 3_600_000

/**
 * Moves the files of lines to their folders, if an interruption has prevented that. In one process, must not run twice
 * at the same time for the same folder. Rejects with the error of the file system, or with the reason of the signal.
 */
export async function finishLines(archive: Archive, signal: AbortSignal): Promise<void> {
  for (const { name, entry } of await interrupted(archive)) {
    if (entry) await place(archive, join(archive.folder, name), entry, signal)
  }
}

/**
 * Removes what interrupted operations of this Node-RED have collected without adding a line, and what other Node-REDs
 * have left behind for an hour, for example because their machine no longer exists. Files of another Node-RED's line
 * are moved to their folder.
 */
export async function removeLeftovers(archive: Archive, signal: AbortSignal): Promise<void> {
  const { folder, index: own } = archive
  for (const { name, entry } of await interrupted(archive)) {
    if (!entry) await rm(join(folder, name), { recursive: true, force: true })
  }
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    const index = stagingOf(name)
    const path = join(folder, name)
    if (index === undefined || index === own || Date.now() - (await newestIn(path)) < collectingMs) continue
    const entry = (await linesOf(archive, index)).get(name)
    if (entry) await place(archive, path, entry, signal)
    else await rm(path, { recursive: true, force: true })
  }
}

/** The temporary folders of this Node-RED that are not being filled, each with the line for its files. */
async function interrupted(archive: Archive): Promise<{ name: string; entry: IndexEntry | undefined }[]> {
  const names = await readdir(archive.folder).catch(ifMissing([]))
  const open = names.filter((name) => stagingOf(name) === archive.index && !isFilling(archive, name))
  if (open.length === 0) return []
  await removeCutLine(archive)
  const lines = await linesOf(archive, archive.index)
  return open.map((name) => ({ name, entry: lines.get(name) }))
}

/**
 * Returns the lines of an index. The key of each line is the name of the temporary folder in which its files were
 * collected.
 */
async function linesOf(archive: Archive, index: string): Promise<Map<string, IndexEntry>> {
  const { entries } = await readIndexAgain(archive, index)
  return new Map(entries.map((entry) => [stagingName({ index }, entry.documentId), entry]))
}

/**
 * Moves collected files to the folder named in their line, unless they are there already. If there is something else in
 * that folder, nothing is changed: the files are then missing.
 */
async function place(
  { folder }: Archive,
  collected: string,
  { files }: IndexEntry,
  signal: AbortSignal,
): Promise<void> {
  if (!(await firstFault(folder, files, signal))) return rm(collected, { recursive: true, force: true })
  const target = join(folder, dirname(files[0]?.name ?? ''))
  await makeFolders(dirname(target), signal)
  await moveFolder(collected, target).catch((error: unknown) => {
    if (!isOccupied(error)) throw error
  })
}
