/**
 * Puts a folder of files into an archive, whole or not at all. The files are written to a folder of their own first;
 * then comes the line of the index, and then the folder gets its name. A crash in between leaves a line whose folder
 * has not got its name yet: `finishInterrupted` gives it.
 */
import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { patiently } from '../../../lib/common/patiently'
import { numberedName } from '../../../lib/runtime/files/safe-name'
import { appendEntry, ifMissing, readIndex, removeCutLine, type IndexEntry } from './archive-index'

/** Which of the Node-REDs that write to this folder: the name of its index. */
export interface Archive {
  readonly folder: string
  /** The same folder for all who reach it by another path. */
  readonly real: string
  readonly index: string
}

const prefixOf = ({ index }: Pick<Archive, 'index'>) => `.unfinished-${index.replace(/\.jsonl$/, '')}-`
const stagingName = (archive: Pick<Archive, 'index'>, documentId: string) =>
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

/** An empty folder for the files of a document; `end` removes it, unless it got its name. */
export async function openStaging(archive: Archive, documentId: string) {
  const name = stagingName(archive, documentId)
  const path = join(archive.folder, name)
  filling.add(keyOf(archive, name))
  const end = async () => {
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
    filling.delete(keyOf(archive, name))
  }
  try {
    await rm(path, { recursive: true, force: true })
    await mkdir(path, { recursive: true })
  } catch (error) {
    await end()
    throw error
  }
  return { path, end }
}

export type NewEntry = Omit<IndexEntry, 'previous'>

/**
 * Gives the collected files their folder, `wanted` or the next free name (`Lease (2)`), and adds their line to the
 * index. The names of the files in `entry` are those in the folder; in the result they begin at the archive.
 */
export async function commit(archive: Archive, staging: string, wanted: string, entry: NewEntry): Promise<NewEntry> {
  for (let number = 1; ; number++) {
    const name = join(dirname(wanted), numberedName(basename(wanted), number))
    const target = join(archive.folder, name)
    if (await isTaken(target)) continue
    await mkdir(dirname(target), { recursive: true })
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

async function isTaken(path: string): Promise<boolean> {
  return (await lstat(path).catch(ifMissing(undefined))) !== undefined
}

/** Ends what a crash has interrupted: what has its line gets its name, and what has none is removed. */
export async function finishInterrupted(archive: Archive): Promise<void> {
  const names = await readdir(archive.folder).catch(ifMissing([]))
  const left = names.filter((name) => stagingOf(name) === archive.index)
  const open = left.filter((name) => !filling.has(keyOf(archive, name)))
  if (open.length === 0) return
  if (open.length === left.length) await removeCutLine(archive.folder, archive.index)
  const { entries } = await readIndex(archive.folder, archive.index)
  const lines = new Map([...entries.values()].map((entry) => [stagingName(archive, entry.documentId), entry]))
  for (const name of open) {
    const path = join(archive.folder, name)
    const entry = lines.get(name)
    const target = entry?.files[0] && join(archive.folder, dirname(entry.files[0].name))
    if (target && !(await isTaken(target))) await patiently(() => rename(path, target))
    else await rm(path, { recursive: true, force: true })
  }
}
