/** Removes what is kept of nodes that have long been gone: deleted while Node-RED was not running. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { folderNameOf, keptFolder } from './open'

/**
 * A flow file that is not there today (another project, another file name) may be back tomorrow: so long nothing must
 * have changed.
 */
const abandonedMs = 30 * 86_400_000

/**
 * `nodeIds` are those of all nodes of the flows. Ids of nodes inside a subflow begin with that of their instance: a
 * folder that begins like one of them stays. Never rejects: a folder that can't be removed is tried again at the next
 * start.
 */
export async function removeAbandoned(userDir: string, nodeIds: readonly string[], now = Date.now()): Promise<void> {
  const folder = keptFolder(userDir)
  const known = new Set(nodeIds.map(folderNameOf))
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => !known.has(one) && !known.has(one.split('-')[0] ?? ''))) {
    try {
      if ((await lastChange(join(folder, name))) < now - abandonedMs) await rm(join(folder, name), { recursive: true })
    } catch {
      // Perhaps another process is just removing it.
    }
  }
}

/**
 * The latest change of the folder and those inside it, in milliseconds since 1970; writing an item changes one of them.
 */
async function lastChange(folder: string): Promise<number> {
  const inside = await readdir(folder)
  const times = await Promise.all([folder, ...inside.map((one) => join(folder, one))].map((path) => stat(path)))
  return Math.max(...times.map(({ mtimeMs }) => mtimeMs))
}
