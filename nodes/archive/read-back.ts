/** Reads an archive back and reports which files are missing, changed or added. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep } from '../../lib/api/call/retry'
import { FileFault } from '../../lib/runtime/files/save-file'
import { indexesIn, readIndexAgain, sealOver } from './index-file'
import { emptyIndex, type ArchivedFile, type ArchiveIndex } from './index-lines'
import { stateOf, type State } from './file-state'
import { collectingMs } from './finish'
import { fits, type Seal, type Seals } from './memory'
import type { Archive } from './place'
import { ifMissing } from './read-file'
import { isBeingPlaced, isFilling, newestIn, stagingOf } from './staging'

/** The findings about an archive; files are named by their paths below the archive's folder. */
export interface ArchiveReport {
  /** `documents`: how many documents the indexes list, each counted once; `whole`: how many of these are unchanged. */
  readonly documents: number
  readonly whole: number
  readonly missing: readonly string[]
  readonly changed: readonly string[]
  /** Files that are not listed in any line of an index, and copies of indexes. */
  readonly added: readonly string[]
  /**
   * Either `whole`, or the number of the first line that does not match the previous one; `index` is given if there are
   * several indexes.
   */
  readonly chain: 'whole' | { readonly brokenAt: number; readonly index?: string }
}

/** Number of files that are read at once. */
const parallel = 8
/** How often files that are being written are checked again, and the milliseconds between two checks. */
const placingLooks = 10
const placingMs = 100
/** Milliseconds for which the files that another Node-RED is collecting may stay unchanged. */
const collectingPauseMs = 30_000

/**
 * Reads every index and every file of an archive. Returns undefined if there is no index, and none was there before.
 * `seals` are the ends of the indexes, to be remembered. Rejects with the error of the file system, or with the reason
 * of the signal.
 */
export async function readBack(
  place: Archive,
  signal: AbortSignal,
  pauseMs = collectingPauseMs,
): Promise<{ report: ArchiveReport; seals: Seals } | undefined> {
  const { folder } = place
  // Documents may be archived meanwhile. The files are listed before the indexes are read, so that every file found has
  // its line by then.
  const found = await filesIn(place).catch(ifMissing([]))
  const all = await readIndexes(place)
  if (all.length === 0) return undefined
  const indexes = withoutCopies(all)
  const entries = indexes.flatMap(({ name, index }) => index.entries.map((entry) => ({ name, entry })))
  const files = entries.flatMap(({ name, entry }) =>
    entry.files.map((file) => ({ file, index: name, documentId: entry.documentId })),
  )
  const states = new Map(
    await inParallel(files, async (one) => [one.file, await stateNow(folder, one, signal)] as const),
  )
  const named = (state: State) => [
    ...new Set(files.filter(({ file }) => states.get(file) === state).map(({ file: { name } }) => name)),
  ]
  const documents = new Set(entries.map(({ entry }) => entry.documentId))
  const faulty = files.filter(({ file }) => states.get(file) !== 'whole').map(({ documentId }) => documentId)
  const expected = new Set([
    ...indexes.flatMap(({ name, index }) => [name, ...filesBeside(name, index)]),
    ...files.map(({ file: { name } }) => name),
  ])
  const broken = indexes
    .map((one) => ({ index: one.name, brokenAt: brokenAt(one) }))
    .find((one) => one.brokenAt !== undefined)
  const report = {
    documents: documents.size,
    whole: documents.size - new Set(faulty).size,
    missing: [...indexes.filter(({ isThere }) => !isThere).map(({ name }) => name), ...named('missing')],
    changed: [...named('changed'), ...indexes.filter(({ isOther }) => isOther).map(({ name }) => name)],
    added: await leftOver(
      place,
      found.filter((name) => !expected.has(name)),
      pauseMs,
      signal,
    ),
    chain:
      broken?.brokenAt === undefined
        ? ('whole' as const)
        : { brokenAt: broken.brokenAt, ...(indexes.length > 1 && { index: broken.index }) },
  }
  const whole = indexes.filter((one) => one.index.hashes.length > 0 && brokenAt(one) === undefined)
  const seals = Object.fromEntries(whole.map(({ name, index }) => [name, sealOver(index.hashes)]))
  return { report, seals }
}

/** Files that earlier versions wrote beside an index, in which no line had a seal. */
function filesBeside(name: string, { entries }: ArchiveIndex): string[] {
  const isOld = entries.every((entry) => !('seal' in entry))
  return isOld ? ['last', 'owner'].map((ending) => `.${name.replace(/jsonl$/, ending)}`) : []
}

/**
 * Returns the files that are in no line. A file that another Node-RED is collecting is in a temporary folder, which
 * changes and is gone soon.
 */
async function leftOver(place: Archive, names: readonly string[], pauseMs: number, signal: AbortSignal) {
  const staging = (name: string) => name.split('/')[0] ?? ''
  const isOthers = (name: string) => ![undefined, place.index].includes(stagingOf(staging(name)))
  const left: string[] = []
  for (const name of names) {
    const path = join(place.folder, staging(name))
    if (!isOthers(name) || !(await isCollected(path, pauseMs, signal))) left.push(name)
  }
  return left
}

