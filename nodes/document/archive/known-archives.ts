/**
 * Remembers the archives that this process has found or written to. If a network drive is not connected, its folders
 * look empty or are missing; a second archive would then begin on another disk.
 */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setLatest } from '../../../lib/common/latest'
import { FileFault } from '../../../lib/runtime/files/save-file'
import { indexesIn } from './archive-index'

/** The oldest are dropped, and then handled as after a restart. */
const seen = new Map<string, true>()
/** The identity of each folder above an archive. While a drive is not connected, another folder is at its path. */
const above = new Map<string, string>()
const maxSeen = 10_000
/** How many archives are looked for before their drive counts as not connected. */
const maxLooks = 20

/** Notes that an archive is in this folder. */
export async function noteArchive(folder: string): Promise<void> {
  setLatest(seen, folder, true, maxSeen)
  for (const one of foldersAbove(folder)) {
    const identity = await identityOf(one)
    if (identity !== undefined) setLatest(above, one, identity, maxSeen)
  }
}

/** Rejects with a FileFault if this archive, or those beside a new one, were there before and are gone. */
export async function checkDrive(folder: string): Promise<void> {
  if (await hasArchive(folder)) return
  if (seen.has(folder)) throw new FileFault('GONE')
  const shared = foldersAbove(folder).find((one) => above.has(one))
  if (shared === undefined || (await identityOf(shared)) === above.get(shared)) return
  // A drive that was connected again may have another identity, but its archives are there.
  const others = [...seen.keys()].reverse().filter((one) => foldersAbove(one).includes(shared))
  for (const one of others.slice(0, maxLooks)) if (await hasArchive(one)) return
  if (others.length > 0) throw new FileFault('AWAY')
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
