/** Replaces a small file of an archive atomically. */
import { constants } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { patiently } from '../../lib/common/patiently'

/** The temporary name of a file while it is being written. */
export const unfinishedName = (path: string) => `${path}.unfinished`

/**
 * If a pipe has the temporary name, O_NONBLOCK prevents `open` from waiting for a reader. Windows lacks this flag, but
 * has no pipes in folders.
 */
const flags =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | ((constants.O_NONBLOCK as number | undefined) ?? 0)

/** Writes a file. The file is completely on disk when this resolves. Rejects with the error of the file system. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = unfinishedName(path)
  const handle = await open(temporary, flags)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await patiently(() => rename(temporary, path))
}
