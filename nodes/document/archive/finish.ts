/**
 * Ends what a crash has interrupted: files that have their line get their folder, and what was only begun is removed.
 */
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { patiently } from '../../../lib/common/patiently'
import { makeFolders } from '../../../lib/runtime/files/save-file'
import { ifMissing, readIndex, removeCutLine, type IndexEntry } from './archive-index'
import { firstFault } from './file-state'
import { commit, isFilling, isTaken, stagingName, stagingOf, type Archive } from './staging'

/** Rejects with what the file system says, or with the reason of the signal. */
export async function finishInterrupted(archive: Archive, signal: AbortSignal): Promise<void> {
  const names = await readdir(archive.folder).catch(ifMissing([]))
  const left = names.filter((name) => stagingOf(name) === archive.index)
  const open = left.filter((name) => !isFilling(archive, name))
  if (open.length === 0) return
  if (open.length === left.length) await removeCutLine(archive.folder, archive.index)
  const { entries } = await readIndex(archive.folder, archive.index)
  const lines = new Map([...entries.values()].map((entry) => [stagingName(archive, entry.documentId), entry]))
  for (const name of open) {
    const entry = lines.get(name)
    if (entry) await place(archive, join(archive.folder, name), entry, signal)
    else await rm(join(archive.folder, name), { recursive: true, force: true })
  }
}

/** Gives collected files the folder that their line names; another one, and a new line, when that is taken. */
async function place(archive: Archive, collected: string, entry: IndexEntry, signal: AbortSignal): Promise<void> {
  const { previous: _previous, ...line } = entry
  const wanted = dirname(entry.files[0]?.name ?? '')
  const target = join(archive.folder, wanted)
  if (!(await isTaken(target))) {
    await makeFolders(dirname(target), signal)
    await patiently(() => rename(collected, target))
  } else if (await firstFault(archive.folder, entry.files, signal)) {
    // Of two lines of a document the later one counts.
    const files = entry.files.map((file) => ({ ...file, name: basename(file.name) }))
    await commit(archive, collected, wanted, { ...line, files }, signal)
  } else {
    await rm(collected, { recursive: true, force: true })
  }
}
