/**
 * Stores a document's files in an archive exactly once, even if several processes write to the archive's folder and any
 * of them may be killed at any moment. This code does not depend on the service.
 */
import { createKeyedQueue } from '../../lib/common/keyed-queue'
import { makeFolders } from '../../lib/runtime/files/save-file'
import { indexesIn, readIndex, renewSeal } from './archive-index'
import type { IndexEntry } from './index-lines'
import { firstFault, type State } from './file-state'
import { finishAbandoned, finishInterrupted } from './finish'
import { claimIndex, ownedIndex, type Writer } from './index-owner'
import { checkDrive, noteArchive } from './known-archives'
import { commit, isBeingPlaced, type NewEntry, type Staging } from './staging'
import { openInTurn } from './turns'

/** The folder of an archive, and the Node-RED that writes to it. */
export interface Place {
  readonly folder: string
  /** The folder's real path, which is the same whichever path leads to the folder. */
  readonly real: string
  readonly writer: Writer
}

/** Runs one operation at a time in each folder, whichever node writes to it. Long operations bypass this queue. */
const folders = createKeyedQueue()

/** Runs a task when the folder's earlier tasks have ended. If the flow is stopped, the task neither waits nor runs. */
function inTurn<T>(place: Place, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  const run = async () => {
    signal.throwIfAborted()
    return task()
  }
  return folders.run(place.real, run, signal)
}

export interface Kept {
  readonly entry: NewEntry
  readonly existing: boolean
  /** The reason why the document's line could not be sealed. */
  readonly unsealed?: unknown
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
 * Completes the operations that a crash has interrupted in an existing archive. Rejects with the error of the file
 * system.
 */
export function finishCrashed(place: Place, signal: AbortSignal, mayClaim = true): Promise<void> {
  return inTurn(place, signal, async () => {
    const isThere = (await indexesIn(place.folder)).length > 0
    if (!isThere) return
    await noteArchive(place.folder)
    const index = await (mayClaim ? claimIndex : ownedIndex)(place.folder, place.writer)
    if (index !== undefined) await finishInterrupted({ ...place, index }, signal)
    await finishAbandoned({ ...place, index: index ?? '' }, signal)
  })
}

/** Finds a document that is already archived, and seals its line if necessary. */
export async function findKept(place: Place, id: string, signal: AbortSignal): Promise<Kept | undefined> {
  const entry = await findEntry(place.folder, id, signal)
  if (!entry) return undefined
  const index = await ownedIndex(place.folder, place.writer)
  const renewed = inTurn(place, signal, async () => index !== undefined && renewSeal(place.folder, index))
  return renewed.then(
    () => ({ entry, existing: true }),
    (unsealed: unknown) => ({ entry, existing: true, unsealed }),
  )
}

/**
 * Searches all indexes of the folder for lines about the document. Returns the first line whose files are unchanged.
 * Rejects with an ArchiveFault if there are such lines, but each of them has missing or changed files.
 */
async function findEntry(folder: string, documentId: string, signal: AbortSignal): Promise<IndexEntry | undefined> {
  let fault: Awaited<ReturnType<typeof firstFault>>
  for (const name of await indexesIn(folder)) {
    const entry = (await readIndex(folder, name)).entries.get(documentId)
    // Another Node-RED is archiving the document, or was stopped while archiving it.
    if (!entry || (await isBeingPlaced(folder, name, documentId))) continue
    const found = await firstFault(folder, entry.files, signal)
    if (!found) return entry
    fault ??= found
  }
  if (!fault) return undefined
  throw new ArchiveFault(fault.state, fault.file)
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
  place: Place,
  documentId: string,
  collect: (folder: string) => Promise<Collected>,
  signal: AbortSignal,
): Promise<Kept> {
  await checkDrive(place.folder)
  await makeFolders(place.folder, signal)
  const index = await inTurn(place, signal, () => claimIndex(place.folder, place.writer))
  const target = { ...place, index }
  let staging: Staging | undefined
  try {
    staging = await openInTurn(target, documentId, signal)
    const found = await findEntry(place.folder, documentId, signal)
    if (found) return { entry: found, existing: true }
    const { path } = staging
    const { wanted, entry } = await collect(path)
    const committed = await inTurn(place, signal, () => commit(target, path, wanted, entry, signal))
    await noteArchive(place.folder)
    return { existing: false, ...committed }
  } finally {
    await staging?.end()
  }
}
