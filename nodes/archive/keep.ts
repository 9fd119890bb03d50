/**
 * Stores a document's files in an archive exactly once, even if several processes write to the archive's folder and any
 * of them may be killed at any moment. This code does not depend on the service.
 */
import { join } from 'node:path'
import { FileFault, makeFolders } from '../../lib/runtime/files/save-file'
import { indexesIn, readIndex, renewSeal } from './index-file'
import type { IndexEntry, NewEntry } from './index-lines'
import { firstFault, type State } from './file-state'
import { finishLines, removeLeftovers } from './finish'
import { inTurn, type Archive } from './place'
import { commit, isBeingPlaced, isTaken, type Staging } from './staging'
import { openInTurn } from './turns'

export interface KeptDocument {
  readonly entry: NewEntry
  readonly existing: boolean
}

/**
 * Thrown if a document has a line in the index, but one of its files is missing or has changed. `file` is the name of
 * that file.
 */
export class ArchiveFault extends Error {
  constructor(
    readonly state: State,
    readonly file: string,
  ) {
    super(`${file}: ${state}`)
  }
}

/**
 * Completes the operations that a crash has interrupted in an existing archive. Rejects with a FileFault if the archive
 * is gone, and with the error of the file system.
 */
export function finishCrashed(place: Archive, signal: AbortSignal): Promise<void> {
  return inTurn(place, signal, async () => {
    const { [place.index]: last } = await place.memory.seals(place.real)
    // If a drive is not connected, its folders look empty. A second archive would then begin on another disk.
    if (last && last.lines > 0 && !(await isTaken(join(place.folder, place.index)))) throw new FileFault('GONE')
    if ((await indexesIn(place.folder)).length === 0) return
    await finishLines(place, signal)
    await removeLeftovers(place, signal)
    await renewSeal(place)
  })
}

/**
 * Searches all indexes of the folder for lines about the document. Returns the first line whose files are unchanged.
 * Rejects with an ArchiveFault if there are such lines, but each of them has missing or changed files.
 */
export async function findKept(
  place: Archive,
  documentId: string,
  signal: AbortSignal,
): Promise<KeptDocument | undefined> {
  let fault: Awaited<ReturnType<typeof firstFault>>
  for (const { name, entry } of await linesAbout(place, documentId)) {
    // Another Node-RED is archiving the document, or was stopped while archiving it.
    if (name !== place.index && (await isBeingPlaced(place.folder, name, documentId))) continue
    const found = await firstFault(place.folder, entry.files, signal)
    if (!found) return { entry, existing: true }
    fault ??= found
  }
  if (!fault) return undefined
  throw new ArchiveFault(fault.state, fault.file)
}

async function linesAbout(place: Archive, documentId: string): Promise<{ name: string; entry: IndexEntry }[]> {
  const names = await indexesIn(place.folder)
  const all = names.map(async (name) => {
    const { entries } = await readIndex(place, name)
    return entries.filter((entry) => entry.documentId === documentId).map((entry) => ({ name, entry }))
  })
  return (await Promise.all(all)).flat()
}

/** The files that `collect` has put into a folder, and the final name for this folder. */
interface Collected {
  readonly wanted: string
  readonly entry: NewEntry
}

/**
 * Adds a document to the archive. `collect` writes the document's files to the folder that it is given. If another
 * Node-RED has archived the document in the meantime, nothing is collected. Rejects with the error of the file system,
 * or of `collect`.
 */
export async function keepFiles(
  place: Archive,
  documentId: string,
  collect: (folder: string) => Promise<Collected>,
  signal: AbortSignal,
): Promise<KeptDocument> {
  await makeFolders(place.folder, signal)
  let staging: Staging | undefined
  try {
    staging = await openInTurn(place, documentId, signal)
    const found = await findKept(place, documentId, signal)
    if (found) return found
    const { path } = staging
    const { wanted, entry } = await collect(path)
    return { entry: await inTurn(place, signal, () => commit(place, path, wanted, entry, signal)), existing: false }
  } finally {
    await staging?.end()
  }
}
