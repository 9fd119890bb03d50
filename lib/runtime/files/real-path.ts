/** The one name of a folder that may be reached by several, and need not be there yet. */
import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Links that lead in a circle. */
const maxLinks = 40

/** Follows the links of the folders that exist; the rest of the path stays as it is. Never rejects. */
export async function realPathOf(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const parent = dirname(path)
  // A link to a folder that is not there yet.
  const target = await readlink(path).catch(() => undefined)
  if (target !== undefined && links < maxLinks) return realPathOf(resolve(parent, target), links + 1)
  return parent === path ? path : join(await realPathOf(parent, links), basename(path))
}
