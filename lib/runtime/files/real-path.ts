/** Resolves different paths of the same folder to a single path. The folder need not exist yet. */
import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** More links than this are treated as a loop. */
const maxLinks = 40

/** Resolves the links of existing folders; the rest of the path stays as it is. Never rejects. */
export async function realPathOf(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const parent = dirname(path)
  // The path may be a link to a folder that does not exist yet.
  const target = await readlink(path).catch(() => undefined)
  if (target !== undefined && links < maxLinks) return realPathOf(resolve(parent, target), links + 1)
  return parent === path ? path : join(await realPathOf(parent, links), basename(path))
}
