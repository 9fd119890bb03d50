/** Replaces a small file of an archive in one step. */
import { open, rename } from 'node:fs/promises'
import { patiently } from '../../../lib/common/patiently'

/** The name under which it is written. */
export const unfinishedName = (path: string) => `${path}.unfinished`

/** The complete file is on disk when this resolves. Rejects with the error of the file system. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = unfinishedName(path)
  const handle = await open(temporary, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await patiently(() => rename(temporary, path))
}
