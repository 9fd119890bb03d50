/** What became of a file that a line of the index names: it is read and compared with the hash of its line. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ArchivedFile } from './archive-index'

export type State = 'whole' | 'missing' | 'changed'

/** Rejects with what the file system says, or with the reason of the signal. */
export async function stateOf(folder: string, { name, sha256 }: ArchivedFile, signal: AbortSignal): Promise<State> {
  const hash = createHash('sha256')
  try {
    // Anything else, such as a pipe, may never deliver a byte.
    if (!(await stat(join(folder, name))).isFile()) return 'changed'
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

/** The first of these files that is not as its line says, and what became of it. */
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
