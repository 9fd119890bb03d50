/** Finds the address at which others reach a node's path, so that the form shows what the runtime registers. */

import { withoutSlashes } from './trim'

/** Turns `hooks/one/` into `/hooks/one`, percent-encoded as in requests: `/sign%C3%A9` for `/signé`. */
export function normalPath(path: string): string {
  return new URL(`http://any/${path.split('/').filter(Boolean).join('/')}`).pathname
}

/** Joins two paths. */
export const joinPaths = (root: string, path: string): string => normalPath(`${root}/${path}`)

/**
 * Returns the address at which others reach `path`. If `publicUrl` has a path of its own, `path` is appended to
 * `publicUrl`; otherwise Node-RED's public root is inserted between the two. If `publicUrl` is empty, the address is
 * below `own`.
 */
export function addressBelow(root: string, publicUrl: string, path: string, own: string): string {
  const below = joinPaths(root, path)
  if (publicUrl === '') return own + below
  const base = withoutSlashes(publicUrl)
  const bare = URL.canParse(base) && new URL(base).pathname === '/'
  return base + (bare ? below : normalPath(path))
}
