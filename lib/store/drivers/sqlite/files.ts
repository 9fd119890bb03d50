/** The files of an embedded database: the file itself, its log, the last good copy, and what was put aside. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { Database } from 'node-sqlite3-wasm'

export const fileIn = (folder: string) => join(folder, 'eid.sqlite')
export const logIn = (folder: string) => `${fileIn(folder)}-wal`
/** A copy that is complete, and that may be copied while Node-RED runs. */
export const copyIn = (folder: string) => join(folder, 'eid-copy.sqlite')

/** What people must know about the file, once: the key of a sentence and its values. */
export interface Notice {
  readonly key: 'storeUnguarded' | 'storeDamaged' | 'storeDamagedCopy' | 'storeUnsound' | 'storeRewritten'
  readonly params: Readonly<Record<string, string>>
}

/** Renames a damaged file with its log, and the last copy, so that nothing is overwritten. Says their new names. */
export function putAside(folder: string): Notice {
  const mark = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const file = `eid-damaged-${mark}.sqlite`
  fs.renameSync(fileIn(folder), join(folder, file))
  if (fs.existsSync(logIn(folder))) fs.renameSync(logIn(folder), join(folder, `${file}-wal`))
  fs.rmSync(`${fileIn(folder)}.lock`, { recursive: true, force: true })
  if (!fs.existsSync(copyIn(folder))) return { key: 'storeDamaged', params: { file } }
  const copy = `eid-copy-${mark}.sqlite`
  fs.renameSync(copyIn(folder), join(folder, copy))
  return { key: 'storeDamagedCopy', params: { file, copy } }
}

/** Brings what is in a file to the disk, without keeping the thread waiting. */
export async function sync(path: string): Promise<void> {
  const file = await fs.promises.open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Copies the file, which does not change as long as the log is not moved into it. Returns false if the file is damaged;
 * the last good copy then stays.
 */
export async function replaceCopy(folder: string): Promise<boolean> {
  const unready = `${copyIn(folder)}.new`
  await fs.promises.copyFile(fileIn(folder), unready, fs.constants.COPYFILE_FICLONE)
  await fs.promises.chmod(unready, 0o600)
  await sync(unready)
  const isGood = isSound(unready)
  await (isGood ? fs.promises.rename(unready, copyIn(folder)) : fs.promises.rm(unready))
  return isGood
}

/** True if SQLite can read every page of the file. */
function isSound(path: string): boolean {
  // A killed process may have left these.
  for (const rest of ['-wal', '.lock']) fs.rmSync(`${path}${rest}`, { recursive: true, force: true })
  try {
    const database = new Database(path)
    try {
      database.all('pragma locking_mode = exclusive')
      return database.get('pragma quick_check(1)')?.quick_check === 'ok'
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}
