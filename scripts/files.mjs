/** Lists the files below a folder. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

/**
 * The files below a folder, or the file itself if `path` is a file: as paths from the root with slashes, in a fixed
 * order.
 */
export function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}
