/**
 * Remembers the archives that this process has found or written to. If a network drive is not connected, its folders
 * look empty or are missing; a second archive would then begin on another disk.
 */
import { stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setLatest } from '../../lib/common/latest'
import { FileFault } from '../../lib/runtime/files/save-file'
import { indexesIn, readIndex } from './archive-index'
import { readSeal } from './index-seal'

interface Noted {
  /** Whether the archive shows that its drive is connected. */
  readonly isOnDrive: boolean
  readonly identity: string | undefined
  /** The SHA-256 of the last line of each index. Lines that are added later do not change these. */
  readonly lines: readonly string[]
}

/** Each known archive. The oldest are dropped, and then handled as after a restart. */
const seen = new Map<string, Noted>()
/** The identity of each folder above an archive. While a drive is not connected, another folder is at its path. */
const above = new Map<string, string>()
const maxSeen = 10_000

/**
 * The folders below which no known archive was found, with the identity that they had. This is not looked up again for
 * a few seconds, because thousands of archives take that long.
 */
const away = new Map<string, { readonly identity: string | undefined; readonly since: number }>()
const lookAgainMs = 10_000

/** Notes that an archive is in this folder. Never rejects: one that can't be read is noted with its next document. */
export async function noteArchive(folder: string): Promise<void> {
  await note(folder).catch(() => undefined)
}

async function note(folder: string): Promise<void> {
  const known = seen.get(folder)
  if (known && !(await isSame(folder, known))) return
  let isOnDrive = true
  for (const one of foldersAbove(folder)) {
    const identity = await identityOf(one)
    if (identity === undefined) continue
    // An archive at the path of a drive that is not connected does not make its disk the drive.
    isOnDrive = !(await isAway(one, identity))
    if (!isOnDrive) break
    setLatest(above, one, identity, maxSeen)
  }
  const noted = { isOnDrive, identity: await identityOf(folder), lines: await lastLines(folder) }
  setLatest(seen, folder, noted, maxSeen)
}

/** Rejects with a FileFault if this archive, or those beside a new one, were there before and are gone. */
export async function checkDrive(folder: string): Promise<void> {
  const known = seen.get(folder)
  if (known && !(await isSame(folder, known))) throw new FileFault('GONE')
  if (known ?? (await hasArchive(folder))) return
  const shared = foldersAbove(folder).find((one) => above.has(one))
  if (shared !== undefined && (await isAway(shared, await identityOf(shared)))) throw new FileFault('AWAY')
}

/** Whether the folder is another one than before, and none of the known archives below it is there. */
async function isAway(folder: string, identity: string | undefined): Promise<boolean> {
  const last = away.get(folder)
  if (last && last.identity === identity && performance.now() - last.since < lookAgainMs) return true
  away.delete(folder)
  if (!above.has(folder) || identity === above.get(folder)) return false
  const below = join(folder, sep)
  const known = [...seen].filter(([one, { isOnDrive }]) => isOnDrive && one.startsWith(below))
  if (known.length === 0) return false
  const since = performance.now()
  // A drive that was connected again may have another identity, but its archives are there, except those that a person
  // has moved away.
  if (identity !== undefined) for (const one of known.reverse()) if (await isSame(...one)) return false
  setLatest(away, folder, { identity, since }, maxSeen)
  return true
}

/** Whether the archive is there, and not another one of the same path, such as an earlier one on the local disk. */
async function isSame(folder: string, { isOnDrive, identity, lines }: Noted): Promise<boolean> {
  const names = await indexesIn(folder)
  if (names.length === 0) return false
  if (!isOnDrive || lines.length === 0 || identity === (await identityOf(folder))) return true
  const found = new Set<string>()
  for (const name of names) for (const hash of (await readIndex(folder, name)).hashes) found.add(hash)
  return lines.every((line) => found.has(line))
}

/** The SHA-256 of the last known line of each index. An index that cannot be read proves nothing. */
async function lastLines(folder: string): Promise<string[]> {
  const lines = await Promise.all(
    (await indexesIn(folder)).map((name) => lastLine(folder, name).catch(() => undefined)),
  )
  return lines.filter((line) => line !== undefined)
}

/** The seal is read first, because it is short. It may be missing, or empty after a full disk. */
async function lastLine(folder: string, name: string): Promise<string | undefined> {
  const seal = await readSeal(folder, name).catch(() => undefined)
  if (typeof seal === 'object' && seal.lines > 0) return seal.sha256
  return (await readIndex(folder, name)).hashes.at(-1)
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
