/**
 * Keeps the files of a document in an archive once, though several processes write to its folder and each may be killed
 * at any moment. Knows nothing of the service.
 */
import { createKeyedQueue } from '../../../lib/common/keyed-queue'
import { makeFolders } from '../../../lib/runtime/files/save-file'
import { indexesIn, readIndex, renewSeal, type IndexEntry } from './archive-index'
import { firstFault, type State } from './file-state'
import { finishAbandoned, finishInterrupted } from './finish'
import { claimIndex, ownedIndex, type Writer } from './index-owner'
import { commit, isBeingPlaced, type NewEntry, type Staging } from './staging'
import { openInTurn } from './turns'

/** A folder of archives, and who writes to it. */
export interface Place {
  readonly folder: string
  /** The same folder for all who reach it by another path. */
  readonly real: string
  readonly writer: Writer
}

/** One after the other in each folder, whichever node writes to it, but for what takes long. */
const folders = createKeyedQueue()

/** A flow that is stopped waits for nothing, and then does nothing. */
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
  /** Why its line could not be sealed. */
  readonly unsealed?: unknown
}

/** A document has its line, but this file of it is not as it was. */
export class ArchiveFault extends Error {
  constructor(
    readonly state: State,
    readonly file: string,
  ) {
    super(`${file}: ${state}`)
  }
}

/** Ends what a crash has interrupted in an archive that is there. Rejects with what the file system says. */
export function finishCrashed(place: Place, signal: AbortSignal, mayClaim = true): Promise<void> {
  return inTurn(place, signal, async () => {
    const isThere = (await indexesIn(place.folder)).length > 0
    if (!isThere) return
    const index = await (mayClaim ? claimIndex : ownedIndex)(place.folder, place.writer)
    if (index !== undefined) await finishInterrupted({ ...place, index }, signal)
    await finishAbandoned({ ...place, index: index ?? '' }, signal)
  })
}

/** A document that is archived already; its line may still have to be sealed. */
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
 * The line of a document in any index of the folder whose files are there as they were archived. Rejects with an
 * ArchiveFault when there are only lines without them.
 */
async function findEntry(folder: string, documentId: string, signal: AbortSignal): Promise<IndexEntry | undefined> {
  let fault: Awaited<ReturnType<typeof firstFault>>
  for (const name of await indexesIn(folder)) {
    const entry = (await readIndex(folder, name)).entries.get(documentId)
    // Another Node-RED is at it, or was when it was stopped.
    if (!entry || (await isBeingPlaced(folder, name, documentId))) continue
    const found = await firstFault(folder, entry.files, signal)
    if (!found) return entry
    fault ??= found
  }
  if (!fault) return undefined
  throw new ArchiveFault(fault.state, fault.file)
}

/** What `collect` has put into a folder, which is to be called `wanted`. */
export interface Collected {
  readonly wanted: string
  readonly entry: NewEntry
}

/**
 * Adds a document whose files `collect` writes to the folder that it is given. Another Node-RED may have archived it in
 * the meantime: then nothing is collected. Rejects with what the file system says, or with the error of `collect`.
 */
export async function keepFiles(
  place: Place,
  documentId: string,
  collect: (folder: string) => Promise<Collected>,
  signal: AbortSignal,
): Promise<Kept> {
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
    return { existing: false, ...committed }
  } finally {
    await staging?.end()
  }
}
