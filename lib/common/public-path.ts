/** Where a node's path is found from outside; the form shows what the runtime registers. */

import { withoutSlashes } from './trim'

/** `/hooks/one` for `hooks/one/`, in the spelling in which requests come in: `/sign%C3%A9` for `/signé`. */
export function normalPath(path: string): string {
  return new URL(`http://any/${path.split('/').filter(Boolean).join('/')}`).pathname
}

/** One path below another. */
export const joinPaths = (root: string, path: string): string => normalPath(`${root}/${path}`)

/**
 * The address under which others reach `path`: `publicUrl` as it is when it has a path of its own, otherwise with the
 * root of Node-RED's public addresses put in. Without a public address, the path below `own`.
 */
export function addressBelow(root: string, publicUrl: string, path: string, own: string): string {
  const below = joinPaths(root, path)
  if (publicUrl === '') return own + below
  const base = withoutSlashes(publicUrl)
  const bare = URL.canParse(base) && new URL(base).pathname === '/'
  return base + (bare ? below : normalPath(path))
}
