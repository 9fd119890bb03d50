/** The bytes of documents to sign: small files in memory, larger files in the upload folder. */
import { readFile, writeFile } from 'node:fs/promises'
import type { World } from '../world'
import type { Content } from './state'

/** Maximum bytes of a file kept in memory. */
const MAX_IN_MEMORY_BYTES = 16 * 1024

export async function keepContent(bytes: Buffer, world: World): Promise<Content> {
  const known = { size: bytes.length, isPdf: bytes.subarray(0, 1024).includes('%PDF-') }
  if (bytes.length <= MAX_IN_MEMORY_BYTES)
    return { ...known, read: () => Promise.resolve(bytes), remove: () => undefined }
  const path = world.files.newPath()
  await writeFile(path, bytes)
  await world.files.keep(path, bytes.length)
  return { ...known, read: () => readIfThere(path), remove: () => void world.files.remove(path) }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
