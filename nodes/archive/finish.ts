/**
 * Completes operations that a crash has interrupted. If the index has a line for the files of an operation, they are
 * moved to their folder. Everything else that is unfinished is removed.
 */
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { patiently } from '../../lib/common/patiently'
import { makeFolders } from '../../lib/runtime/files/save-file'
import { readIndexAgain, removeCutLine } from './archive-index'
import type { IndexEntry } from './index-lines'
import { firstFault } from './file-state'
import { ifMissing } from './read-file'
import { commit, isFilling, isTaken, newestIn, stagingName, stagingOf, type Archive } from './staging'

/** Milliseconds without a change after which it is certain that no Node-RED is still collecting a document's files. */
export const collectingMs = 3_600_000

/**
 * Finishes the interrupted operations of this Node-RED. In one process, must not run twice at the same time for the
 * same folder. Rejects with the error of the file system, or with the reason of the signal.
 */
export async function finishInterrupted(archive: Archive, signal: AbortSignal): Promise<void> {
  const names = await readdir(archive.folder).catch(ifMissing([]))
  const open = names.filter((name) => stagingOf(name) === archive.index && !isFilling(archive, name))
  if (open.length === 0) return
  await removeCutLine(archive.folder, archive.index)
  const lines = await linesOf(archive)
  for (const name of open) {
    const entry = lines.get(name)
    if (entry) await place(archive, join(archive.folder, name), entry, signal)
    else await rm(join(archive.folder, name), { recursive: true, force: true })
  }
}

/**
 * Finishes operations of other Node-REDs that may never come back, for example because their machine no longer exists.
 * The indexes of these Node-REDs are not changed.
 */
export async function finishAbandoned({ folder, real, index: own }: Archive, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    const index = stagingOf(name)
    const path = join(folder, name)
    if (index === undefined || index === own || Date.now() - (await newestIn(path)) < collectingMs) continue
    const entry = (await linesOf({ folder, real, index })).get(name)
    const target = join(folder, dirname(entry?.files[0]?.name ?? ''))
    if (!entry) await rm(path, { recursive: true, force: true })
    else if (!(await isTaken(target))) await move(path, target, signal)
  }
}

/**
 * Returns the lines of the index. The key of each line is the name of the temporary folder in which its files were
 * collected.
 */
async function linesOf(archive: Archive): Promise<Map<string, IndexEntry>> {
  const { entries } = await readIndexAgain(archive.folder, archive.index)
  return new Map([...entries.values()].map((entry) => [stagingName(archive, entry.documentId), entry]))
}

async function move(collected: string, target: string, signal: AbortSignal): Promise<void> {
  await makeFolders(dirname(target), signal)
  await patiently(() => rename(collected, target))
}

/**
 * Moves collected files to the folder named in their line. If that folder contains other files, moves them to another
 * folder and adds a new line.
 */
async function place(archive: Archive, collected: string, entry: IndexEntry, signal: AbortSignal): Promise<void> {
  const { previous: _previous, ...line } = entry
  const wanted = dirname(entry.files[0]?.name ?? '')
  const target = join(archive.folder, wanted)
  if (!(await isTaken(target))) {
    await move(collected, target, signal)
  } else if (await firstFault(archive.folder, entry.files, signal)) {
    // The document then has two lines, of which the later one counts.
    const files = entry.files.map((file) => ({ ...file, name: basename(file.name) }))
    await commit(archive, collected, wanted, { ...line, files }, signal)
  } else {
    await rm(collected, { recursive: true, force: true })
  }
}
