/** An id that an installation keeps through restarts, upgrades and a new host name. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const known = new Map<string, Promise<string>>()
/** For an installation that can't store one. */
const unkept = randomUUID()

/**
 * The id of the installation with this user folder. Never rejects: where nothing can be written, the id lasts as long
 * as the process.
 */
export function installationId(userFolder: string | undefined): Promise<string> {
  if (userFolder === undefined) return Promise.resolve(unkept)
  const path = join(userFolder, 'eid', 'installation')
  const found = known.get(path) ?? readOrMake(path).catch(() => unkept)
  known.set(path, found)
  return found
}

async function readOrMake(path: string): Promise<string> {
  const kept = await read(path)
  if (kept !== undefined) return kept
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Another process with the same folder may create it at this moment: the first one counts.
  await writeFile(path, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await read(path)) ?? unkept
}

async function read(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  return /^[\da-f-]{36}$/.test(text) ? text : undefined
}
