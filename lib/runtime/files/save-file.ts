/** Writes each file either completely or not at all, even if several processes write to the same place. */
import { createHash } from 'node:crypto'
import { mkdir, open, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { orAborted } from '../../api/call/retry'
import { moveToFreePlace, type PlaceOf } from './new-name'
import { noteUnfinished, type Unfinished } from './unfinished'

/**
 * The error if a file could not be written. `code` is the system's own code, such as ENOSPC, or SPECIAL if the path
 * exists and is neither a file nor a folder.
 */
export class FileFault extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

interface NewFile {
  /**
   * Writes all bytes and gives the file its name, or the next free name; `path` in the result is the final path.
   * Rejects with a FileFault, or with the error of the source.
   */
  receive(source: Readable, signal: AbortSignal): Promise<{ path: string; size: number; sha256: string }>
  /** Removes what was written. Called if `receive` did not complete. */
  discard(): Promise<void>
}

interface Keeping {
  /** Node-RED's own folder, in which the note about the file being written is stored. */
  readonly userFolder: string | undefined
  /** Aborting this signal ends the wait for a file system that does not respond. */
  readonly signal: AbortSignal
  /** The file's permissions; the system may restrict them further. */
  readonly mode?: number
  /** Returns the path to use if the place is taken. By default, a number is added to the name. */
  readonly placeOf?: PlaceOf
}

/**
 * Prepares a file at the absolute `path`, so that an unwritable place is noticed before anything is fetched. Rejects
 * with a FileFault or, if the signal aborts, with the reason of the signal.
 */
export async function createFile(path: string, keeping: Keeping): Promise<NewFile> {
  const { userFolder, signal, mode = 0o666, placeOf } = keeping
  await prepareTarget(path, signal)
  const unfinished = await noteUnfinished(path, userFolder)
  // The file is opened only if its name is free, because otherwise the system would follow a link of that name.
  const handle = await onDisk(() => open(unfinished.temporary, 'wx', mode)).catch(async (fault: unknown) => {
    await unfinished.forget()
    throw fault
  })
  const discard = () => remove(handle, unfinished)
  return {
    discard,
    async receive(source, signal) {
      try {
        const written = await write(source, handle, signal)
        const saved = await onDisk(() => moveIntoTarget(handle, unfinished.temporary, path, placeOf))
        await unfinished.forget()
        return { path: saved, ...written }
      } catch (error) {
        source.destroy()
        await discard()
        throw error
      }
    },
  }
}

/**
 * Creates the folders of a file. Refuses a path at which there is anything but a file, because renaming would replace a
 * device with the file. Rejects with a FileFault or, if the signal aborts, with the reason of the signal.
 */
export async function prepareTarget(path: string, signal: AbortSignal): Promise<void> {
  const found = await onDisk(async () => {
    await makeFolders(dirname(path), signal)
    return orAborted(stat(path).catch(ifThere), signal)
  }, signal)
  if (found && !found.isFile()) throw new FileFault(found.isDirectory() ? 'EISDIR' : 'SPECIAL')
}

/**
 * Creates a folder and its missing parents, one at a time. If they were created in a single call, Node.js would loop
 * forever where the system reports that an existing parent is missing, as below /proc.
 */
export async function makeFolders(
  folder: string,
  signal: AbortSignal,
  make: (folder: string) => Promise<unknown> = mkdir,
): Promise<void> {
  const found = await orAborted(stat(folder).catch(ifThere), signal)
  if (found?.isDirectory()) return
  if (found) throw new FileFault('ENOTDIR')
  const above = dirname(folder)
  // At the root of a drive that does not exist, the parent is the root itself, so the recursion ends there.
  if (above !== folder) await makeFolders(above, signal, make)
  await orAborted(make(folder).catch(ifMade(folder)), signal)
}

/** Accepts the error if another process has created the folder in the meantime. */
function ifMade(folder: string): (error: NodeJS.ErrnoException) => Promise<void> {
  return async (error) => {
    if (error.code !== 'EEXIST') throw error
    if (!(await stat(folder)).isDirectory()) throw new FileFault('ENOTDIR')
  }
}

/**
 * Returns undefined if nothing exists at the path yet, or only a dangling link, so that the path can be used. Throws
 * any other error again.
 */
function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function write(source: Readable, handle: FileHandle, signal: AbortSignal) {
  const hash = createHash('sha256')
  let size = 0
  const store = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      size += chunk.length
      hash.update(chunk)
      await onDisk(() => handle.writeFile(chunk))
    }
  }
  await pipeline(source, store, { signal })
  return { size, sha256: hash.digest('hex') }
}

/**
 * Moves the file to its place. First, its bytes are synced to the disk, so that a power cut leaves no empty file under
 * the final name.
 */
async function moveIntoTarget(handle: FileHandle, temporary: string, path: string, placeOf?: PlaceOf): Promise<string> {
  await handle.sync()
  await handle.close()
  return moveToFreePlace(temporary, path, placeOf)
}

async function remove(handle: FileHandle, { temporary, forget }: Unfinished): Promise<void> {
  // If closing fails, because the file is closed already or can't be closed, the file is removed anyway.
  await handle.close().catch(() => undefined)
  const gone = await rm(temporary, { force: true }).then(
    () => true,
    () => false,
  )
  if (gone) await forget()
}

async function onDisk<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FileFault || signal?.aborted) throw error
    throw new FileFault(String((error as NodeJS.ErrnoException).code ?? 'OTHER'))
  }
}
