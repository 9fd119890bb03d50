/**
 * Puts a folder of files into an archive, whole or not at all. The files are written to a folder of their own first;
 * then comes the line of the index, and then the folder gets its name. A crash in between leaves a line whose folder
 * has not got its name yet: `finishInterrupted` (finish.ts) gives it.
 */
import { createHash } from 'node:crypto'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { patiently } from '../../../lib/common/patiently'
import { numberedName } from '../../../lib/runtime/files/safe-name'
import { FileFault, makeFolders } from '../../../lib/runtime/files/save-file'
import { appendEntry, readIndexAgain, type IndexEntry } from './archive-index'
import { ifMissing } from './read-file'

/** Which of the Node-REDs that write to this folder: the name of its index. */
export interface Archive {
  readonly folder: string
  /** The same folder for all who reach it by another path. */
  readonly real: string
  readonly index: string
}

const prefixOf = ({ index }: Pick<Archive, 'index'>) => `.unfinished-${index.replace(/\.jsonl$/, '')}-`
export const stagingName = (archive: Pick<Archive, 'index'>, documentId: string) =>
  `${prefixOf(archive)}${createHash('sha256').update(documentId).digest('hex').slice(0, 32)}`

/** Whether the files of a document are being put in place, by any Node-RED: its line comes before its folder. */
export async function isBeingPlaced(folder: string, index: string, documentId: string): Promise<boolean> {
  return isTaken(join(folder, stagingName({ index }, documentId)))
}

/** The index for which files are collected in the folder `name`; undefined for any other folder. */
export const stagingOf = (name: string) => partsOf(name)?.index

function partsOf(name: string): { index: string; document: string } | undefined {
  const [, index, document = ''] = /^\.unfinished-(index.*)-([\da-f]{32})$/.exec(name) ?? []
  return index === undefined ? undefined : { index: `${index}.jsonl`, document }
}

/** The folders in which other Node-REDs collect the files of a document. */
export async function otherStagings({ folder, index }: Archive, documentId: string): Promise<string[]> {
  const own = stagingName({ index }, documentId)
  const document = partsOf(own)?.document
  return (await readdir(folder)).filter((name) => name !== own && partsOf(name)?.document === document)
}

/** The latest change of a folder and its files, in milliseconds since 1970; 0 for one that is gone. */
export async function newestIn(path: string): Promise<number> {
  const names = await readdir(path).catch(ifMissing([]))
  const all = ['.', ...names].map(async (name) => (await lstat(join(path, name)).catch(ifMissing(undefined)))?.mtimeMs)
  return Math.max(...(await Promise.all(all)).map((one) => one ?? 0))
}

/** Folders that this process is filling now, by their real path. */
const filling = new Set<string>()
const keyOf = (archive: Archive, name: string) => join(archive.real, name)
export const isFilling = (archive: Archive, name: string) => filling.has(keyOf(archive, name))

const never = new AbortController().signal

export interface Staging {
  readonly path: string
  end(): Promise<void>
}

/** An empty folder for the files of a document; `end` removes it, unless it got its name or its files have a line. */
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

/** A line that could not be taken away again. A file that is not an index has no lines. */
async function hasLine(archive: Archive, documentId: string): Promise<boolean> {
  try {
    return (await readIndexAgain(archive.folder, archive.index)).entries.has(documentId)
  } catch (error) {
    return !(error instanceof FileFault)
  }
}

export type NewEntry = Omit<IndexEntry, 'previous'>

export interface Committed {
  /** The names of its files begin at the archive. */
  readonly entry: NewEntry
  /** Why the line could not be sealed: the next document seals it. */
  readonly unsealed?: unknown
}

/**
 * Gives the collected files their folder, `wanted` or the next free name (`Lease (2)`), and adds their line to the
 * index. The names of the files in `entry` are those in the folder.
 */
export async function commit(
  archive: Archive,
  staging: string,
  wanted: string,
  entry: NewEntry,
  signal: AbortSignal = never,
): Promise<Committed> {
  for (let number = 1; ; number++) {
    const name = join(dirname(wanted), numberedName(basename(wanted), number))
    const target = join(archive.folder, name)
    if (await isTaken(target)) continue
    await makeFolders(dirname(target), signal)
    const below = name.split(/[/\\]/).join('/')
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

/** Another Node-RED takes over what has not changed for an hour. */
function unlessMoved(staging: string, target: string): (error: NodeJS.ErrnoException) => Promise<void> {
  return async (error) => {
    if (error.code !== 'ENOENT' || (await isTaken(staging)) || !(await isTaken(target))) throw error
  }
}

export async function isTaken(path: string): Promise<boolean> {
  return (await lstat(path).catch(ifMissing(undefined))) !== undefined
}
