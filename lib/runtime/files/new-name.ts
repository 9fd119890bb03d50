/** Moves a finished file to the next free place, without ever replacing another file. */
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { patiently } from '../../common/patiently'
import { numberedName } from './safe-name'

/** The file system functions that moving a file uses. */
export interface FileSystem {
  readonly link: typeof link
  readonly open: typeof open
  readonly rename: typeof rename
  readonly rm: typeof rm
}

const system: FileSystem = { link, open, rename, rm }

/** Returns the path that is tried in attempt `number`. The attempts count from 1; the first path is `path` itself. */
export type PlaceOf = (path: string, number: number) => string

/** Adds a number to the name: `contract (2).pdf`. */
export const numberedFile: PlaceOf = (path, number) => join(dirname(path), numberedName(basename(path), number))

/** Uses a numbered folder, so that the file keeps its name: `2/contract.pdf`. */
export const numberedFolder: PlaceOf = (path, number) =>
  number < 2 ? path : join(dirname(path), String(number), basename(path))

/** Moves the file and returns its final path. Rejects with the system's error. */
export async function moveToFreePlace(
  temporary: string,
  path: string,
  placeOf: PlaceOf = numberedFile,
  files = system,
): Promise<string> {
  for (let number = 1; ; number++) {
    const target = placeOf(path, number)
    const isThere = dirname(target) === dirname(path) || (await makeFolder(dirname(target)))
    if (isThere && (await moveTo(temporary, target, files))) return target
  }
}

/** Creates the folder. Returns false if a file with the name of the folder exists. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

/** Moves the file to `target`. Returns false if a file or folder with this name exists. */
async function moveTo(temporary: string, target: string, files: FileSystem): Promise<boolean> {
  try {
    // A hard link gives the file its second name in one step, but only if that name is free.
    await files.link(temporary, target)
  } catch (error) {
    return isTaken(error) ? false : moveWithoutLinks(temporary, target, files)
  }
  // If the temporary file can't be removed, its note stays, and the next start removes the file.
  await patiently(() => files.rm(temporary, { force: true })).catch(() => undefined)
  return true
}

/** Moves the file on file systems without hard links: first, an empty file reserves the name. */
async function moveWithoutLinks(temporary: string, target: string, files: FileSystem): Promise<boolean> {
  try {
    const handle = await files.open(target, 'wx')
    await handle.close()
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
  await patiently(() => files.rename(temporary, target)).catch(async (error: unknown) => {
    await files.rm(target, { force: true }).catch(() => undefined)
    throw error
  })
  return true
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
}
