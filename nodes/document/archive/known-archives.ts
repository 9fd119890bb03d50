/**
 * Remembers the archives that this process has found or written to. If a network drive is not connected, its folders
 * look empty or are missing; a second archive would then begin on another disk.
 */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setLatest } from '../../../lib/common/latest'
import { FileFault } from '../../../lib/runtime/files/save-file'
import { indexesIn } from './archive-index'

/**
 * Each known archive, with whether it shows that its drive is connected. The oldest are dropped, and then handled as
 * after a restart.
 */
const seen = new Map<string, boolean>()
/** The identity of each folder above an archive. While a drive is not connected, another folder is at its path. */
const above = new Map<string, string>()
const maxSeen = 10_000

/** Notes that an archive is in this folder. */
export async function noteArchive(folder: string): Promise<void> {
  let isOnDrive = true
  for (const one of foldersAbove(folder)) {
    const identity = await identityOf(one)
    if (identity === undefined) continue
    // An archive at the path of a drive that is not connected does not make its disk the drive.
    if (await isAway(one, identity)) isOnDrive = false
    else setLatest(above, one, identity, maxSeen)
  }
  setLatest(seen, folder, isOnDrive, maxSeen)
}

/** Rejects with a FileFault if this archive, or those beside a new one, were there before and are gone. */
export async function checkDrive(folder: string): Promise<void> {
  if (await hasArchive(folder)) return
  if (seen.has(folder)) throw new FileFault('GONE')
  const shared = foldersAbove(folder).find((one) => above.has(one))
  if (shared !== undefined && (await isAway(shared, await identityOf(shared)))) throw new FileFault('AWAY')
}

/** Whether the folder is another one than before, and none of the known archives below it is there. */
async function isAway(folder: string, identity: string | undefined): Promise<boolean> {
  if (!above.has(folder) || identity === above.get(folder)) return false
  const known = [...seen].flatMap(([one, isOnDrive]) => (isOnDrive && foldersAbove(one).includes(folder) ? [one] : []))
  if (identity === undefined) return known.length > 0
  // A drive that was connected again may have another identity, but its archives are there, except those that a person
  // has moved away.
  for (const one of known.reverse()) if (await hasArchive(one)) return false
  return known.length > 0
}

const hasArchive = async (folder: string) => (await indexesIn(folder)).length > 0

/** The folders above a path, the nearest first. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}

/** Differs from that of any other folder that was at the same path; undefined if the folder is missing. */
async function identityOf(folder: string): Promise<string | undefined> {
  return stat(folder, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  )
}
