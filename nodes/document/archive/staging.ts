/**
 * Puts a folder of files into an archive, whole or not at all. The files are written to a folder of their own first;
 * then comes the line of the index, and then the folder gets its name. A crash in between leaves a line whose folder
 * has not got its name yet: `finishInterrupted` (finish.ts) gives it.
 */
import { createHash } from 'node:crypto'
import { lstat, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { patiently } from '../../../lib/common/patiently'
import { numberedName } from '../../../lib/runtime/files/safe-name'
import { FileFault, makeFolders } from '../../../lib/runtime/files/save-file'
import { appendEntry, ifMissing, readIndexAgain, type IndexEntry } from './archive-index'

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
export function stagingOf(name: string): string | undefined {
  const [, index] = /^\.unfinished-(index.*)-[\da-f]{32}$/.exec(name) ?? []
  return index === undefined ? undefined : `${index}.jsonl`
}

/** Folders that this process is filling now, by their real path. */
const filling = new Set<string>()
const keyOf = (archive: Archive, name: string) => join(archive.real, name)
export const isFilling = (archive: Archive, name: string) => filling.has(keyOf(archive, name))

const never = new AbortController().signal

/** An empty folder for the files of a document; `end` removes it, unless it got its name or its files have a line. */
export async function openStaging(archive: Archive, documentId: string, signal: AbortSignal = never) {
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

/** A line that could not be taken away again. What is no index holds none. */
async function hasLine(archive: Archive, documentId: string): Promise<boolean> {
  try {
    return (await readIndexAgain(archive.folder, archive.index)).entries.has(documentId)
  } catch (error) {
    return !(error instanceof FileFault)
  }
}

export type NewEntry = Omit<IndexEntry, 'previous'>

/**
 * Gives the collected files their folder, `wanted` or the next free name (`Lease (2)`), and adds their line to the
 * index. The names of the files in `entry` are those in the folder; in the result they begin at the archive.
 */
export async function commit(
  archive: Archive,
  staging: string,
  wanted: string,
  entry: NewEntry,
  signal: AbortSignal = never,
): Promise<NewEntry> {
  for (let number = 1; ; number++) {
    const name = join(dirname(wanted), numberedName(basename(wanted), number))
    const target = join(archive.folder, name)
    if (await isTaken(target)) continue
    await makeFolders(dirname(target), signal)
    const below = name.split(/[/\\]/).join('/')
    const files = entry.files.map((file) => ({ ...file, name: `${below}/${file.name}` }))
    const line = await appendEntry(archive.folder, archive.index, { ...entry, files })
    try {
      await patiently(() => rename(staging, target))
    } catch (error) {
      await line.undo()
      if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) throw error
      continue
    }
    // The document is archived: the next one renews a seal that can't be written now.
    await line.seal().catch(() => undefined)
    return { ...entry, files }
  }
}

export async function isTaken(path: string): Promise<boolean> {
  return (await lstat(path).catch(ifMissing(undefined))) !== undefined
}
