/** Reads the small files of an archive, and never waits for something else that has their name, such as a pipe. */
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { FileFault } from '../../../lib/runtime/files/save-file'

/** Undefined when nothing is there. Rejects with a FileFault for anything but a file. */
export async function fileAt(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch(ifMissing(undefined))
  if (found && !found.isFile()) throw new FileFault(found.isDirectory() ? 'EISDIR' : 'SPECIAL')
  return found
}

/** The text of a file; undefined when nothing is there, and `instead` for anything but a file. */
export async function textOfFile(path: string, instead: string): Promise<string | undefined> {
  try {
    return (await fileAt(path)) && (await readFile(path, 'utf8').catch(ifMissing(undefined)))
  } catch (error) {
    if (error instanceof FileFault) return instead
    throw error
  }
}

/** Nothing is there: this instead. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error
    return instead
  }
}
