/** Removes stored data of nodes that no longer exist: deleted while Node-RED was not running. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { folderNameOf, keptFolder } from './open'

/**
 * A flow file that is missing today (another project, another file name) may be back tomorrow: data must have been
 * unchanged for this long.
 */
const abandonedMs = 30 * 86_400_000

/**
 * `nodeIds` are those of all nodes in the flows. Ids of nodes inside a subflow begin with that of their instance, so a
 * folder that begins with one of these ids stays. Never rejects: a folder that can't be removed is tried again at the
 * next start.
 */
export async function removeAbandoned(userDir: string, nodeIds: readonly string[], now = Date.now()): Promise<void> {
  const folder = keptFolder(userDir)
  const known = new Set(nodeIds.map(folderNameOf))
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => !known.has(one) && !known.has(one.split('-')[0] ?? ''))) {
    try {
      if ((await lastChange(join(folder, name))) < now - abandonedMs) await rm(join(folder, name), { recursive: true })
    } catch {
      // Another process may be removing it at this moment.
    }
  }
}

/**
 * The latest change of the folder and its subfolders, in milliseconds since 1970; writing an item changes one of them.
 */
async function lastChange(folder: string): Promise<number> {
  const inside = await readdir(folder)
  const times = await Promise.all([folder, ...inside.map((one) => join(folder, one))].map((path) => stat(path)))
  return Math.max(...times.map(({ mtimeMs }) => mtimeMs))
}
