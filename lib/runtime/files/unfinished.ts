/** Keeps notes about files being written, so that the next start can remove what a killed process left incomplete. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { eidFolder } from '../../common/eid-folder'

export interface Unfinished {
  /** The path to write to until the file is complete: in the same folder, under a temporary name. */
  readonly temporary: string
  /** Removes the note. Called when the file is complete or removed, so that the next start has nothing to do. */
  forget(): Promise<void>
}

const temporaryName = (id: string) => `.eid-${id}.part`

/** The files that this process is writing right now. */
const writing = new Set<string>()

/**
 * Notes that a file is about to be written at `path`. If the user folder is not writable, there is no note, so a kill
 * during the write leaves the incomplete file behind.
 */
export async function noteUnfinished(path: string, userFolder: string | undefined): Promise<Unfinished> {
  const id = randomBytes(16).toString('hex')
  const temporary = join(dirname(path), temporaryName(id))
  const note = userFolder === undefined ? undefined : join(folderOf(userFolder), id)
  writing.add(id)
  if (note !== undefined) await write(note, temporary).catch(() => undefined)
  return {
    temporary,
    async forget() {
      writing.delete(id)
      if (note !== undefined) await rm(note, { force: true }).catch(() => undefined)
    },
  }
}

/**
 * Removes the files about which an earlier process left notes, and then the notes. Never rejects. If a file can't be
 * removed, its note stays.
 */
export async function removeUnfinished(userFolder: string | undefined): Promise<void> {
  if (userFolder === undefined) return
  const folder = folderOf(userFolder)
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.map((name) => removeOne(folder, name).catch(() => undefined)))
}

const folderOf = (userFolder: string) => join(eidFolder(userFolder), 'downloads')

async function write(note: string, temporary: string): Promise<void> {
  await mkdir(dirname(note), { recursive: true, mode: 0o700 })
  await writeFile(note, temporary, { flag: 'wx', mode: 0o600 })
}

async function removeOne(folder: string, id: string): Promise<void> {
  if (!/^[\da-f]{32}$/.test(id) || writing.has(id)) return
  const temporary = await readFile(join(folder, id), 'utf8')
  // A note left incomplete by a killed process can be dropped, because the file that it is about was not created yet.
  if (basename(temporary) === temporaryName(id)) await rm(temporary, { force: true })
  await rm(join(folder, id), { force: true })
}
