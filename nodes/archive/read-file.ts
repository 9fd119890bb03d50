/**
 * Reads the small files of an archive. Never blocks, even if a pipe or another special file has the name of such a
 * file.
 */
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { FileFault } from '../../lib/runtime/files/save-file'

/**
 * Returns the properties of a file; undefined if nothing has this name. Rejects with a FileFault if it is not a file.
 */
export async function fileAt(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch(ifMissing(undefined))
  if (found && !found.isFile()) throw new FileFault(found.isDirectory() ? 'EISDIR' : 'SPECIAL')
  return found
}

/**
 * Returns the text of a file. Returns undefined if nothing has this name, and `instead` if something other than a file
 * has it.
 */
export async function textOfFile(path: string, instead: string): Promise<string | undefined> {
  try {
    return (await fileAt(path)) && (await readFile(path, 'utf8').catch(ifMissing(undefined)))
  } catch (error) {
    if (error instanceof FileFault) return instead
    throw error
  }
}

/** Returns a function that turns the error about a missing file into `instead`; other errors are passed on. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error
    return instead
  }
}
