/** Removes stored data of nodes that no longer exist because they were deleted while Node-RED was not running. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { folderNameOf, keptFolder } from './open'

/**
 * Milliseconds for which data must have been unchanged before it is removed: a flow file that is missing today (another
 * project, another file name) may be back tomorrow.
 */
const abandonedMs = 30 * 86_400_000

/**
 * Removes the folders of nodes that do not exist. `nodeIds` are the ids of all nodes in the flows. The id of a node
 * inside a subflow begins with the id of the subflow's instance, so a folder whose name begins with one of these ids
 * stays. Never rejects: if a folder can't be removed, the next start tries again.
 */
export async function removeAbandoned(userDir: string, nodeIds: readonly string[], now = Date.now()): Promise<void> {
  const folder = keptFolder(userDir)
  const known = new Set(nodeIds.map(folderNameOf))
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => !known.has(one) && !known.has(one.split('-')[0] ?? ''))) {
    try {
      if ((await lastChange(join(folder, name))) < now - abandonedMs) await rm(join(folder, name), { recursive: true })
    } catch {
      // Another process may be removing the folder at this moment, so the error is ignored.
    }
  }
}

/**
 * The time of the latest change of the folder and its subfolders, in milliseconds since 1970. Writing an item changes
 * one of these folders.
 */
async function lastChange(folder: string): Promise<number> {
  const inside = await readdir(folder)
  const times = await Promise.all([folder, ...inside.map((one) => join(folder, one))].map((path) => stat(path)))
  return Math.max(...times.map(({ mtimeMs }) => mtimeMs))
}
