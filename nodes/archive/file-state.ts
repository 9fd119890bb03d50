/** Reads a file listed in an index and compares it with the hash in the file's line. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ArchivedFile } from './index-lines'

export type State = 'whole' | 'missing' | 'changed'

/** Returns the state of a file. Rejects with the error of the file system, or with the reason of the signal. */
export async function stateOf(folder: string, { name, sha256 }: ArchivedFile, signal: AbortSignal): Promise<State> {
  const hash = createHash('sha256')
  try {
    // Something that is not a file, such as a pipe, may never deliver a byte, and the target of a link is not in the
    // archive: both count as changed.
    if ((await hasLink(folder, name)) || !(await lstat(join(folder, name))).isFile()) return 'changed'
    await pipeline(createReadStream(join(folder, name)), hash, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    if (code === 'EISDIR' || code === 'ELOOP') return 'changed'
    throw error
  }
  return hash.digest('hex') === sha256 ? 'whole' : 'changed'
}

/**
 * Whether one of the folders in the path of this file is a link. Rejects with ENOENT if one of the folders is missing.
 */
export async function hasLink(folder: string, name: string): Promise<boolean> {
  const parts = name.split('/').slice(0, -1)
  for (let count = 1; count <= parts.length; count++) {
    if ((await lstat(join(folder, ...parts.slice(0, count)))).isSymbolicLink()) return true
  }
  return false
}

/**
 * Returns the first of these files that differs from its line in the index, and the state of that file; undefined if
 * none differs.
 */
export async function firstFault(
  folder: string,
  files: readonly ArchivedFile[],
  signal: AbortSignal,
): Promise<{ file: string; state: State } | undefined> {
  for (const file of files) {
    const state = await stateOf(folder, file, signal)
    if (state !== 'whole') return { file: file.name, state }
  }
  return undefined
}
