/**
 * Looks at a file of an archive before it is read, because reading a pipe would block.
 */
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { FileFault } from '../../lib/runtime/files/save-file'

/**
 * Returns the properties of a file; undefined if nothing has this name. Rejects with a FileFault if it is not a file.
 */
export async function fileAt(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch(ifMissing(undefined))
  if (found && !found.isFile()) throw new FileFault(found.isDirectory() ? 'EISDIR' : 'SPECIAL')
  return found
}

/** Returns a function that turns the error about a missing file into `instead`; other errors are passed on. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error
    return instead
  }
}
