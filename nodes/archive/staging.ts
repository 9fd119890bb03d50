/**
 * Puts a folder of files into an archive, completely or not at all. The files are first written to a temporary folder,
 * then their line is added to the index, then the folder gets its final name. A crash before the last step leaves a
 * line whose folder lacks its final name; `finishInterrupted` (finish.ts) then renames the folder.
 */
import { createHash } from 'node:crypto'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { patiently } from '../../lib/common/patiently'
import { FileFault, makeFolders } from '../../lib/runtime/files/save-file'
import { appendEntry, readIndexAgain } from './archive-index'
import type { IndexEntry } from './index-lines'
import { hasLink } from './file-state'
import { ifMissing } from './read-file'

/** The folder of an archive, and the index of one Node-RED that writes to this folder. */
export interface Archive {
  readonly folder: string
  /** The folder's real path, which is the same whichever path leads to the folder. */
  readonly real: string
  readonly index: string
}

const prefixOf = ({ index }: Pick<Archive, 'index'>) => `.unfinished-${index.replace(/\.jsonl$/, '')}-`
export const stagingName = (archive: Pick<Archive, 'index'>, documentId: string) =>
  `${prefixOf(archive)}${createHash('sha256').update(documentId).digest('hex').slice(0, 32)}`

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

/** Folders that this process is filling now, by real path. */
const filling = new Set<string>()
const keyOf = (archive: Archive, name: string) => join(archive.real, name)
export const isFilling = (archive: Archive, name: string) => filling.has(keyOf(archive, name))

const never = new AbortController().signal

export interface Staging {
  readonly path: string
  end(): Promise<void>
}

/**
 * Opens an empty folder for a document's files. Its `end` removes the folder, unless the folder got its final name or
 * its files have a line in the index.
 */
export async function openStaging(archive: Archive, documentId: string, signal: AbortSignal = never): Promise<Staging> {
  const name = stagingName(archive, documentId)
  const path = join(archive.folder, name)
  filling.add(keyOf(archive, name))
  const end = async () => {
    const isKept = await isTaken(path)
      .then((isThere) => isThere && hasLine(archive, documentId))
      .catch(() => true)
    if (!isKept) await rm(path, { recursive: true, force: true }).catch(() => undefined)
    filling.delete(keyOf(archive, name))
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
async function hasLine(archive: Archive, documentId: string): Promise<boolean> {
  try {
    return (await readIndexAgain(archive.folder, archive.index)).entries.has(documentId)
  } catch (error) {
    return !(error instanceof FileFault)
  }
}

export type NewEntry = Omit<IndexEntry, 'previous'>

export interface Committed {
  /** The document's line; its file names are relative to the archive. */
  readonly entry: NewEntry
  /**
   * The reason why the line could not be sealed. The line is sealed later, together with the line of the next document.
   */
  readonly unsealed?: unknown
}

/**
 * Renames the folder of collected files to `wanted` or to the next free name (`Lease (2)`), and adds a line about the
 * files to the index. The file names in `entry` are relative to the folder. Rejects with a FileFault if a folder in the
 * path `wanted` is a link.
 */
export async function commit(
  archive: Archive,
  staging: string,
  wanted: string,
  entry: NewEntry,
  signal: AbortSignal = never,
): Promise<Committed> {
  for (let number = 1; ; number++) {
    const name = number < 2 ? wanted : `${wanted} (${number})`
    const target = join(archive.folder, name)
    if (await isTaken(target)) continue
    await makeFolders(dirname(target), signal)
    const below = name.split(/[/\\]/).join('/')
    // If one of the folders were a link, the files would be outside of the archive, and would count as changed.
    if (await hasLink(archive.folder, below)) throw new FileFault('LINK')
    const files = entry.files.map((file) => ({ ...file, name: `${below}/${file.name}` }))
    const line = await appendEntry(archive.folder, archive.index, { ...entry, files })
    try {
      await patiently(() => rename(staging, target)).catch(unlessMoved(staging, target))
    } catch (error) {
      await line.undo()
      if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) throw error
      continue
    }
    const sealed = await line.seal().then(
      () => ({}),
      (unsealed: unknown) => ({ unsealed }),
    )
    return { entry: { ...entry, files }, ...sealed }
  }
}

/**
 * Ignores the error if another Node-RED has already renamed the folder: any Node-RED may take over a folder that has
 * not changed for an hour.
 */
function unlessMoved(staging: string, target: string): (error: NodeJS.ErrnoException) => Promise<void> {
  return async (error) => {
    if (error.code !== 'ENOENT' || (await isTaken(staging)) || !(await isTaken(target))) throw error
  }
}

export async function isTaken(path: string): Promise<boolean> {
  return (await lstat(path).catch(ifMissing(undefined))) !== undefined
}