/** Waits until the folder is gone, which returns true, or has not changed for a while, which returns false. */
async function isCollected(path: string, pauseMs: number, signal: AbortSignal): Promise<boolean> {
  let newest = await newestIn(path)
  for (let since = performance.now(); newest > 0 && performance.now() - since < pauseMs;) {
    if (Math.abs(Date.now() - newest) > collectingMs) return false
    await sleep(Math.min(placingMs, pauseMs), signal)
    const now = await newestIn(path)
    if (now !== newest) since = performance.now()
    newest = now
  }
  return newest === 0
}

interface ListedFile {
  readonly file: ArchivedFile
  readonly index: string
  readonly documentId: string
}

/**
 * Returns the state of a file. The line of a document is written before its folder is in place, so a missing file is
 * looked for several times.
 */
async function stateNow(folder: string, { file, index, documentId }: ListedFile, signal: AbortSignal): Promise<State> {
  for (let left = placingLooks; ; left--) {
    const isPlaced = !(await isBeingPlaced(folder, index, documentId))
    const state = await stateOf(folder, file, signal)
    if (state !== 'missing' || isPlaced || left === 0) return state
    await sleep(placingMs, signal)
  }
}

interface SealedIndex {
  readonly name: string
  /** How the index ended when it was last written or checked here; undefined if it is seen for the first time. */
  readonly seal: Seal | undefined
  readonly index: ArchiveIndex
  readonly isThere: boolean
  /** Whether this is something other than a file. A link counts too, because its target is not in the archive. */
  readonly isOther: boolean
}

/** Reads all indexes, also those that were there before and are missing. */
async function readIndexes(place: Archive): Promise<SealedIndex[]> {
  // The seals are read first, so that a line added in between only makes the index longer than its seal.
  const seals = await place.memory.seals(place.real)
  const names = [...new Set([...(await indexesIn(place.folder)), ...Object.keys(seals)])].sort()
  const there = await readdir(place.folder, { withFileTypes: true }).catch(ifMissing([]))
  return Promise.all(
    names.map(async (name) => {
      const file = there.find((one) => one.name === name)
      const index = await readWhole(place, name)
      return { name, seal: seals[name], index, isThere: file !== undefined, isOther: file?.isFile() === false }
    }),
  )
}

/** Reads an index. If something other than a file has its name, it counts as an index without lines. */
async function readWhole(place: Archive, name: string): Promise<ArchiveIndex> {
  const read = () =>
    readIndexAgain(place, name).catch((error: unknown) => {
      if (error instanceof FileFault) return emptyIndex
      throw error
    })
  let index = await read()
  // A line that is being written is complete in a moment.
  for (let left = placingLooks; (index.isCut || index.isUnended) && left > 0; left--) {
    await sleep(placingMs)
    index = await read()
  }
  return index
}

/**
 * Leaves out indexes that are empty or begin with the line of another index: they are copies. The one that was there
 * before is no copy, otherwise the longer one, otherwise the one with the shorter name.
 */
function withoutCopies(all: readonly SealedIndex[]): SealedIndex[] {
  const rank = ({ seal, index, name }: SealedIndex) => [Number(seal !== undefined), index.hashes.length, -name.length]
  const inOrder = [...all].sort((one, other) => {
    const own = rank(one)
    const others = rank(other)
    const at = own.findIndex((value, index) => value !== others[index])
    return at < 0 ? 0 : (others[at] ?? 0) - (own[at] ?? 0)
  })
  const seen = new Set<string>()
  const copies = inOrder.filter(({ seal, index: { hashes } }) => {
    const [first] = hashes
    const isCopy = seal === undefined && (first === undefined || seen.has(first))
    for (const hash of hashes) seen.add(hash)
    return isCopy
  })
  return all.filter((one) => !copies.includes(one))
}

/** The number of the first line that is not as it was written. */
function brokenAt({ seal, index }: SealedIndex): number | undefined {
  const { hashes, isCut, isUnended } = index
  const problems = [
    ...(index.brokenAt === undefined ? [] : [index.brokenAt]),
    ...(seal && !fits(seal, hashes) ? [Math.min(seal.lines, hashes.length + 1)] : []),
    ...(isCut ? [hashes.length + 1] : []),
    ...(isUnended ? [hashes.length] : []),
  ]
  return problems.length > 0 ? Math.min(...problems) : undefined
}

async function inParallel<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  const left = items.entries()
  const one = async () => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: parallel }, one))
  return results
}

/** Lists all files below the archive's folder, by paths with slashes, except those that this process is collecting. */
async function filesIn(place: Archive): Promise<string[]> {
  const found: string[] = []
  for (const one of await readdir(place.folder, { withFileTypes: true })) {
    if (one.isDirectory() && isFilling(place, one.name)) continue
    found.push(...(one.isDirectory() ? await filesBelow(place.folder, `${one.name}/`) : [one.name]))
  }
  return found
}

/** Lists the files below a folder. Links are not followed; each link counts as a file. */
async function filesBelow(folder: string, below: string): Promise<string[]> {
  const found = await readdir(join(folder, below), { withFileTypes: true }).catch(ifMissing(undefined))
  // A folder whose name is not valid UTF-8 can't be opened, so it counts as one entry. Any other folder that can't be
  // read was removed meanwhile.
  if (!found) return below.includes('\uFFFD') ? [below.slice(0, -1)] : []
  const all = found.map(async (one) =>
    one.isDirectory() ? filesBelow(folder, `${below}${one.name}/`) : [`${below}${one.name}`],
  )
  return (await Promise.all(all)).flat()
}
