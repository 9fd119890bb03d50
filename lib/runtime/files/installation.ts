/** An id that an installation keeps through restarts, upgrades and a new host name. */
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eidFolder } from '../../common/eid-folder'

const known = new Map<string, Promise<string>>()
/** The id of an installation whose id can't be stored. */
const unkept = randomUUID()

/**
 * The id of the installation with this user folder. Never rejects: if the id can't be stored, it is valid only until
 * the process ends.
 */
export function installationId(userFolder: string | undefined): Promise<string> {
  if (userFolder === undefined) return Promise.resolve(unkept)
  const path = join(eidFolder(userFolder), 'installation')
  const found = known.get(path) ?? readOrMake(path).catch(() => unkept)
  known.set(path, found)
  return found
}

async function readOrMake(path: string): Promise<string> {
  const kept = await read(path)
  if (kept !== undefined) return kept
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.unfinished`
  try {
    await write(temporary, randomUUID())
    // Another process with the same folder may create the file at this moment. In this case, the file of the other
    // process counts.
    await link(temporary, path).catch(() => replace(temporary, path))
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  return (await read(path)) ?? unkept
}

/**
 * Replaces a file that contains no id because a full disk or a power cut interrupted its writing. Without this, the id
 * would be different after every start.
 */
async function replace(temporary: string, path: string): Promise<void> {
  if ((await read(path)) === undefined) await rename(temporary, path)
}

async function write(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function read(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  return /^[\da-f-]{36}$/.test(text) ? text : undefined
}
