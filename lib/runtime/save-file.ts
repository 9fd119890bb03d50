/** Writes a file that is either whole or not there, however many write to the same place. */
import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { noteUnfinished, type Unfinished } from './unfinished'

/** What the file system said when the file could not be written; `code` is the system's own, such as ENOSPC. */
export class FileFault extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

export interface NewFile {
  /** Takes all bytes and puts the file in its place. Rejects with a FileFault, or with what broke the source. */
  receive(source: Readable, signal: AbortSignal): Promise<{ size: number; sha256: string }>
  /** Removes what was written. For whoever does not get as far as the end of `receive`. */
  discard(): Promise<void>
}

/**
 * Makes room for a file at the absolute `path`: a place that can't be written is known before anything
 * is fetched. `mode` says who may read it, as far as the process allows. Rejects with a FileFault.
 */
export async function createFile(path: string, userFolder: string | undefined, mode = 0o666): Promise<NewFile> {
  await onDisk(() => prepare(path))
  const unfinished = await noteUnfinished(path, userFolder)
  // Opened only if there is none of that name: a link would be followed.
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
        await onDisk(() => place(handle, unfinished.temporary, path))
        await unfinished.forget()
        return written
      } catch (error) {
        source.destroy()
        await discard()
        throw error
      }
    },
  }
}

async function prepare(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const found = await stat(path).catch(ifThere)
  if (found?.isDirectory()) throw new FileFault('EISDIR')
}

/** A place where nothing is yet, or only a link to nothing, is a good one. */
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

/** The bytes are on the disk before the name is: after a power cut there is no empty file under it. */
async function place(handle: FileHandle, temporary: string, path: string): Promise<void> {
  await handle.sync()
  await handle.close()
  await rename(temporary, path)
}

async function remove(handle: FileHandle, { temporary, forget }: Unfinished): Promise<void> {
  // Closed already, or not closable: the file goes all the same.
  await handle.close().catch(() => undefined)
  const gone = await rm(temporary, { force: true }).then(
    () => true,
    () => false,
  )
  if (gone) await forget()
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof FileFault ? error : new FileFault(String((error as NodeJS.ErrnoException).code ?? 'OTHER'))
  }
}
